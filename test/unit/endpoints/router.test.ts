import { describe, expect, it } from "vitest";
import type {
  Acknowledgement,
  RouteDecision,
  RunReport,
} from "../../../src/contract/webhooks/inbox.ts";
import { type CaseRule, caseRuleOf } from "../../../src/contract/webhooks/routing.ts";
import { Cases } from "../../../src/endpoints/cases.ts";
import { RequestLog } from "../../../src/endpoints/log.ts";
import { Router } from "../../../src/endpoints/router.ts";
import { PLACES, Starts } from "../../../src/endpoints/starts.ts";
import { Work } from "../../../src/endpoints/work.ts";
import { configWith, matchOf, routeWith } from "../../support/endpoint.ts";
import { ACCEPTED, NO_CHUNKS, requestWith } from "../../support/logged.ts";
import { addRequest, inboxStorage } from "../../support/table-storage.ts";

const NOW = 1_000;

/** A router of two routes over its real tables; events arrive at the first unless decisions name others. */
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
  const rule = caseRuleOf({ onEvent });
  const routes = ["r", "s"].map((name) => routeWith({ name, rule }));
  const config = configWith({ workflow: null, routing: { routes } });
  const arrive = (seq: number, ...decisions: Partial<RouteDecision>[]) => {
    addRequest(storage, seq, { at: NOW, facts: { routes: [{}] } });
    const made = decisions.length > 0 ? decisions : [{}];
    const matches = made.map((changes) => matchOf("r", { key: "a", ...changes }));
    router.store(seq, router.plan(matches, config, NOW), 10, NOW);
  };
  return { ...tables, log, config, router, arrive, entry: (seq: number) => log.progressAt(seq) };
}

type Handed = Extract<Acknowledgement, { kind: "handed" }>;
type Failed = Extract<Acknowledgement, { kind: "failed" }>;

type Status = "active" | "completed" | "failed" | "stopped";
const report = (executionId: string, status: Status, code: string | null = null): RunReport => ({
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

it("a request that matches several routes stays ready until each is started, and shows a failure at last", () => {
  const { router, work, arrive, entry } = openRouter("queue");
  arrive(1, { name: "r" }, { name: "s" });
  expect(work.readyAt(1)).toMatchObject({ executionId: "execution 1" });
  router.report(report("execution 1", "failed", "cannot_do"), NOW);
  expect(entry(1)).toMatchObject({ status: "queued", toCompletion: null });
  expect(router.readyAs("execution 2")).toMatchObject({ seq: 1 });
  router.acknowledge({ ...handed, executionId: "execution 2" }, NOW);
  expect(entry(1)).toMatchObject({ status: "running" });
  expect(work.readyAt(1)).toBeNull();
  router.report(report("execution 2", "completed"), NOW);
  expect(entry(1)).toMatchObject({
    status: "failed",
    outcome: { errors: [{ rule: "cannot_do" }] },
  });
});

describe("an entry whose endpoint has one workflow", () => {
  /** A request that was accepted, and what becomes of its execution. */
  function accepted() {
    const { log, config, router, work } = openRouter("queue");
    const request = requestWith({ body: null, receivedAt: NOW });
    const seq = log.add({
      ...{ request, entry: ACCEPTED, arrivedAt: NOW, budget: "verified" },
      under: config,
    });
    const run = { requestId: request.requestId, executionId: ACCEPTED.executionId };
    return {
      run,
      isReady: () => work.readyAt(seq) !== null,
      entry: () => log.progressAt(seq),
      acknowledge: (acknowledged: Omit<Handed, "requestId"> | Omit<Failed, "requestId">) =>
        router.acknowledge({ requestId: run.requestId, ...acknowledged }, NOW),
      report: (changes: Partial<RunReport>) =>
        router.report({ ...report(run.executionId, "active"), ...run, ...changes }, NOW),
    };
  }

  it("is started once its execution is handed over or reports, and has the times of its start and end", () => {
    for (const begin of ["handed", "report"] as const) {
      const { acknowledge, report, isReady, entry } = accepted();
      expect(isReady()).toBe(true);
      if (begin === "handed") acknowledge({ kind: "handed" });
      report({ version: 2 });
      expect(isReady()).toBe(false);
      report({ version: 5, status: "waiting_for_input" });
      expect(entry()).toMatchObject({ status: "running", toStart: 100, toCompletion: null });
      report({ version: 9, status: "completed", finishedAt: NOW + 900 });
      expect(entry()).toMatchObject({ status: "succeeded", toStart: 100, toCompletion: 900 });
    }
  });

  it("fails with the reason if the execution fails or is stopped, and cannot be started then", () => {
    const [failed, stopped, unstarted] = [accepted(), accepted(), accepted()];
    const error = { code: "model_error", message: "The model did not answer." };
    failed.report({ status: "failed", finishedAt: NOW + 900, error });
    const reason = { stage: "execution", rule: error.code, message: error.message };
    expect(failed.entry()).toMatchObject({ status: "failed", outcome: { errors: [reason] } });
    stopped.report({ status: "stopped", startedAt: null, finishedAt: NOW + 900 });
    expect(stopped.entry()).toMatchObject({
      status: "failed",
      outcome: { errors: [{ stage: "start", rule: "stopped" }] },
      ...{ toStart: null, toCompletion: 900 },
    });
    const errors = [{ stage: "start", rule: "dead_letter", message: "gave up" } as const];
    unstarted.acknowledge({ kind: "failed", errors });
    expect(unstarted.isReady()).toBe(false);
    // An acknowledgement that comes late changes nothing; the execution may run all the same.
    unstarted.acknowledge({ kind: "handed" });
    expect(unstarted.entry()).toMatchObject({ status: "failed", outcome: { errors } });
    unstarted.report({ version: 9, status: "completed", finishedAt: NOW + 900 });
    expect(unstarted.entry()).toMatchObject({ status: "succeeded", outcome: { errors: [] } });
  });

  it("does not follow a late acknowledgement, an older report, or one of another execution", () => {
    const { run, report, acknowledge, entry } = accepted();
    report({ version: 9, status: "completed", finishedAt: NOW + 900 });
    acknowledge({ kind: "handed", warnings: ["cut"] });
    acknowledge({ kind: "failed", errors: [] });
    report({ version: 2 });
    report({ version: 9, status: "failed" });
    report({ version: 10, status: "failed", executionId: `another than ${run.executionId}` });
    report({ version: 10, status: "failed", requestId: `another than ${run.requestId}` });
    expect(entry()).toMatchObject({ status: "succeeded", outcome: { warnings: ["cut"] } });
  });
});
