import { describe, expect, it } from "vitest";
import type { EventType } from "../../../src/contract/events.ts";
import { FINAL_STATUSES, isFinal } from "../../../src/contract/execution.ts";
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

/** From before the first step to after the end of an execution of five steps. */
const MOMENTS = [1, 2, 4, 8, 14, 20];

/** An execution of five steps that has just reached this version, or its end. */
async function atVersion(version: number): Promise<TestExecution> {
  const note = { tool: "emit_output", input: { label: "Note", type: "text", value: "hi" } };
  const step = { calls: [note] };
  const execution = await execute({ prompt: promptOf(step, step, step, step, {}) });
  await execution.until((state) => state.version >= version || isFinal(state.status));
  return execution;
}

describe("a stop", () => {
  it("ends an execution exactly once in any state", async () => {
    await Promise.all(
      MOMENTS.map(async (moment) => {
        const execution = await atVersion(moment);
        await stop(execution);
        const { status, version } = await execution.status();
        const ends = (await logOf(execution, "status")).filter(({ data }) =>
          FINAL_STATUSES.some((final) => final === data.status),
        );
        expect(ends).toMatchObject([{ version, data: { status } }]);
      }),
    );
  });
});

describe("a message", () => {
  it("is read before the execution completes, or refused, and never lost", async () => {
    const kinds = await Promise.all(
      MOMENTS.map(async (moment) => {
        const execution = await atVersion(moment);
        const { kind } = await send(execution);
        expect(await execution.ended()).toMatchObject({ status: "completed" });
        const applied = await logOf(execution, "message.applied");
        expect(applied).toHaveLength(kind === "accepted" ? 1 : 0);
        return kind;
      }),
    );
    expect(new Set(kinds)).toEqual(new Set(["accepted", "not_active"]));
  });

  it("is accepted once, by its key or its id", async () => {
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
    await send(execution, { messageId: "m1" });
    expect(await send(execution, { messageId: "m1" })).toMatchObject({ replayed: true });
    expect(await send(execution, { messageId: "m1", text: "other" })).toEqual({
      kind: "key_reused",
    });
    expect(await logOf(execution, "message.queued")).toHaveLength(2);
  });

  it("repeats its first response even after the end", async () => {
    const { execution } = await hanging();
    const first = await send(execution, { messageId: "m1" });
    await stop(execution);
    expect(await send(execution, { messageId: "m1" })).toEqual({ ...first, replayed: true });
    expect(await send(execution, { messageId: "m2" })).toEqual({
      kind: "not_active",
      status: "stopped",
    });
  });

  it("is refused if the inbox is full, or the client saw another version", async () => {
    const { execution } = await hanging();
    for (let n = 0; n < 20; n += 1) await send(execution);
    expect(await send(execution)).toEqual({ kind: "inbox_full", limit: 20 });
    const { version } = await execution.status();
    const mismatch = { kind: "version_mismatch", version };
    expect(await send(execution, { ifVersion: version + 1 })).toEqual(mismatch);
    expect(await stop(execution, { reason: null, ifVersion: version - 1 })).toEqual(mismatch);
    expect(await stop(execution, { reason: null, ifVersion: version })).toMatchObject({
      kind: "stopped",
    });
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
