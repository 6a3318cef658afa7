import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { sessionHostStub } from "../../../src/durable/stubs.ts";
import { seedOf } from "../../support/execution.ts";
import { env, executionOf, hostOf, openAccount } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

describe("a session", () => {
  it("starts once: a second start changes nothing", async () => {
    const account = await openAccount();
    const seed = seedOf({
      executionId: crypto.randomUUID(),
      accountId: account.accountId,
      createdAt: Date.now(),
      model: "openai/scripted",
      prompt: promptOf({ finish: { summary: "first" } }),
    });
    const host = sessionHostStub(env, account.accountId, seed.executionId);
    await Promise.all([host.start(seed), host.start(seed)]);
    const state = await executionOf(account, seed.executionId).ended();
    await host.start({ ...seed, prompt: promptOf({ finish: { summary: "second" } }) });
    expect(await executionOf(account, seed.executionId).status()).toEqual(state);
    const events = await host.events(seed.executionId, { after: 0, limit: 1_000 });
    if (events.kind !== "found") throw new Error("the log is not there");
    const queued = events.events.filter(({ data }) => data.statusDetail === "queued");
    expect(queued).toHaveLength(1);
  });

  it("that was never started reports that it is unknown, and stores nothing", async () => {
    const executionId = crypto.randomUUID();
    const host = sessionHostStub(env, "acc_1", executionId);
    expect(await host.status(executionId)).toEqual({ kind: "unknown" });
    expect(await host.beginDelivery(executionId, "del_1", 1)).toBeNull();
    await runInDurableObject(hostOf("acc_1", executionId), async (_, { storage }) => {
      expect((await storage.list()).size).toBe(0);
      expect(storage.sql.exec("SELECT name FROM sqlite_master").toArray()).toEqual([]);
      expect(await storage.getAlarm()).toBeNull();
    });
  });
});
