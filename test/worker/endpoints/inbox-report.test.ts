import { describe, expect, it } from "vitest";
import type { RunReport } from "../../../src/contract/webhooks/inbox.ts";
import {
  change,
  endOf,
  openInbox,
  receive,
  untilSent,
  workflow,
} from "../../support/worker/inboxes.ts";

const RECEIVED_AT = 1_700_000_000_000;

/** A request that was accepted, and reports of its run. */
async function started() {
  const inbox = await openInbox();
  const arrival = inbox.arrival({ request: { receivedAt: RECEIVED_AT } });
  const receipt = await inbox.api.accept(arrival);
  if (receipt.kind !== "accepted" || receipt.executionId === null) throw new Error(receipt.kind);
  const { requestId } = arrival.request;
  const { executionId } = receipt;
  return {
    inbox,
    requestId,
    executionId,
    handed: () => inbox.api.acknowledge([{ requestId, kind: "handed" }]),
    report: (changes: Partial<RunReport>) =>
      inbox.api.report({
        requestId,
        executionId,
        version: 2,
        status: "active",
        startedAt: RECEIVED_AT + 40,
        finishedAt: null,
        error: null,
        ...changes,
      }),
    entry: async () => (await inbox.api.entry(requestId))?.entry,
  };
}

describe("an entry follows its execution", () => {
  it("from start to end, with the time of each", async () => {
    const run = await started();
    await run.handed();
    await run.report({});
    expect(await run.entry()).toMatchObject({
      status: "running",
      latencyMs: { toStart: 40, toCompletion: null },
    });
    await run.report({ version: 5, status: "waiting_for_input" });
    expect(await run.entry()).toMatchObject({ status: "running" });
    await run.report({ version: 9, status: "completed", finishedAt: RECEIVED_AT + 900 });
    expect(await run.entry()).toMatchObject({
      status: "succeeded",
      errors: [],
      latencyMs: { toStart: 40, toCompletion: 900 },
    });
  });

  it("and fails with its reason if that failed or was stopped", async () => {
    const [failed, stopped] = [await started(), await started()];
    const error = { code: "model_error", message: "The model did not answer." };
    await failed.report({ status: "failed", finishedAt: RECEIVED_AT + 900, error });
    expect(await failed.entry()).toMatchObject({
      status: "failed",
      errors: [{ stage: "execution", rule: "model_error", message: "The model did not answer." }],
    });
    await stopped.report({ status: "stopped", startedAt: null, finishedAt: RECEIVED_AT + 900 });
    expect(await stopped.entry()).toMatchObject({
      status: "failed",
      errors: [{ rule: "stopped" }],
      latencyMs: { toStart: null, toCompletion: 900 },
    });
  });

  it("but not an older report, or one of another execution", async () => {
    const run = await started();
    await run.report({ version: 9, status: "completed", finishedAt: RECEIVED_AT + 900 });
    // The work is done, although nobody acknowledged it.
    expect(await run.inbox.api.queuedCount()).toBe(0);
    await run.handed();
    await run.report({ version: 2, status: "active" });
    await run.report({ version: 9, status: "failed" });
    await run.report({ version: 10, status: "failed", executionId: crypto.randomUUID() });
    await run.report({ requestId: crypto.randomUUID() });
    expect(await run.entry()).toMatchObject({ status: "succeeded" });
  });
});

it("a report before the acknowledgement releases the next held requests", async () => {
  const inbox = await openInbox({ workflow: null });
  await receive(inbox, 101);
  await change(inbox, { workflow });
  const ids = await untilSent(inbox, 100);
  const { items } = await inbox.api.workBatch(ids);
  for (const item of items) {
    await inbox.api.report(endOf(item, { version: 2, status: "active", finishedAt: null }));
  }
  expect(await untilSent(inbox, 101)).toHaveLength(101);
});

it("the entry follows an execution that runs although its start seemed to fail", async () => {
  const run = await started();
  const errors = [{ stage: "start" as const, rule: "dead_letter", message: "gave up" }];
  await run.inbox.api.acknowledge([{ requestId: run.requestId, kind: "failed", errors }]);
  await run.report({ version: 9, status: "completed", finishedAt: RECEIVED_AT + 900 });
  expect(await run.entry()).toMatchObject({ status: "succeeded", errors: [] });
});
