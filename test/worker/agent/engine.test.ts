import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { Engine } from "../../../src/agent/engine.ts";
import { queueMessage } from "../../../src/agent/machine/inbox.ts";
import { sleep } from "../../../src/lib/async.ts";
import {
  env,
  execute,
  mailbox,
  messageOf,
  type TestExecution,
} from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const objectOf = ({ executionId }: TestExecution) => env.SESSION.getByName(executionId);

/** The queue of the callbacks, where sending is this. */
function queueWhose(send: () => Promise<never>): typeof env.CALLBACKS {
  return new Proxy(env.CALLBACKS, {
    get: (target, name) => (name === "send" ? send : Reflect.get(target, name)),
  });
}

it("takes its steps while the queue of the callbacks hangs", async () => {
  const receiver = mailbox();
  const asks = { calls: [{ tool: "ask_user", input: { question: "Which?" } }] };
  const execution = await execute({
    prompt: promptOf(asks, asks, { finish: { summary: "Done." } }),
    callback: { url: receiver.url, sealedSecret: null, events: ["waiting_for_input"] },
  });
  const { version } = await execution.until(({ status }) => status === "waiting_for_input");
  await execution.session().message(execution.account.accountId, messageOf());
  await execution.until((s) => s.version > version && s.status === "waiting_for_input");
  const object = objectOf(execution);
  const delivered = "SELECT count(*) AS count FROM deliveries WHERE state = 'delivered'";
  await expect
    .poll(() => runInDurableObject(object, (_, { storage }) => storage.sql.exec(delivered).one()))
    .toEqual({ count: 2 });
  const hung = Promise.withResolvers<never>();
  const asked = Promise.withResolvers<void>();
  const queue = queueWhose(() => {
    asked.resolve();
    return hung.promise;
  });
  await runInDurableObject(object, async (_, state) => {
    // Both callbacks are owed once more: one is sent after the commit, the other when the alarm fires.
    const query = "UPDATE deliveries SET state = 'pending', leased = 0, check_at = ?";
    state.storage.sql.exec(query, Date.now());
    const engine = new Engine(state, { ...env, CALLBACKS: queue });
    engine.commit((t) => {
      const message = { messageId: "m1", text: "That", mode: "next_step", approval: null } as const;
      queueMessage(t, message);
    });
    const awake = engine.wake();
    await asked.promise;
    await expect.poll(() => engine.execution?.state.status, { timeout: 4_000 }).toBe("completed");
    hung.reject(new Error("the queue is away"));
    await awake;
  });
});

it("will send a redelivery again whose process dies while the queue is asked", async () => {
  const execution = await execute();
  await execution.ended();
  const object = objectOf(execution);
  await expect
    .poll(() => runInDurableObject(object, (_, { storage }) => storage.kv.get("wakeups")))
    .toEqual({ retention: expect.any(Number) });
  await runInDurableObject(object, async (_, state) => {
    const hung = queueWhose(() => new Promise(() => {}));
    const engine = new Engine(state, { ...env, CALLBACKS: hung });
    await engine.recover();
    const own = engine.execution;
    if (own === null) throw new Error("there is no execution");
    void engine.withCallbacks((announcer) =>
      announcer.redeliver(own.seed, own.state, mailbox().url),
    );
    const alarm = (await state.storage.getAlarm()) ?? Infinity;
    expect(alarm - Date.now()).toBeLessThanOrEqual(2_000);
  });
  await abortAllDurableObjects();
});

it("rests once it is removed, also when a report fails that was under way", async () => {
  const execution = await execute();
  await execution.ended();
  const object = objectOf(execution);
  await expect
    .poll(() => runInDurableObject(object, (_, { storage }) => storage.kv.get("wakeups")))
    .toEqual({ retention: expect.any(Number) });
  await runInDurableObject(object, async (_, state) => {
    const report = Promise.withResolvers<never>();
    const account = { getByName: () => ({ report: () => report.promise }) };
    const ACCOUNT: typeof env.ACCOUNT = new Proxy(env.ACCOUNT, {
      get: (target, name) => Reflect.get({ ...target, ...account }, name),
    });
    state.storage.kv.put("wakeups", { report: 1, retention: 1 });
    await new Engine(state, { ...env, ACCOUNT }).wake();
    report.reject(new Error("the account is away"));
    await report.promise.catch(() => {});
    await sleep(0);
    expect([...state.storage.kv.list()]).toEqual([]);
    expect(await state.storage.getAlarm()).toBeNull();
  });
});

it("forgets the wake-ups that an earlier process left with nothing to wake for", async () => {
  const object = env.SESSION.getByName(crypto.randomUUID());
  await runInDurableObject(object, async (_, state) => {
    state.storage.kv.put("wakeups", { report: 1 });
    await new Engine(state, env).wake();
    expect([...state.storage.kv.list()]).toEqual([]);
    expect(await state.storage.getAlarm()).toBeNull();
  });
});

it("is woken again after a pause when a wake-up fails", async () => {
  const execution = await execute({
    prompt: promptOf({ calls: [{ tool: "ask_user", input: { question: "Which?" } }] }),
  });
  await execution.until(({ status }) => status === "waiting_for_input");
  await runInDurableObject(objectOf(execution), async (_, state) => {
    const { kv, sql } = state.storage;
    kv.put("seed", { ...kv.get<object>("seed"), inputTimeoutSeconds: 0 });
    kv.put("wakeups", { deadline: 1 });
    sql.exec("DROP TABLE events");
    await new Engine(state, env).wake();
    const pause = ((await state.storage.getAlarm()) ?? Infinity) - Date.now();
    expect(pause).toBeGreaterThan(1_000);
    expect(pause).toBeLessThanOrEqual(10_000);
    await state.storage.deleteAlarm();
  });
});
