import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ExecutionResult } from "../../src/contract/execution.ts";
import { type Client, createAccount } from "../support/client.ts";
import { byStep, call, callsTools, finishes, hangs } from "../support/model-server/behaviour.ts";
import { type ChatRequest, promptOf } from "../support/model-server/chat-request.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type SmtpSink, startSmtpSink } from "../support/smtp/sink.ts";
import { type Counter, startCounter, startMuteResolver } from "./support/shop.ts";

let service: TestService;
let counter: Counter;
let resolver: Awaited<ReturnType<typeof startMuteResolver>>;
let mail: SmtpSink;
let model: ModelServer;
let client: Client;
/** The step of a conversation at which the model hangs, once. */
let hangsAt: number | null = null;

beforeAll(async () => {
  counter = await startCounter();
  resolver = await startMuteResolver();
  mail = await startSmtpSink({ fault: { at: "END", what: "hang" } });
  model = await startModelServer();
  model.script("buyer", buyer);
  model.script("writer", byStep(callsTools(call("send_email", LETTER)), finishes("Written.")));
  service = await startTestService({
    OPENAI_BASE_URL: model.baseUrl,
    DNS_OVER_HTTPS_URL: resolver.url,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    EMAIL_FROM: "agents@example.com",
    EMAIL_ALLOWED_RECIPIENTS: "@example.com",
  });
  client = await createAccount(service);
});

afterEach(() => {
  counter.hold(false);
  counter.orders.length = 0;
  hangsAt = null;
});

afterAll(async () => {
  const parts = [service, model, counter, resolver, mail];
  await Promise.all(parts.map((part) => part.close()));
});

test("does an effect once that was not begun: the model was being asked", async () => {
  hangsAt = 0;
  const asked = model.nextRequest();
  const id = await order();
  await asked;
  const { effects } = await afterKill(id);
  expect(effects).toMatchObject([{ state: "confirmed" }]);
  expect(counter.orders).toEqual([orderOf(id)]);
});

test("calls an effect uncertain that was begun, though nothing was sent yet", async () => {
  const question = resolver.nextQuestion();
  const id = await order("http://counter.example");
  await question;
  const { effects } = await afterKill(id);
  expect(effects).toMatchObject([
    { state: "uncertain", target: "POST http://counter.example/orders" },
  ]);
  expect(counter.orders).toEqual([]);
  expect(lastTold()).toContain("uncertain");
});

test("calls an effect uncertain that its target has received, and does not repeat it", async () => {
  counter.hold(true);
  const received = counter.nextOrder();
  const id = await order();
  await received;
  counter.hold(false);
  const { effects } = await afterKill(id);
  expect(effects).toMatchObject([{ state: "uncertain" }]);
  expect(counter.orders).toEqual([orderOf(id)]);
  expect(lastTold()).toContain("uncertain");
});

test("does not repeat an effect that its target has answered, whether it heard that or not", async () => {
  const answered = counter.nextAnswered();
  const id = await order();
  await answered;
  const { effects } = await afterKill(id);
  expect(["confirmed", "uncertain"]).toContain(effects[0]?.state);
  expect(effects).toHaveLength(1);
  expect(counter.orders).toEqual([orderOf(id)]);
});

test("keeps an effect confirmed that the log calls finished, and does not repeat it", async () => {
  hangsAt = 1;
  const id = await order();
  await untilFinished(id);
  // The kill may come before the model is asked again; then it answers after the restart.
  hangsAt = null;
  const { effects } = await afterKill(id);
  expect(effects).toMatchObject([{ state: "confirmed" }]);
  expect(counter.orders).toEqual([orderOf(id)]);
  expect(lastTold()).toContain('"status":201');
});

test("does an approved effect at most once when it is killed right after the approval", async () => {
  const id = await order(counter.origin, { approvals: ["http_request"] });
  let state = await client.status(id);
  while (state.status !== "waiting_for_input") {
    state = await client.status(id, `?sinceVersion=${state.version}&waitSeconds=10`);
  }
  expect(counter.orders).toEqual([]);
  const approval = { callId: CALL_ID, decision: "approve" };
  const response = await client.request("POST", `/trigger/${id}/message`, { approval });
  expect(response.status).toBe(202);
  const { effects } = await afterKill(id);
  expect(effects).toHaveLength(1);
  expect(["confirmed", "uncertain"]).toContain(effects[0]?.state);
  const { length } = counter.orders;
  expect(length).toBeLessThanOrEqual(1);
  if (effects[0]?.state === "confirmed") expect(length).toBe(1);
});

test("calls an e-mail uncertain that its server heard to the end, and writes no second", async () => {
  const id = await client.trigger({ prompt: "Write to Ann", model: "openai/writer" });
  await expect.poll(() => mail.written(), { timeout: 20_000 }).toContain("\r\n.\r\n");
  const { effects } = await afterKill(id);
  expect(effects).toMatchObject([{ tool: "send_email", state: "uncertain" }]);
  expect(mail.written().split(LETTER.subject)).toHaveLength(2);
  expect(lastTold()).toContain("uncertain");
});

const LETTER = { to: ["ann@example.com"], subject: "The only letter", text: "Dear Ann" };

const CALL_ID = "call_order";

/** The idempotency key is the same, whichever process sends it. */
const orderOf = (id: string) => ({ path: "/orders", idempotencyKey: `${id}:${CALL_ID}` });

/** Asks for the order that its prompt names, then ends. */
function buyer(request: ChatRequest) {
  const { messages } = request;
  const step = messages.filter(({ role }) => role === "assistant").length;
  if (step === hangsAt) {
    hangsAt = null;
    return hangs();
  }
  const url = promptOf(request);
  const input = { method: "POST", url, body: { item: "tea" } };
  return step === 0 ? callsTools(call("http_request", input, CALL_ID)) : finishes("Ordered.");
}

function order(origin = counter.origin, changes: { approvals?: "http_request"[] } = {}) {
  model.requests.length = 0;
  return client.trigger({ prompt: `${origin}/orders`, model: "openai/buyer", ...changes });
}

/** Kills the service and starts it again; answers the result that the execution then comes to. */
async function afterKill(id: string): Promise<ExecutionResult> {
  await service.kill9();
  await service.restart();
  expect(await client.ended(id)).toMatchObject({ status: "completed" });
  return client.result(id);
}

async function untilFinished(id: string): Promise<void> {
  for (;;) {
    const events = await client.events(id);
    if (events.some(({ type }) => type === "tool.finished")) return;
    const { version } = await client.status(id);
    await client.status(id, `?sinceVersion=${version}&waitSeconds=1`);
  }
}

/** What the model was told last of the call. */
function lastTold(): string {
  const told = model.requests.at(-1)?.body.messages.find(({ role }) => role === "tool");
  if (told === undefined) throw new Error("the model was told nothing");
  return String(told.content);
}
