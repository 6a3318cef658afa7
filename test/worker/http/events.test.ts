import { EventSourceParserStream } from "eventsource-parser/stream";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type ExecutionEvent, executionEvent } from "../../../src/contract/events.ts";
import {
  AGENT,
  expectProblem,
  newAccount,
  send,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";

const { apiKey, post } = await newAccount();

const open = (id: string, query = "", headers: Record<string, string> = {}) =>
  send(`${AGENT}/trigger/${id}/events${query}`, { token: apiKey, headers });

/** The messages of a stream until it ends by itself. */
function messagesOf({ body }: Response) {
  if (body === null) throw new Error("there is no stream");
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}

/** All frames until the stream ends by itself. */
async function frames(response: Response) {
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
  const found: { id: string | undefined; event: string | undefined; entry: ExecutionEvent }[] = [];
  for await (const { id, event, data } of messagesOf(response)) {
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
const pageOf = async (response: Response) => page.parse(await response.json());

describe("the stream of events", () => {
  it("follows an execution from its first entry to its last, and counts once against the limit", async () => {
    const own = await newAccount({ requestsPerMinute: 3 });
    const id = await trigger(own.apiKey, { model: "openai/finishes" });
    const all = await frames(await own.get(`${AGENT}/trigger/${id}/events`));
    expect(all.map(({ entry }) => entry.seq)).toEqual(all.map((_, at) => at + 1));
    for (const { id: frameId, event, entry } of all) {
      expect(frameId).toBe(String(entry.seq));
      expect(event).toBe(entry.type);
    }
    expect(all.some(({ entry }) => entry.data.status === "completed")).toBe(true);
    const after = await own.get(`${AGENT}/credits`);
    expect(after.headers.get("RateLimit")).toMatch(/r=0;/);
  });

  it("resumes after Last-Event-ID, which overrides the address", async () => {
    const id = await finished();
    const all = await frames(await open(id));
    const rest = await frames(await open(id, "?after=0", { "Last-Event-ID": "2" }));
    expect(rest).toEqual(all.slice(2));
    const last = all.at(-1)?.id ?? "";
    expect((await open(id, "", { "Last-Event-ID": last })).status).toBe(204);
    const wrong = await open(id, "", { "Last-Event-ID": "x" });
    await expectProblem(wrong, 400, "invalid_request");
  });
});

it("streamed text of a model reaches open streams without an id, and is not in the log", async () => {
  const id = await trigger(apiKey, { model: "openai/stalls" });
  let text = "";
  const seen: string[] = [];
  for await (const { id: frameId, event = "", data } of messagesOf(await open(id))) {
    seen.push(event);
    if (event !== "text") continue;
    expect(frameId).toBeUndefined();
    text += z.strictObject({ text: z.string() }).parse(JSON.parse(data)).text;
    if (!text.startsWith("The first half")) continue;
    expect((await post(`${AGENT}/trigger/${id}/stop`)).status).toBe(200);
  }
  expect(seen.at(-1)).toBe("status");
  const { events } = await pageOf(await open(id, "", { Accept: "application/json" }));
  expect(JSON.stringify(events)).not.toContain("first half");
});

it("an Accept of JSON gets pages of events", async () => {
  const id = await finished();
  const read = async (query: string) =>
    pageOf(await open(id, query, { Accept: "application/json" }));
  const first = await read("?limit=2");
  expect(first.events.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(first.nextAfter).toBe(2);
  const next = await read("?after=2");
  expect(next.events[0]?.seq).toBe(3);
  const { nextAfter } = next;
  expect(await read(`?after=${nextAfter}`)).toEqual({ events: [], nextAfter });
  for (const [Accept, type] of [
    ["application/json, text/event-stream;q=0.5", "application/json"],
    ["text/html, application/json;q=0.9", "application/json"],
    ["*/*", "text/event-stream"],
    ["application/json;q=0.1, text/event-stream", "text/event-stream"],
    ["garbage,;q=x", "text/event-stream"],
  ] as const) {
    const response = await open(id, "", { Accept });
    expect(response.headers.get("Content-Type"), Accept).toContain(type);
    await response.body?.cancel();
  }
});
