import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { sessionHostStub } from "../../../src/durable/stubs.ts";
import { SessionHost } from "../../../src/executions/host.ts";
import { sleep } from "../../../src/lib/async.ts";
import { newExecutionId } from "../../../src/lib/execution-id.ts";
import { seedOf } from "../../support/execution.ts";
import {
  changeHead,
  dueAtRest,
  env,
  execute,
  executeTogether,
  executionOf,
  hostOf,
  mailbox,
  messageOf,
  openAccount,
  type TestAccount,
  type TestExecution,
} from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const objectOf = ({ account, executionId }: TestExecution) =>
  hostOf(account.accountId, executionId);
const asks = { calls: [{ tool: "ask_user", input: { question: "Which?" } }] };

/** The seed of an execution that completes in its first step. */
const seedIn = ({ accountId }: TestAccount) =>
  seedOf({
    executionId: crypto.randomUUID(),
    accountId,
    createdAt: Date.now(),
    model: "openai/scripted",
    prompt: promptOf({ finish: { summary: "first" } }),
  });

/** The queue of the callbacks, where sending is this. */
function queueWhose(send: () => Promise<never>): typeof env.CALLBACKS {
  return new Proxy(env.CALLBACKS, {
    get: (target, name) => (name === "send" ? send : Reflect.get(target, name)),
  });
}

it("runs the steps of a session while the callbacks queue hangs", async () => {
  const execution = await execute({
    prompt: promptOf(asks, asks, { finish: { summary: "Done." } }),
    callback: { url: mailbox().url, sealedSecret: null, events: ["waiting_for_input"] },
  });
  await execution.until(({ status }) => status === "waiting_for_input");
  const hung = Promise.withResolvers<never>();
  const asked = Promise.withResolvers<void>();
  const queue = queueWhose(() => {
    asked.resolve();
    return hung.promise;
  });
  await runInDurableObject(objectOf(execution), async (_, state) => {
    const host = new SessionHost(state, { ...env, CALLBACKS: queue });
    const status = async () => {
      const reply = await host.status(execution.executionId);
      return reply.kind === "found" ? reply.state : null;
    };
    await host.message(execution.executionId, messageOf({ text: "This" }));
    await asked.promise;
    await expect.poll(async () => (await status())?.status).toBe("waiting_for_input");
    await host.message(execution.executionId, messageOf({ text: "That" }));
    await expect.poll(async () => (await status())?.status).toBe("completed");
    hung.reject(new Error("the queue is away"));
  });
});

it("fails an execution at its time limit even if its model hangs", async () => {
  const gate = mailbox();
  await gate.answer("hold");
  const execution = await execute({ prompt: promptOf({ gate: gate.name }), timeoutSeconds: 1 });
  expect(await execution.ended()).toMatchObject({
    status: "failed",
    error: { code: "timed_out" },
  });
});

it("resends a redelivery whose process dies while it is queued", async () => {
  const execution = await execute();
  await execution.ended();
  await expect.poll(() => dueAtRest(execution)).toEqual({ retention: expect.any(Number) });
  await runInDurableObject(objectOf(execution), async (_, state) => {
    const hung = queueWhose(() => new Promise(() => {}));
    const host = new SessionHost(state, { ...env, CALLBACKS: hung });
    await sleep(0);
    void host.redeliver(execution.executionId, mailbox().url);
    await sleep(0);
    const alarm = (await state.storage.getAlarm()) ?? Infinity;
    expect(alarm - Date.now()).toBeLessThanOrEqual(10_000);
  });
  await abortAllDurableObjects();
});

it("deletes all of an execution, even if a report in flight fails", async () => {
  const execution = await execute();
  await execution.ended();
  await expect.poll(() => dueAtRest(execution)).toEqual({ retention: expect.any(Number) });
  await changeHead(execution, (head) => ({ ...head, due: { report: 1, retention: 1 } }));
  await runInDurableObject(objectOf(execution), async (_, state) => {
    const report = Promise.withResolvers<never>();
    const account = { getByName: () => ({ report: () => report.promise }) };
    const ACCOUNT: typeof env.ACCOUNT = new Proxy(env.ACCOUNT, {
      get: (target, name) => Reflect.get({ ...target, ...account }, name),
    });
    await new SessionHost(state, { ...env, ACCOUNT }).alarm();
    report.reject(new Error("the account is away"));
    await report.promise.catch(() => {});
    await sleep(0);
    expect([...state.storage.kv.list()]).toEqual([]);
    expect(state.storage.sql.exec("SELECT name FROM sqlite_master").toArray()).toEqual([]);
    expect(await state.storage.getAlarm()).toBeNull();
  });
});

it("does not restore a removed execution if the queue refuses its callback", async () => {
  const account = await openAccount();
  const neighbour = await executeTogether(account);
  const execution = await executeTogether(account);
  for (const each of [neighbour, execution]) await each.ended();
  await expect.poll(() => dueAtRest(execution)).toEqual({ retention: expect.any(Number) });
  await changeHead(execution, (head) => ({ ...head, due: { retention: 1 } }));
  await runInDurableObject(objectOf(execution), async (_, state) => {
    const hung = Promise.withResolvers<never>();
    const host = new SessionHost(state, { ...env, CALLBACKS: queueWhose(() => hung.promise) });
    const stored = () =>
      state.storage.sql
        .exec("SELECT execution_id FROM heads")
        .toArray()
        .map(({ execution_id }) => execution_id);
    await sleep(0);
    void host.redeliver(execution.executionId, mailbox().url);
    await host.alarm();
    expect(stored()).toEqual([neighbour.executionId]);
    hung.reject(new Error("the queue is away"));
    await sleep(10);
    expect(stored()).toEqual([neighbour.executionId]);
  });
  await abortAllDurableObjects();
});

it("retries a failed wake-up of a session after a pause", async () => {
  const execution = await execute({ inputTimeoutSeconds: 60, prompt: promptOf(asks) });
  await execution.until(({ status }) => status === "waiting_for_input");
  await changeHead(execution, ({ state, ...head }) => {
    if (state.question == null) throw new Error("nothing is asked");
    const question = { ...state.question, askedAt: new Date(0).toISOString() };
    return { ...head, state: { ...state, question }, due: { deadline: 1 } };
  });
  await runInDurableObject(objectOf(execution), async (_, state) => {
    state.storage.sql.exec(
      "CREATE TRIGGER fails BEFORE INSERT ON journal BEGIN SELECT raise(ABORT, 'no'); END",
    );
    await new SessionHost(state, env).alarm();
    const pause = ((await state.storage.getAlarm()) ?? Infinity) - Date.now();
    expect(pause).toBeGreaterThan(1_000);
    expect(pause).toBeLessThanOrEqual(10_000);
    await state.storage.deleteAlarm();
  });
});

it("rearms a dropped alarm when its account checks it", async () => {
  const execution = await execute({ prompt: promptOf(asks, {}) });
  await execution.until(({ status }) => status === "waiting_for_input");
  const { executionId, account } = execution;
  const object = objectOf(execution);
  await runInDurableObject(object, (_, { storage }) => storage.deleteAlarm());

  const unknown = newExecutionId();
  const host = sessionHostStub(env, account.accountId, executionId);
  expect(await host.lookAfter([executionId, unknown])).toEqual([unknown]);
  const alarm = await runInDurableObject(object, (_, { storage }) => storage.getAlarm());
  expect(alarm).not.toBeNull();
});

it("starts a seed of an account of older code with defaults", async () => {
  const account = await openAccount();
  const { mcpServers: _, ...seed } = seedIn(account);
  await sessionHostStub(env, account.accountId, seed.executionId).start(seed as never);
  const execution = executionOf(account, seed.executionId);
  expect(await execution.ended()).toMatchObject({ status: "completed" });
});

it("starts a session once: a second start changes nothing", async () => {
  const account = await openAccount();
  const seed = seedIn(account);
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

it("reports a session that was never started as unknown, and stores nothing", async () => {
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
