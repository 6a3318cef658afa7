import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createAccount, type TriggerInput } from "../support/client.ts";
import {
  byStep,
  call,
  callsTools,
  fails,
  finishes,
  hangs,
} from "../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type Counter, startCounter } from "./support/shop.ts";

let service: TestService;
let counter: Counter;
let model: ModelServer;
let receiver: Receiver;
let client: Client;
/** Whether the model hangs where its script says so. */
let isSlow = true;

beforeAll(async () => {
  counter = await startCounter();
  receiver = await startReceiver();
  model = await startModelServer();
  const done = finishes("Done.");
  const read = callsTools(call("http_request", { url: `${counter.origin}/page` }));
  const order = (name: string) => {
    const input = { method: "POST", url: `${counter.origin}/${name}`, body: { item: "tea" } };
    return callsTools(call("http_request", input, CALL_ID));
  };
  model.script("done", byStep(done));
  model.script("reader", byStep(read, done));
  model.script("buyer", byStep(order("bought"), done));
  model.script("shopper", byStep(order("approved"), done));
  model.script("asker", byStep(callsTools(call("ask_user", { question: "Which?" })), done));
  model.script("thinker", () => (isSlow ? hangs() : done));
  model.script("busy", () => (isSlow ? fails(503) : done));
  model.script("deadly", () => hangs());
  service = await startTestService({ OPENAI_BASE_URL: model.baseUrl });
  client = await createAccount(service);
});

afterAll(async () => {
  const parts = [service, model, counter, receiver];
  await Promise.all(parts.map((part) => part.close()));
});

const CALL_ID = "call_order";

test("sessions at ten phases all go on after a kill, each callback under one id", async () => {
  const over = await trigger("done");
  await delivered(over);
  receiver.answerWith(() => 503);
  const owing = await trigger("done");
  await receiver.received(({ body }) => body.executionId === owing);
  const retrying = await trigger("busy");
  await client.reached(retrying, ({ statusDetail }) => statusDetail === "retrying");
  const thinking = await trigger("thinker");
  counter.hold(true);
  let came = counter.nextOrder();
  const reading = await trigger("reader");
  await came;
  came = counter.nextOrder();
  const ordering = await trigger("buyer");
  await came;
  const questioned = await trigger("asker", { interactive: true });
  const unapproved = await trigger("shopper", { approvals: ["http_request"] });
  const told = await trigger("shopper", { approvals: ["http_request"] });
  for (const id of [questioned, unapproved, told]) await client.waiting(id);
  await say(told, { message: "And be quick" });
  const queued = await trigger("done");
  await service.kill9();

  isSlow = false;
  counter.hold(false);
  receiver.answerWith(() => 200);
  await service.restart();
  await say(questioned, { message: "This" });
  const approval = { callId: CALL_ID, decision: "approve" };
  for (const id of [unapproved, told]) await say(id, { approval });
  const ids = [over, owing, retrying, thinking, reading, ordering, questioned, unapproved, told];
  for (const id of [...ids, queued]) {
    expect(await client.ended(id)).toMatchObject({ status: "completed" });
    await delivered(id);
  }
  const ordersOf = (path: string) => counter.orders.filter((order) => order.path === path);
  expect(ordersOf("/bought")).toEqual([
    { path: "/bought", idempotencyKey: `${ordering}:${CALL_ID}` },
  ]);
  expect(
    ordersOf("/approved")
      .map(({ idempotencyKey }) => idempotencyKey)
      .sort(),
  ).toEqual([unapproved, told].map((id) => `${id}:${CALL_ID}`).sort());
  expect((await client.result(ordering)).effects).toMatchObject([{ state: "uncertain" }]);
  for (const id of [...ids, queued]) {
    const deliveries = receiver.deliveries.filter(({ body }) => body.executionId === id);
    expect(new Set(deliveries.map(({ webhookId }) => webhookId)).size).toBe(1);
    expect(deliveries.length).toBeLessThanOrEqual(id === owing ? 3 : 1);
  }
});

test("a session whose every step kills the process does not keep its neighbours from finishing", async () => {
  isSlow = true;
  const deadly = await trigger("deadly");
  const thinking: string[] = [];
  const questioned: string[] = [];
  const bought: string[] = [];
  const isDeadly = () => model.requests.filter(({ body }) => body.model === "deadly").length;
  for (let kills = 1; kills <= 2; kills += 1) {
    await expect.poll(isDeadly).toBeGreaterThanOrEqual(kills);
    await service.kill9();
    await service.restart();
    // One whose model call is lost as often cannot be told from the one that is to blame.
    if (kills > 1) thinking.push(await trigger("thinker"));
    questioned.push(await trigger("asker", { interactive: true }));
    bought.push(await trigger("buyer"));
  }
  await client.request("POST", `/trigger/${deadly}/stop`, {});
  expect(await client.ended(deadly)).toMatchObject({ status: "stopped" });
  isSlow = false;
  await service.kill9();
  await service.restart();
  for (const id of questioned) {
    await client.waiting(id);
    await say(id, { message: "This" });
  }
  for (const id of [...thinking, ...questioned, ...bought]) {
    expect(await client.ended(id), id).toMatchObject({ status: "completed" });
  }
  const keys = counter.orders.map(({ idempotencyKey }) => idempotencyKey);
  for (const id of bought) {
    const times = keys.filter((key) => key === `${id}:${CALL_ID}`).length;
    expect(times).toBeLessThanOrEqual(1);
    const [effect] = (await client.result(id)).effects;
    if (effect?.state === "confirmed") expect(times).toBe(1);
  }
});

function trigger(name: string, changes: Partial<TriggerInput> = {}): Promise<string> {
  const input = { prompt: "Go", model: `openai/${name}`, callbackUrl: receiver.url };
  return client.trigger({ ...input, ...changes });
}

async function say(id: string, body: object): Promise<void> {
  const response = await client.request("POST", `/trigger/${id}/message`, body);
  expect(response.status).toBe(202);
}

async function delivered(id: string): Promise<void> {
  await expect
    .poll(() => client.callbacks(id), { timeout: 40_000 })
    .toMatchObject({
      state: "delivered",
    });
}
