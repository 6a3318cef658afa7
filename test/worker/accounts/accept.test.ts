import { describe, expect, it } from "vitest";
import type { AcceptReply } from "../../../src/contract/account.ts";
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

it("accepts exactly three of thirty concurrent executions on a balance for three", async () => {
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

  it("is not consumed by a refused request", async () => {
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
