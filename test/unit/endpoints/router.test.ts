import { describe, expect, it } from "vitest";
import type { RouteDecision } from "../../../src/contract/webhooks/inbox.ts";
import { type CaseRule, caseRuleOf } from "../../../src/contract/webhooks/routing.ts";
import { Cases } from "../../../src/endpoints/cases.ts";
import { RequestLog } from "../../../src/endpoints/log.ts";
import { Router } from "../../../src/endpoints/router.ts";
import { PLACES, Starts } from "../../../src/endpoints/starts.ts";
import { Work } from "../../../src/endpoints/work.ts";
import { configWith, routeWith } from "../../support/endpoint.ts";
import { NO_CHUNKS } from "../../support/logged.ts";
import { addRequest, inboxStorage } from "../../support/table-storage.ts";

const NOW = 1_000;

/** A router of one route over its real tables. */
function openRouter(onEvent: CaseRule["onEvent"]) {
  const storage = inboxStorage();
  const { sql } = storage;
  const log = new RequestLog(sql, NO_CHUNKS);
  const tables = { work: new Work(sql), starts: new Starts(sql, log), cases: new Cases(sql) };
  let executions = 0;
  const router = new Router({
    ...tables,
    log,
    newExecutionId: () => {
      executions += 1;
      return `execution ${executions}`;
    },
  });
  const route = routeWith({ name: "r", rule: caseRuleOf({ onEvent }) });
  const config = configWith({ workflow: null, routing: { routes: [route] } });
  const arrive = (seq: number, decision: Partial<RouteDecision> = {}) => {
    addRequest(storage, seq, { at: NOW, facts: { routes: [{}] } });
    const decided: RouteDecision = {
      name: "r",
      matched: true,
      reason: "",
      key: "a",
      inputs: {},
      warnings: [],
      errors: [],
      ...decision,
    };
    const planned = router.plan([decided], config, NOW);
    router.store(seq, planned, 10, NOW);
  };
  return { ...tables, router, arrive, entry: (seq: number) => log.progressAt(seq) };
}

type Status = "active" | "completed" | "stopped";
const report = (executionId: string, status: Status, code: string | null = null) => ({
  requestId: "request 1",
  executionId,
  version: 5,
  status,
  startedAt: NOW + 100,
  finishedAt: status === "active" ? null : NOW + 500,
  error: code === null ? null : { code, message: "So it is." },
});

/** What the queue's consumer says of the first execution once the account has it. */
const handed = {
  requestId: "request 1",
  executionId: "execution 1",
  kind: "handed" as const,
};

describe("an event sent to the live execution", () => {
  it("settles its case, and the next event is sent at once", () => {
    const { router, cases, starts, arrive } = openRouter("message");
    arrive(1);
    arrive(2);
    arrive(3);
    router.takeChanges();
    expect(cases.nextDue()).toBe(NOW);
    router.told(2 * PLACES, "execution 1", NOW + 1);
    expect(router.takeChanges().hasNewTimes).toBe(true);
    expect(cases.nextDue()).toBe(NOW);
    router.told(3 * PLACES, "execution 1", NOW + 2);
    expect(cases.nextDue()).toBeNull();
    expect(router.takeChanges().hasNewTimes).toBe(true);
    expect([2, 3].map((seq) => starts.at(seq * PLACES)?.executionId)).toEqual([
      "execution 1",
      "execution 1",
    ]);
  });

  it("follows that execution from then on, even if it has already ended", () => {
    const { router, starts, arrive, entry } = openRouter("message");
    arrive(1);
    arrive(2);
    router.told(2 * PLACES, "execution 1", NOW);
    expect(entry(2)).toMatchObject({ status: "running", executionId: "execution 1" });
    router.report(report("execution 1", "completed"), NOW);
    expect([entry(1)?.status, entry(2)?.status]).toEqual(["succeeded", "succeeded"]);
    arrive(3);
    expect(starts.at(3 * PLACES)?.executionId).toBe("execution 2");
  });

  it("has the status of an execution that ended before its answer arrived", () => {
    const { router, arrive, entry } = openRouter("message");
    arrive(1);
    arrive(2);
    router.report(report("execution 1", "completed"), NOW);
    // The end let the waiting event start its own.
    expect(entry(2)).toMatchObject({ status: "queued", executionId: "execution 2" });
    router.told(2 * PLACES, "execution 1", NOW);
    expect(entry(2)).toMatchObject({ executionId: "execution 2" });
  });

  it("does not change started or unknown requests", () => {
    const { router, starts, arrive } = openRouter("message");
    arrive(1);
    router.told(1 * PLACES, "execution 9", NOW);
    router.told(9 * PLACES, "execution 9", NOW);
    expect(starts.at(1 * PLACES)?.executionId).toBe("execution 1");
  });
});

describe("an execution of a case", () => {
  it("makes room for the next event when it has ended", () => {
    const { router, work, arrive, entry } = openRouter("queue");
    arrive(1);
    arrive(2);
    expect(work.readyAt(2)).toBeNull();
    expect(router.takeChanges().readied).toEqual([]);
    router.report(report("execution 1", "active"), NOW);
    expect(work.readyAt(2)).toBeNull();
    router.report({ ...report("execution 1", "completed"), version: 6 }, NOW);
    expect(work.readyAt(2)).toMatchObject({ executionId: "execution 2", configVersion: 1 });
    expect(router.takeChanges().readied).toEqual([2]);
    expect(entry(1)).toMatchObject({ status: "succeeded", toStart: 100, toCompletion: 500 });
  });

  it("makes room for the next event if it cannot be started", () => {
    const { router, arrive, entry } = openRouter("queue");
    arrive(1);
    arrive(2);
    const errors = [{ stage: "start", rule: "dead_letter", message: "No." } as const];
    const failed = {
      requestId: "request 1",
      executionId: "execution 1",
      kind: "failed",
      errors,
    } as const;
    expect(router.acknowledge(failed, NOW)).toBe(1);
    expect(entry(1)).toMatchObject({ status: "failed", outcome: { errors } });
    expect(entry(2)).toMatchObject({ executionId: "execution 2" });
  });

  it("runs once it was handed over, with each warning once", () => {
    const { router, work, starts, arrive, entry } = openRouter("queue");
    arrive(1, { warnings: ["cut"] });
    const warnings = ["cut", "guessed"];
    expect(router.acknowledge({ ...handed, warnings }, NOW)).toBe(1);
    for (const found of [entry(1), starts.at(1 * PLACES)]) {
      expect(found).toMatchObject({ status: "running", outcome: { warnings } });
    }
    expect(work.count()).toBe(0);
  });

  it("keeps the end that it reported before it was known to be handed over", () => {
    const { router, arrive, entry } = openRouter("queue");
    arrive(1);
    router.report(report("execution 1", "completed"), NOW);
    expect(router.acknowledge({ ...handed, warnings: ["cut"] }, NOW)).toBe(1);
    expect(entry(1)).toMatchObject({ status: "succeeded", outcome: { warnings: ["cut"] } });
  });

  it("is replaced by the newest event alone: the others are superseded without an error", () => {
    const { router, arrive, entry, cases } = openRouter("replace");
    for (const seq of [1, 2, 3]) arrive(seq);
    expect(entry(2)).toMatchObject({
      status: "superseded",
      executionId: null,
      outcome: { errors: [] },
    });
    expect(cases.nextDue()).toBe(NOW);
    router.report(report("execution 1", "stopped", "superseded"), NOW);
    expect(entry(1)).toMatchObject({ status: "superseded", outcome: { errors: [] } });
    expect(entry(3)).toMatchObject({ status: "queued", executionId: "execution 2" });
  });

  it("that a user stopped counts as failed, with the reason", () => {
    const { router, arrive, entry } = openRouter("queue");
    arrive(1);
    router.report(report("execution 1", "stopped", "user_request"), NOW);
    expect(entry(1)).toMatchObject({
      status: "failed",
      outcome: { errors: [{ stage: "execution", rule: "user_request" }] },
    });
  });
});

it("a route that matches and cannot start fails without an execution, and leaves its case idle", () => {
  const { arrive, work, starts } = openRouter("queue");
  const errors = [
    { stage: "mapping", path: "id", rule: "required", message: "is required" } as const,
  ];
  arrive(1, { errors, inputs: null });
  expect(starts.at(1 * PLACES)).toMatchObject({ status: "failed", executionId: null });
  expect(work.count()).toBe(0);
  arrive(2);
  expect(work.readyAt(2)).toMatchObject({ executionId: "execution 1" });
});
