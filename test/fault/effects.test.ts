import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { ExecutionResult } from "../../src/contract/execution.ts";
import { toBase64 } from "../../src/lib/encoding.ts";
import { createAccount } from "../support/client.ts";
import { type BoxState, startMcpServers } from "../support/mcp/server.ts";
import { byStep, call, callsTools, finishes, hangs } from "../support/model-server/behaviour.ts";
import { type ChatRequest, promptOf } from "../support/model-server/chat-request.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { pdfOf } from "../support/pdf.ts";
import { startTestService } from "../support/service.ts";
import { startMuteResolver, startShop } from "../support/shop.ts";
import { startSmtpSink } from "../support/smtp/sink.ts";
import { untilEnd } from "../support/until-end.ts";
import { Webhooks } from "../support/webhooks.ts";

/** The steps at which the model hangs once, by the order that the conversation is about. */
const hangsAt = new Map<string, number>();

const LETTER = { to: ["ann@example.com"], subject: "The only letter", text: "Dear Ann" };

const shop = await untilEnd(startShop());
const servers = await untilEnd(startMcpServers());
const resolver = await untilEnd(startMuteResolver());
const mail = await untilEnd(startSmtpSink({ fault: { at: "END", what: "hang" } }));
const model = await untilEnd(startModelServer());
model.script("buyer", buyer);
model.script("reader", () => finishes("Read."));
const notes = callsTools(call("mcp__crm__add_note", { text: "Called." }));
model.script("notes", byStep(notes, finishes("Noted.")));
model.script("writer", byStep(callsTools(call("send_email", LETTER)), finishes("Written.")));
const service = await untilEnd(
  startTestService({
    OPENAI_BASE_URL: model.baseUrl,
    DNS_OVER_HTTPS_URL: resolver.url,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    EMAIL_FROM: "agents@example.com",
    EMAIL_ALLOWED_RECIPIENTS: "@example.com",
  }),
);
const client = await createAccount(service);

describe("a kill during executions", () => {
  const ids = { asked: "", begun: "", received: "", finished: "", letter: "", noted: "", read: "" };
  const box = randomUUID();
  const hold = (on: boolean) => fetch(`${servers.origin}/hold/${box}?on=${on}`, { method: "PUT" });
  /** What the MCP server has seen, once it was called. */
  const seen = async (): Promise<BoxState> =>
    JSON.parse(await (await fetch(`${servers.origin}/seen/${box}?calls=1`)).text());

  /** Brings each execution to its point, where it stays, and kills the service once for all. */
  beforeAll(async () => {
    const crm = { name: "crm", url: `${servers.origin}/mcp/current-json/${box}` };
    await new Webhooks(service, client.apiKey).call("POST", "/mcp-servers", crm);
    await hold(true);
    ids.noted = await client.trigger({ prompt: "Note it.", model: "openai/notes" });
    await seen();

    hangsAt.set("asked", 0);
    const asked = model.nextRequest();
    ids.asked = await order("asked");
    await asked;

    const question = resolver.nextQuestion();
    ids.begun = await order("begun", { origin: "http://shop.example" });
    await question;

    shop.hold(true);
    const received = shop.nextOrder();
    ids.received = await order("received");
    await received;
    shop.hold(false);

    hangsAt.set("finished", 1);
    ids.finished = await order("finished");
    await untilFinished(ids.finished);

    ids.letter = await client.trigger({ prompt: "Write to Ann", model: "openai/writer" });
    await vi.waitUntil(() => mail.written().includes("\r\n.\r\n"), { timeout: 30_000 });

    ids.read = await client.trigger({
      prompt: "Read the files.",
      model: "openai/reader",
      files: [
        fileOf("prices.csv", "text/csv", "name,price\nTea,3\nMug,4\n"),
        fileOf("invoice.pdf", "application/pdf", pdfOf("Pay 12 EUR.", "Until May.")),
        fileOf("large.txt", "text/plain", `Total 7. ${"x".repeat(3_000_000)}`),
      ],
    });
    await service.kill9();
    // The kill may come before the model is asked again; then it answers after the restart.
    hangsAt.clear();
    await hold(false);
    await service.restart();
  });

  test("performs an effect once that had not begun: the model call was in flight", async () => {
    const { effects } = await afterKill(ids.asked);
    expect(effects).toMatchObject([{ state: "confirmed" }]);
    expect(ordersOf("asked")).toEqual([orderOf("asked", ids.asked)]);
  });

  test("marks an effect uncertain that had begun, even before anything was sent", async () => {
    const { effects } = await afterKill(ids.begun);
    expect(effects).toMatchObject([
      { state: "uncertain", target: "POST http://shop.example/orders/begun" },
    ]);
    expect(ordersOf("begun")).toEqual([]);
    expect(lastTold("begun")).toContain("uncertain");
  });

  test("marks an effect uncertain that its target received, and does not repeat it", async () => {
    const { effects } = await afterKill(ids.received);
    expect(effects).toMatchObject([{ state: "uncertain" }]);
    expect(ordersOf("received")).toEqual([orderOf("received", ids.received)]);
    expect(lastTold("received")).toContain("uncertain");
  });

  test("keeps an effect confirmed that the log has as finished, and does not repeat it", async () => {
    const { effects } = await afterKill(ids.finished);
    expect(effects).toMatchObject([{ state: "confirmed" }]);
    expect(ordersOf("finished")).toEqual([orderOf("finished", ids.finished)]);
    expect(lastTold("finished")).toContain('"status":201');
  });

  test("marks an e-mail uncertain that its server received completely, and sends no second", async () => {
    const { effects } = await afterKill(ids.letter);
    expect(effects).toMatchObject([{ tool: "send_email", state: "uncertain" }]);
    expect(mail.written().split(LETTER.subject)).toHaveLength(2);
    expect(lastTold("Write to Ann")).toContain("uncertain");
  });

  test("marks a running remote tool uncertain, and does not call it again", async () => {
    const { effects } = await afterKill(ids.noted);
    expect(effects).toMatchObject([
      { tool: "mcp__crm__add_note", target: "add_note on crm", state: "uncertain" },
    ]);
    expect((await seen()).calls).toMatchObject([{ tool: "add_note" }]);
  });

  test("passes the files of an accepted execution to its model", async () => {
    await afterKill(ids.read);
    const request = model.requests.findLast(({ body }) => body.model === "reader");
    const prompt = JSON.stringify(request?.body.messages);
    for (const part of ["Mug,4", "Pay 12 EUR.", "Until May.", "Total 7."]) {
      expect(prompt).toContain(part);
    }
  });
});

test("a kill right after an approval, and after the answer to an effect, repeats neither effect", async () => {
  const approved = await order("approved", { approvals: ["http_request"] });
  await client.waiting(approved);
  expect(ordersOf("approved")).toEqual([]);
  const came = shop.nextAnswered();
  const answered = await order("answered");
  await came;
  const approval = { callId: CALL_ID, decision: "approve" };
  const response = await client.request("POST", `/trigger/${approved}/message`, { approval });
  expect(response.status).toBe(202);
  await service.kill9();
  await service.restart();

  const [first, ...others] = (await afterKill(approved)).effects;
  expect(others).toEqual([]);
  expect(["confirmed", "uncertain"]).toContain(first?.state);
  const { length } = ordersOf("approved");
  expect(length).toBeLessThanOrEqual(1);
  if (first?.state === "confirmed") expect(length).toBe(1);
  const { effects } = await afterKill(answered);
  expect(effects).toHaveLength(1);
  expect(["confirmed", "uncertain"]).toContain(effects[0]?.state);
  expect(ordersOf("answered")).toEqual([orderOf("answered", answered)]);
  expect(service.errors()).toEqual([]);
});

const CALL_ID = "call_order";

/** The idempotency key is the same, whichever process sends it. */
const orderOf = (name: string, id: string) => ({
  target: `POST ${shop.origin}/orders/${name}`,
  idempotencyKey: `${id}:${CALL_ID}`,
});

const ordersOf = (name: string) =>
  shop.orders.filter(({ target }) => target.endsWith(`/orders/${name}`));

/** Asks for the order that its prompt names, then ends. */
function buyer(request: ChatRequest) {
  const { messages } = request;
  const step = messages.filter(({ role }) => role === "assistant").length;
  const url = promptOf(request);
  const name = url.split("/").at(-1) ?? "";
  if (step === hangsAt.get(name)) {
    hangsAt.delete(name);
    return hangs();
  }
  const input = { method: "POST", url, body: { item: "tea" } };
  return step === 0 ? callsTools(call("http_request", input, CALL_ID)) : finishes("Ordered.");
}

function order(
  name: string,
  { origin = shop.origin, ...changes }: { origin?: string; approvals?: "http_request"[] } = {},
) {
  return client.trigger({ prompt: `${origin}/orders/${name}`, model: "openai/buyer", ...changes });
}

function fileOf(name: string, mediaType: string, content: string | Uint8Array) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { name, mediaType, data: toBase64(bytes) };
}

/** Returns the result that the execution comes to after the kill. */
async function afterKill(id: string): Promise<ExecutionResult> {
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

/** What the model was told last of the call, in the conversation whose prompt ends so. */
function lastTold(prompt: string): string {
  const { body } = model.requests.findLast(({ body }) => promptOf(body).endsWith(prompt)) ?? {};
  const told = body?.messages.find(({ role }) => role === "tool");
  if (told === undefined) throw new Error("the model was told nothing");
  return String(told.content);
}
