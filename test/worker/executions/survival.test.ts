import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import {
  changeHead,
  dueAtRest,
  endedByItself,
  env,
  execute,
  hostOf,
  mailbox,
  messageOf,
  openAccount,
  storedText,
  type TestExecution,
} from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

async function resultOf({ session, account }: TestExecution) {
  const reply = await session().result(account.accountId);
  if (reply.kind !== "ready") throw new Error("there is no result");
  return reply.result;
}

/** What the log says in words. */
async function notesOf({ session, account }: TestExecution) {
  const reply = await session().events(account.accountId, { after: 0, limit: 1_000 });
  if (reply.kind !== "found") throw new Error("there is no log");
  return reply.events.filter(({ type }) => type === "log").map(({ data }) => data.message);
}

/** Taken up as an interruption, which costs no try; not as a fault that is tried again. */
const WENT_ON = ["Resumed after an interruption of the service."];

describe("when all objects are lost at once", () => {
  it("repeats a read in flight", async () => {
    const site = mailbox();
    await site.answer("hold");
    const execution = await execute({
      prompt: promptOf({ calls: [{ tool: "http_request", input: { url: site.url } }] }, {}),
    });
    await site.letters(1);
    await site.answer("hold");
    await abortAllDurableObjects();
    await site.letters(2);
    await site.answer(200);
    expect(await endedByItself(execution)).toMatchObject({
      status: "completed",
      creditsConsumed: 3,
    });
    expect(await notesOf(execution)).toEqual(WENT_ON);
  });

  it("never repeats an effect in flight, and informs the model and the client", async () => {
    const site = mailbox();
    const gate = mailbox();
    await site.answer("hold");
    const call = { tool: "http_request", input: { url: site.url, method: "POST" } };
    const execution = await execute({
      prompt: promptOf({ calls: [call] }, { gate: gate.name, finish: { summary: "Checked." } }),
    });
    await site.letters(1);
    await abortAllDurableObjects();
    expect(await endedByItself(execution)).toMatchObject({ status: "completed" });
    expect(await site.letters()).toHaveLength(1);
    expect((await resultOf(execution)).effects).toMatchObject([
      { state: "uncertain", tool: "http_request" },
    ]);
    expect((await gate.letters(1))[0]?.body).toContain("uncertain");
    expect(await notesOf(execution)).toEqual(WENT_ON);
  });

  it("still waits for its answer", async () => {
    const execution = await execute({
      prompt: promptOf({ calls: [{ tool: "ask_user", input: { question: "Which?" } }] }, {}),
    });
    const asked = await execution.until(({ status }) => status === "waiting_for_input");
    await abortAllDurableObjects();
    expect(await execution.status()).toEqual(asked);
    await execution.session().message(execution.account.accountId, messageOf());
    expect(await endedByItself(execution)).toMatchObject({ status: "completed" });
  });
});

describe("an idle execution", () => {
  it("does not keep its object awake", async () => {
    const waiting = await execute({
      prompt: promptOf({ calls: [{ tool: "ask_user", input: { question: "Which?" } }] }),
    });
    await waiting.until(({ status }) => status === "waiting_for_input");
    const over = await execute();
    await over.ended();
    for (const { account, executionId } of [waiting, over]) {
      // Waits until nothing is under way in the object: a forgotten timer would hold it for minutes.
      await evictDurableObject(hostOf(account.accountId, executionId));
    }
    expect(await over.status()).toMatchObject({ status: "completed" });
  });
});

describe("an ended execution", () => {
  it("drops the wake-up by which older code shortened it, and keeps all", async () => {
    const execution = await execute();
    await execution.ended();
    await expect.poll(() => dueAtRest(execution)).toEqual({ retention: expect.any(Number) });
    const stored = await storedText(execution);
    await changeHead(execution, (head) => ({ ...head, due: { ...head.due, compaction: 1 } }));
    await evictDurableObject(hostOf(execution.account.accountId, execution.executionId));
    await resultOf(execution);
    await expect.poll(() => dueAtRest(execution)).toEqual({ retention: expect.any(Number) });
    expect(await storedText(execution)).toBe(stored);
  });
});

describe("when its retention is over", () => {
  it("deletes all of an execution, in its object and in the list", async () => {
    const account = await openAccount();
    const data = btoa("x".repeat(2_000_000));
    const file = { name: "a.txt", mediaType: "text/plain", sizeBytes: 2_000_000, data };
    const execution = await execute({ files: [file] }, account);
    await execution.ended();
    const object = hostOf(execution.account.accountId, execution.executionId);
    await expect.poll(() => dueAtRest(execution)).toEqual({ retention: expect.any(Number) });
    const rows = async () => {
      const query = "SELECT status FROM executions WHERE execution_id = ?";
      return (await env.DB.prepare(query).bind(execution.executionId).all()).results;
    };
    await expect.poll(rows).toEqual([{ status: "completed" }]);
    await changeHead(execution, (head) => ({ ...head, due: { retention: Date.now() } }));
    await evictDurableObject(object);
    await expect
      .poll(() => execution.session().status(account.accountId))
      .toEqual({
        kind: "unknown",
      });
    await runInDurableObject(object, async (_, { storage }) => {
      expect((await storage.list()).size).toBe(0);
      expect(storage.sql.exec("SELECT name FROM sqlite_master").toArray()).toEqual([]);
      expect(await storage.getAlarm()).toBeNull();
    });
    expect(await rows()).toEqual([]);
  });
});
