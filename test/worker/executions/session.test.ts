import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { sessionHostStub } from "../../../src/durable/stubs.ts";
import { seedOf } from "../../support/execution.ts";
import { env, execute, executionOf, hostOf, openAccount } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const NOTE = { tool: "emit_output", input: { label: "Note", type: "text", value: "hi" } };
const allEvents = { after: 0, limit: 1_000 };

describe("an execution", () => {
  it("logs without gaps, each entry with its version, the final status last", async () => {
    const execution = await execute({ prompt: promptOf({ calls: [NOTE] }, {}) });
    const { version } = await execution.ended();
    const { accountId } = execution.account;
    const reply = await execution.session().events(accountId, allEvents);
    if (reply.kind !== "found") throw new Error("the log is not there");
    expect(reply.closed).toBe(true);
    expect(reply.events.map(({ seq }) => seq)).toEqual(reply.events.map((_, index) => index + 1));
    const versions = reply.events.map((event) => event.version);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(reply.events.at(-1)).toMatchObject({
      type: "status",
      version,
      data: { status: "completed" },
    });
    expect(reply.events.map(({ type }) => type)).toContain("output");
    const page = await execution.session().events(accountId, { after: 0, limit: 2 });
    expect(page).toMatchObject({ closed: false, events: [{ seq: 1 }, { seq: 2 }] });
  });
});

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
    const events = await host.events(seed.executionId, allEvents);
    if (events.kind !== "found") throw new Error("the log is not there");
    const queued = events.events.filter(({ data }) => data.statusDetail === "queued");
    expect(queued).toHaveLength(1);
  });

  it("reveals nothing to another account", async () => {
    const execution = await execute();
    await execution.ended();
    const session = execution.session();
    const stranger = (await openAccount()).accountId;
    const replies = [
      await session.status(stranger),
      await session.waitForStatus(stranger, 0, 1),
      await session.result(stranger),
      await session.events(stranger, allEvents),
      await session.follow(stranger, 0),
      await session.file(stranger, "out_1"),
      await session.callbacks(stranger),
      await session.redeliver(stranger, null),
      await session.stop(stranger, { reason: null, ifVersion: null }),
    ];
    for (const reply of replies) expect(reply).toEqual({ kind: "unknown" });
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
