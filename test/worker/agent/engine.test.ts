import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { Engine } from "../../../src/agent/engine.ts";
import { receive } from "../../../src/agent/machine/inbox.ts";
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
      receive(t, message);
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
      announcer.redeliver(own.seed, own.state, "https://a.example/"),
    );
    const alarm = (await state.storage.getAlarm()) ?? Infinity;
    expect(alarm - Date.now()).toBeLessThanOrEqual(2_000);
  });
  await abortAllDurableObjects();
});
