import { EventSourceParserStream } from "eventsource-parser/stream";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type ExecutionEvent, executionEvent } from "../../../src/contract/events.ts";
import { executionStep } from "../../../src/contract/task.ts";
import {
  AGENT,
  expectProblem,
  newAccount,
  send,
  trigger,
  untilEvent,
  untilStatus,
} from "../../support/worker/client.ts";

let apiKey: string;
beforeAll(async () => {
  ({ apiKey } = await newAccount());
});

const open = (id: string, query = "", headers: Record<string, string> = {}) =>
  send(`${AGENT}/trigger/${id}/events${query}`, { token: apiKey, headers });

interface Frame {
  id: string | undefined;
  event: string | undefined;
  entry: ExecutionEvent;
}

/** All frames until the stream ends by itself. */
async function frames(response: Response): Promise<Frame[]> {
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
  if (response.body === null) throw new Error("there is no stream");
  const found: Frame[] = [];
  const messages = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { id, event, data } of messages) {
    found.push({ id, event, entry: executionEvent.parse(JSON.parse(data)) });
  }
  return found;
}

async function finished(): Promise<string> {
  const id = await trigger(apiKey, { model: "openai/finishes" });
  await untilStatus(apiKey, id, "completed");
  return id;
}

const page = z.strictObject({ events: z.array(executionEvent), nextAfter: z.int() });

describe("the stream of events", () => {
  it("follows an execution from its first entry to its last, and then ends", async () => {
    const id = await trigger(apiKey, { model: "openai/finishes" });
    const all = await frames(await open(id));
    expect(all.map(({ entry }) => entry.seq)).toEqual(all.map((_, at) => at + 1));
    for (const { id: frameId, event, entry } of all) {
      expect(frameId).toBe(String(entry.seq));
      expect(event).toBe(entry.type);
    }
    expect(all.some(({ entry }) => entry.data.status === "completed")).toBe(true);
  });

  it("brings what happens while it is open", async () => {
    const id = await trigger(apiKey);
    await untilEvent(apiKey, id, "step.started");
    const open_ = frames(await open(id, "?after=3"));
    await send(`${AGENT}/trigger/${id}/stop`, { method: "POST", token: apiKey });
    const all = await open_;
    expect(all[0]?.entry.seq).toBe(4);
    expect(all.some(({ entry }) => entry.data.status === "stopped")).toBe(true);
  });

  it("goes on after Last-Event-ID, which wins over the address", async () => {
    const id = await finished();
    const all = await frames(await open(id));
    const rest = await frames(await open(id, "?after=0", { "Last-Event-ID": "2" }));
    expect(rest).toEqual(all.slice(2));
  });

  it("tells an EventSource that has all to stop asking", async () => {
    const id = await finished();
    const last = (await frames(await open(id))).at(-1)?.id ?? "";
    expect((await open(id, "", { "Last-Event-ID": last })).status).toBe(204);
  });

  it("counts once against the limit", async () => {
    const { apiKey: key } = await newAccount({ requestsPerMinute: 3 });
    const id = await trigger(key, { model: "openai/finishes" });
    const stream = await send(`${AGENT}/trigger/${id}/events`, { token: key });
    await frames(stream);
    const after = await send(`${AGENT}/credits`, { token: key });
    expect(after.headers.get("RateLimit")).toMatch(/r=0;/);
  });

  it("can be left at any time", async () => {
    const response = await open(await trigger(apiKey));
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
    expect((await send(`${AGENT}/credits`, { token: apiKey })).status).toBe(200);
  });

  it("refuses a Last-Event-ID that is no number", async () => {
    const response = await open(await finished(), "", { "Last-Event-ID": "x" });
    await expectProblem(response, 400, "invalid_request");
  });
});

describe("a step", () => {
  it("shows what the model was sent and what it replied, as long as the execution is kept", async () => {
    const id = await finished();
    const response = await send(`${AGENT}/trigger/${id}/steps/1`, { token: apiKey });
    expect(response.status).toBe(200);
    const step = executionStep.parse(await response.json());
    expect(step).toMatchObject({
      step: 1,
      model: "openai/finishes",
      messages: [{ role: "system" }, { role: "user" }],
      reply: { calls: [{ tool: "finish", input: { summary: "All done." } }] },
      tries: [{ model: "openai/finishes" }],
      usage: { inputTokens: 100, outputTokens: 20 },
      curl: expect.stringContaining("/chat/completions"),
    });
    expect(step.firstTokenMs).toBeGreaterThanOrEqual(0);
    const missing = await send(`${AGENT}/trigger/${id}/steps/2`, { token: apiKey });
    await expectProblem(missing, 404, "not_found");
  });
});

describe("a text that a model is writing", () => {
  it("reaches open streams before it ends, without an id, and is not in the log", async () => {
    const id = await trigger(apiKey, { model: "openai/stalls" });
    const { body } = await open(id);
    if (body === null) throw new Error("there is no stream");
    let text = "";
    const seen: string[] = [];
    const messages = body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { id: frameId, event = "", data } of messages) {
      seen.push(event);
      if (event !== "text") continue;
      expect(frameId).toBeUndefined();
      text += z.strictObject({ text: z.string() }).parse(JSON.parse(data)).text;
      if (!text.startsWith("The first half")) continue;
      const stop = await send(`${AGENT}/trigger/${id}/stop`, { method: "POST", token: apiKey });
      expect(stop.status).toBe(200);
    }
    expect(seen.at(-1)).toBe("status");
    const log = await open(id, "", { Accept: "application/json" });
    const { events } = page.parse(await log.json());
    expect(JSON.stringify(events)).not.toContain("first half");
  });
});

describe("pages of events", () => {
  it.each([
    "application/json",
    "application/json, text/event-stream;q=0.5",
    "text/html, application/json;q=0.9",
  ])("are what Accept: %s gets", async (Accept) => {
    const id = await finished();
    const first = page.parse(await (await open(id, "?limit=2", { Accept })).json());
    expect(first.events.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(first.nextAfter).toBe(2);
    const next = page.parse(await (await open(id, "?after=2", { Accept })).json());
    expect(next.events[0]?.seq).toBe(3);
    const end = page.parse(await (await open(id, `?after=${next.nextAfter}`, { Accept })).json());
    expect(end).toEqual({ events: [], nextAfter: next.nextAfter });
  });

  it.each([
    "*/*",
    "text/event-stream",
    "application/json;q=0.1, text/event-stream",
    "garbage,;q=x",
  ])("are not what Accept: %s gets", async (Accept) => {
    const response = await open(await finished(), "", { Accept });
    expect(response.headers.get("Content-Type")).toContain("text/event-stream");
    await response.body?.cancel();
  });
});
