import { describe, expect, it } from "vitest";
import type { EventType } from "../../../src/contract/events.ts";
import type { SessionHostApi } from "../../../src/contract/session.ts";
import { execute, mailbox, messageOf, type TestExecution } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

type StopCommand = Parameters<SessionHostApi["stop"]>[1];
const STOP: StopCommand = { reason: null, ifVersion: null };

const stop = (execution: TestExecution, command = STOP) =>
  execution.session().stop(execution.account.accountId, command);

const send = (execution: TestExecution, ...changes: Parameters<typeof messageOf>) =>
  execution.session().message(execution.account.accountId, messageOf(...changes));

async function logOf(execution: TestExecution, type: EventType) {
  const query = { after: 0, limit: 1_000, waitMs: 0 };
  const reply = await execution.session().events(execution.account.accountId, query);
  if (reply.kind !== "found") throw new Error("the log is not there");
  return reply.events.filter((event) => event.type === type);
}

/** An execution whose model hangs in its first step, and then finishes. */
async function hanging() {
  const gate = mailbox();
  await gate.answer("hold");
  const execution = await execute({
    prompt: promptOf({ gate: gate.name, finish: { summary: "All done." } }),
  });
  await gate.letters(1);
  return { gate, execution };
}

describe("a message", () => {
  it("is accepted once, by its key or its id, and repeats its first response after the end", async () => {
    const { execution } = await hanging();
    const idempotency = { key: "k1", bodyHash: "h1" };
    const [first, again] = await Promise.all([
      send(execution, { idempotency }),
      send(execution, { idempotency }),
    ]);
    expect(first).toMatchObject({ kind: "accepted", replayed: false });
    expect(again).toEqual({ ...first, replayed: true });
    const other = { key: "k1", bodyHash: "h2" };
    expect(await send(execution, { idempotency: other })).toEqual({ kind: "key_reused" });
    const byId = await send(execution, { messageId: "m1" });
    expect(await send(execution, { messageId: "m1", text: "other" })).toEqual({
      kind: "key_reused",
    });
    await stop(execution);
    expect(await send(execution, { messageId: "m1" })).toEqual({ ...byId, replayed: true });
    expect(await logOf(execution, "message.queued")).toHaveLength(2);
  });

  it("is refused if the inbox is full", async () => {
    const { execution } = await hanging();
    for (let n = 0; n < 20; n += 1) await send(execution);
    expect(await send(execution)).toEqual({ kind: "inbox_full", limit: 20 });
  });
});

it("fails at its time limit even if the model hangs", async () => {
  const gate = mailbox();
  await gate.answer("hold");
  const execution = await execute({ prompt: promptOf({ gate: gate.name }), timeoutSeconds: 1 });
  expect(await execution.ended()).toMatchObject({
    status: "failed",
    error: { code: "timed_out" },
  });
});
