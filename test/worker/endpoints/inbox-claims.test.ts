import { describe, expect, it } from "vitest";
import type { Decision, Receipt } from "../../../src/contract/webhooks/inbox.ts";
import { accepting, openInbox, type TestInbox, wholeLog } from "../../support/worker/inboxes.ts";

const event = (eventId: string): Decision => accepting({ eventId });

async function accept(inbox: TestInbox, decision: Decision = accepting()) {
  const receipt = await inbox.api.accept(inbox.arrival({ decision }));
  if (receipt.kind !== "accepted") throw new Error(receipt.kind);
  return receipt;
}

const count = (receipts: Receipt[], kind: Receipt["kind"]) =>
  receipts.filter((receipt) => receipt.kind === kind).length;

describe("an event id", () => {
  it("starts one execution however often it comes at once", async () => {
    const inbox = await openInbox();
    const receipts = await Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        inbox.api.accept(inbox.arrival({ decision: event(`evt_${n % 100}`) })),
      ),
    );
    expect(count(receipts, "accepted")).toBe(100);
    expect(count(receipts, "duplicate")).toBe(400);
    expect(await inbox.api.queuedCount()).toBe(100);
  });

  it("is answered with the first one's request and execution", async () => {
    const inbox = await openInbox();
    const first = inbox.arrival({ decision: event("evt_1") });
    const receipt = await inbox.api.accept(first);
    if (receipt.kind !== "accepted") throw new Error(receipt.kind);
    const { executionId } = receipt;
    const { requestId } = first.request;
    expect(await inbox.api.accept(inbox.arrival({ decision: event("evt_1") }))).toEqual({
      kind: "duplicate",
      executionId,
      requestId,
    });
    expect(await inbox.api.claimOf("evt_1")).toEqual({ requestId, executionId });
    const [duplicate] = (await inbox.api.list({ ...wholeLog, duplicate: true })).entries;
    expect(duplicate).toMatchObject({ status: "duplicate", httpStatus: 200, executionId });
  });

  it("runs again where the endpoint wants it, flagged", async () => {
    const inbox = await openInbox({ onDuplicate: "run" });
    const first = await accept(inbox, event("evt_1"));
    const second = await accept(inbox, event("evt_1"));
    expect(second.duplicate).toBe(true);
    expect(second.executionId).not.toBe(first.executionId);
    expect(await inbox.api.queuedCount()).toBe(2);
    expect((await inbox.api.claimOf("evt_1"))?.executionId).toBe(first.executionId);
  });

  it("stays claimed when the start of the first one failed", async () => {
    const inbox = await openInbox();
    const first = inbox.arrival({ decision: event("evt_1") });
    await inbox.api.accept(first);
    const { requestId } = first.request;
    const errors = [{ stage: "start" as const, rule: "dead_letter", message: "gave up" }];
    await inbox.api.acknowledge([{ requestId, kind: "failed", errors }]);
    const again = await inbox.api.accept(inbox.arrival({ decision: event("evt_1") }));
    expect(again).toMatchObject({ kind: "duplicate", requestId });
  });

  it("is neither claimed nor looked at by a replay", async () => {
    const inbox = await openInbox();
    const first = inbox.arrival({ decision: event("evt_1") });
    await inbox.api.accept(first);
    const replay = inbox.arrival({
      request: { replayOf: first.request.requestId },
      decision: event("evt_1"),
    });
    expect(await inbox.api.accept(replay)).toMatchObject({ kind: "accepted", duplicate: false });
    const { items } = await inbox.api.workBatch([replay.request.requestId]);
    expect(items).toMatchObject([{ origin: "replay" }]);
    const { requestId } = first.request;
    expect(await inbox.api.claimOf("evt_1")).toMatchObject({ requestId });
  });
});
