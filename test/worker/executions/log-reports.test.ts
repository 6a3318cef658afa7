import { afterEach, describe, expect, it, vi } from "vitest";
import type { SeedDraft } from "../../../src/contract/account.ts";
import { EndpointInbox } from "../../../src/endpoints/inbox.ts";
import { openInbox } from "../../support/worker/inboxes.ts";
import {
  draftOf,
  endPauses,
  executionOf,
  messageOf,
  openAccount,
} from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

afterEach(() => vi.restoreAllMocks());

/** A run that a webhook started, beside the log entry that it belongs to. */
async function webhookRun(changes: Partial<SeedDraft> = {}) {
  const account = await openAccount();
  const inbox = await openInbox({ accountId: account.accountId });
  const arrival = inbox.arrival();
  const receipt = await inbox.api.accept(arrival);
  if (receipt.kind !== "accepted" || receipt.executionId === null) throw new Error(receipt.kind);
  const { executionId } = receipt;
  const { requestId } = arrival.request;
  const inbound = { endpointId: inbox.config.endpointId, requestId, eventId: null };
  const draft = draftOf({ origin: "webhook", inbound, ...changes });
  return {
    execution: executionOf(account, executionId),
    begin: () => account.api.acceptBatch([{ executionId, draft }]),
    entry: async () => (await inbox.api.entry(requestId))?.entry,
    toStart: async () => (await inbox.api.entry(requestId))?.entry.latencyMs.toStart,
    /** The user answers what was asked. */
    answer: () =>
      executionOf(account, executionId).session().message(account.accountId, messageOf()),
    status: async () => (await inbox.api.entry(requestId))?.entry.status,
  };
}

const ask = { calls: [{ tool: "ask_user", input: { question: "Which?" } }] };
const read = { calls: [{ tool: "process_data", input: {} }] };

/** Watches the reports of one execution, among those of other tests; the first `failures` find their inbox away. */
function watchReports({ executionId }: { executionId: string }, failures = 0) {
  const { report } = EndpointInbox.prototype;
  const seen: Parameters<typeof report>[0][] = [];
  vi.spyOn(EndpointInbox.prototype, "report").mockImplementation(async function (
    this: EndpointInbox,
    told,
  ) {
    if (told.executionId === executionId) {
      seen.push(told);
      // It hangs rather than throws: the runner minds what objects throw.
      if (seen.length <= failures) return await new Promise<never>(() => {});
    }
    return await report.call(this, told);
  });
  return seen;
}

describe("the log of a webhook", () => {
  it("follows a long run from its start to its end, in two reports", async () => {
    const run = await webhookRun({ prompt: promptOf(read, read, ask, read, {}) });
    const seen = watchReports(run.execution);
    await run.begin();
    await run.execution.until(({ status }) => status === "waiting_for_input");
    await expect.poll(run.toStart).toEqual(expect.any(Number));
    expect(await run.entry()).toMatchObject({
      status: "running",
      executionId: run.execution.executionId,
      latencyMs: { toCompletion: null },
    });
    await run.answer();
    await expect.poll(run.status).toBe("succeeded");
    expect(seen.map(({ finishedAt }) => finishedAt !== null)).toEqual([false, true]);
  });

  it("names who stopped an execution", async () => {
    const run = await webhookRun({ model: "openai/hangs" });
    await run.begin();
    await run.execution.status();
    const stop = { reason: "enough", ifVersion: null };
    await run.execution.session().stop(run.execution.account.accountId, stop);
    await expect.poll(run.status).toBe("failed");
    expect((await run.entry())?.errors).toMatchObject([
      { rule: "user_request", message: expect.stringContaining("enough") },
    ]);
  });

  it("is notified until it acknowledges", async () => {
    const run = await webhookRun();
    const seen = watchReports(run.execution, 1);
    await run.begin();
    await run.execution.ended();
    await expect.poll(() => seen).toHaveLength(1);
    await endPauses(run.execution);
    await expect.poll(run.status).toBe("succeeded");
    expect(seen.length).toBeGreaterThan(1);
  });
});
