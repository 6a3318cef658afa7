import { describe, expect, it } from "vitest";
import type { AcceptReply, ExecutionReport } from "../../../src/contract/account.ts";
import type { ExecutionRow } from "../../../src/contract/execution.ts";
import {
  creditsOf,
  draftOf,
  executionOf,
  mailbox,
  openAccount,
  rowsOf,
} from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const acceptedIds = (replies: AcceptReply[]) =>
  replies.flatMap((reply) => (reply.kind === "accepted" ? [reply.body.executionId] : []));

/** A draft of an execution that hangs in its first step until the test is over. */
async function hangingDraft(changes: Parameters<typeof draftOf>[0] = {}) {
  const gate = mailbox();
  await gate.answer("hold");
  return draftOf({ prompt: promptOf({ gate: gate.name }), ...changes });
}

describe("accepting", () => {
  it("answers the balance after the hold, and shows the execution in the list at once", async () => {
    const account = await openAccount({ credits: 100 });
    const draft = await hangingDraft({ maxCredits: 30, metadata: { team: "red" } });
    const reply = await account.api.accept(account.credential, draft, null);
    if (reply.kind !== "accepted") throw new Error(reply.kind);
    expect(reply).toMatchObject({
      replayed: false,
      body: { status: "active", availableCredits: 70 },
    });
    expect(await creditsOf(account)).toEqual({ available: 70, reserved: 30, consumed: 0 });
    expect(await rowsOf(account)).toMatchObject([
      { executionId: reply.body.executionId, status: "active", metadata: { team: "red" } },
    ]);
  });

  it("starts nothing when the balance is short", async () => {
    const account = await openAccount({ credits: 10 });
    const draft = draftOf({ maxCredits: 11 });
    expect(await account.api.accept(account.credential, draft, null)).toMatchObject({
      kind: "insufficient_credits",
      needed: 11,
      available: 10,
    });
    expect(await rowsOf(account)).toEqual([]);
    expect(await creditsOf(account)).toEqual({ available: 10, reserved: 0, consumed: 0 });
  });

  it("lets exactly three of thirty at once through on a balance for three", async () => {
    const account = await openAccount({ credits: 39 });
    const draft = await hangingDraft({ maxCredits: 10 });
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => account.api.accept(account.credential, draft, null)),
    );
    const ids = acceptedIds(replies);
    expect(new Set(ids).size).toBe(3);
    expect(replies.filter(({ kind }) => kind === "insufficient_credits")).toHaveLength(27);
    expect(await creditsOf(account)).toEqual({ available: 9, reserved: 30, consumed: 0 });
    expect(await rowsOf(account)).toHaveLength(3);
  });
});

describe("an idempotency key", () => {
  const key = { key: "order-7", bodyHash: "hash of the body" };

  it("starts one execution of twenty requests at once, and holds once", async () => {
    const account = await openAccount({ credits: 100 });
    const draft = await hangingDraft({ maxCredits: 10 });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => account.api.accept(account.credential, draft, key)),
    );
    expect(new Set(acceptedIds(replies)).size).toBe(1);
    expect(replies.filter((reply) => reply.kind === "accepted" && !reply.replayed)).toHaveLength(1);
    expect(new Set(replies.map((reply) => "body" in reply && reply.body.availableCredits))).toEqual(
      new Set([90]),
    );
    expect(await creditsOf(account)).toEqual({ available: 90, reserved: 10, consumed: 0 });
  });

  it("is not used up by a request that was refused", async () => {
    const account = await openAccount({ credits: 5 });
    const draft = draftOf({ maxCredits: 10 });
    await account.api.accept(account.credential, draft, key);
    await account.api.grant("grant_1", 10, "more");
    expect(await account.api.accept(account.credential, draft, key)).toMatchObject({
      kind: "accepted",
      replayed: false,
    });
  });
});

describe("a settlement", () => {
  /** What the session of a hanging execution reports, made up. */
  async function accepted() {
    const account = await openAccount({ credits: 100 });
    const draft = await hangingDraft({ maxCredits: 40 });
    await account.api.accept(account.credential, draft, null);
    const [row] = await rowsOf(account);
    if (row === undefined) throw new Error("there is no row");
    const ended: ExecutionRow = { ...row, status: "completed", statusDetail: "done", version: 900 };
    const report = (changes: Partial<ExecutionRow>, settle: number | null): ExecutionReport => ({
      row: { ...ended, ...changes },
      settle,
    });
    return { account, report };
  }

  it("is taken once, however often and in whatever order reports come", async () => {
    const { account, report } = await accepted();
    await account.api.report(report({}, 15));
    await account.api.report(report({}, 15));
    await account.api.report(report({ version: 899, status: "active" }, null));
    await account.api.report(report({ version: 901 }, 40));
    await account.api.report(report({ executionId: crypto.randomUUID() }, 15));
    expect(await creditsOf(account)).toEqual({ available: 85, reserved: 0, consumed: 15 });
    expect(await rowsOf(account)).toMatchObject([{ status: "completed", version: 901 }]);
  });
});

describe("credits", () => {
  it("add up after many executions at once", async () => {
    const account = await openAccount({ credits: 1_000 });
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => account.api.accept(account.credential, draftOf(), null)),
    );
    const states = await Promise.all(
      acceptedIds(replies).map((id) => executionOf(account, id).ended()),
    );
    const used = states.reduce((sum, { creditsConsumed }) => sum + creditsConsumed, 0);
    expect(used).toBe(10);
    await expect
      .poll(() => creditsOf(account))
      .toEqual({ available: 1_000 - used, reserved: 0, consumed: used });
  });
});
