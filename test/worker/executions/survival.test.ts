import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import {
  changeHead,
  dueAtRest,
  endedByItself,
  execute,
  hostOf,
  messageOf,
  storedText,
} from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const asks = { calls: [{ tool: "ask_user", input: { question: "Which?" } }] };

describe("an idle execution", () => {
  it("still waits for its answer when all objects are lost at once", async () => {
    const execution = await execute({ prompt: promptOf(asks, {}) });
    const asked = await execution.until(({ status }) => status === "waiting_for_input");
    await abortAllDurableObjects();
    expect(await execution.status()).toEqual(asked);
    await execution.session().message(execution.account.accountId, messageOf());
    expect(await endedByItself(execution)).toMatchObject({ status: "completed" });
  });

  it("does not keep its object awake", async () => {
    const waiting = await execute({ prompt: promptOf(asks) });
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
    await execution.status();
    await expect.poll(() => dueAtRest(execution)).toEqual({ retention: expect.any(Number) });
    expect(await storedText(execution)).toBe(stored);
  });
});
