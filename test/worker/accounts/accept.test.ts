import { describe, expect, it } from "vitest";
import type { AcceptReply, ExecutionReport } from "../../../src/contract/account.ts";
import type { ExecutionRow } from "../../../src/contract/execution.ts";
import { creditsOf, draftOf, mailbox, openAccount, rowsOf } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const acceptedIds = (replies: AcceptReply[]) =>
  replies.flatMap((reply) => (reply.kind === "accepted" ? [reply.body.executionId] : []));

/** A draft of an execution that hangs in its first step until the test is over. */
async function hangingDraft(changes: Parameters<typeof draftOf>[0] = {}) {
  const gate = mailbox();
  await gate.answer("hold");
  return draftOf({ prompt: promptOf({ gate: gate.name }), ...changes });
}

it("accepting lets exactly three of thirty at once through on a balance for three", async () => {
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

describe("an idempotency key", () => {
  const key = { key: "order-7", bodyHash: "hash of the body" };

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
