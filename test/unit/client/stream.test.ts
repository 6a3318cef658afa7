import { expect, it, onTestFinished, vi } from "vitest";
import {
  ConnectionError,
  PrompthookError,
  UnexpectedResponseError,
} from "../../../src/client/error.ts";
import type { StreamOptions } from "../../../src/client/stream.ts";
import type { ExecutionEvent } from "../../../src/contract/events.ts";
import {
  type Act,
  drop,
  hang,
  refuse,
  type ScriptedService,
  serving,
} from "../../support/scripted-service.ts";
import { EXECUTION_ID, eventAt, lastAt } from "../../support/states.ts";

let service: ScriptedService;

/** Sends these pieces of a stream, and then ends it, breaks it off or leaves it open. */
function stream(pieces: string[], then: "end" | "break" | "stay" = "end"): Act {
  return (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const piece of pieces) response.write(piece);
    if (then === "end") response.end();
    if (then === "break") response.write(": x\n\n", () => setImmediate(() => response.destroy()));
  };
}

const frame = (event: ExecutionEvent) =>
  `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const log = (...seqs: number[]) => seqs.map((seq) => frame(eventAt(seq)));
const end = (seq: number) => frame(lastAt(seq));
const over: Act = (response) => void response.writeHead(204).end();

/** The sequence numbers that a stream brings. */
async function followed(streaming: StreamOptions = {}): Promise<number[]> {
  const seqs: number[] = [];
  const { client } = service.client();
  for await (const { seq } of client.executions.stream(EXECUTION_ID, streaming)) seqs.push(seq);
  return seqs;
}

const resumedAt = () => service.asked.map(({ headers }) => headers["last-event-id"]);

it("yields each entry and the streamed text, without entries of a newer service, and ends after the last", async () => {
  const newer = `id: 2\nevent: tool.thought\ndata: {"seq": 2, "type": "tool.thought"}\n\n`;
  const text = (piece: string) => `event: text\ndata: ${JSON.stringify({ text: piece })}\n\n`;
  const sent = [...log(1), newer, text("The ans"), ...log(3), text("wer."), end(4)];
  service = await serving(stream(sent, "stay"));
  const pieces: string[] = [];
  expect(await followed({ onText: (piece) => pieces.push(piece) })).toEqual([1, 3, 4]);
  expect(pieces).toEqual(["The ans", "wer."]);
  expect(resumedAt()).toEqual(["0"]);
  expect(service.asked[0]).toMatchObject({
    path: `/api/v1/agent/trigger/${EXECUTION_ID}/events`,
    headers: { accept: "text/event-stream", authorization: "Bearer ph_live_key" },
  });
});

it("joins entries that arrive in pieces, even within a character", async () => {
  const event = eventAt(1, "log", { message: "naïve ✓" });
  const bytes = Buffer.from(frame(event) + end(2));
  service = await serving((response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const byte of bytes) response.write(Buffer.of(byte));
  });
  const events: ExecutionEvent[] = [];
  const { client } = service.client();
  for await (const one of client.executions.stream(EXECUTION_ID)) events.push(one);
  expect(events).toEqual([event, lastAt(2)]);
});

it("resumes after the last entry if the connection breaks or ends early", async () => {
  service = await serving(
    stream(log(1, 2), "break"),
    drop,
    refuse(503, "unavailable", { "Retry-After": "1" }),
    stream(log(3)),
    stream([": nothing new\n\n"]),
    stream([end(4)]),
  );
  expect(await followed()).toEqual([1, 2, 3, 4]);
  expect(resumedAt()).toEqual(["0", "2", "2", "2", "3", "3"]);
});

it("reconnects if nothing arrives for too long", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  service = await serving(stream(log(1), "stay"), stream([end(2)]));
  const { client } = service.client({ timeoutMs: 300 });
  const seqs: number[] = [];
  for await (const { seq } of client.executions.stream(EXECUTION_ID)) {
    seqs.push(seq);
    // It waits for the second entry by then.
    if (seq === 1) setImmediate(() => vi.advanceTimersByTime(300));
  }
  expect(seqs).toEqual([1, 2]);
});

it("begins after the given entry, and yields nothing if nothing follows", async () => {
  service = await serving(stream([end(8)]), over);
  expect(await followed({ after: 7 })).toEqual([8]);
  expect(await followed({ after: 8 })).toEqual([]);
  expect(resumedAt()).toEqual(["7", "8"]);
});

it.each<[string, Act, new (...args: never) => Error, number]>([
  ["four connections without an entry", stream([]), ConnectionError, 4],
  ["an unknown execution", refuse(404, "not_found"), PrompthookError, 1],
  ["an invalid entry", stream(["data: {}\n\n"]), UnexpectedResponseError, 1],
])("fails for %s", async (_, act, error, requests) => {
  service = await serving(act);
  await expect(followed()).rejects.toThrow(error);
  expect(service.asked).toHaveLength(requests);
});

it("closes the connection when its reader stops", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  service = await serving((response, request) => {
    response.on("close", resolve);
    stream(log(1), "stay")(response, request);
  });
  for await (const _ of service.client().client.executions.stream(EXECUTION_ID)) break;
  await closed;
});

it.each<[string, Act]>([
  ["a first answer", hang],
  ["a further entry", stream(log(1), "stay")],
])("ends with the caller's reason if it is aborted while it waits for %s", async (_, act) => {
  service = await serving(act);
  const reason = new Error("enough");
  const leaving = new AbortController();
  const reading = followed({ signal: leaving.signal });
  await expect.poll(() => service.asked.length).toBe(1);
  leaving.abort(reason);
  await expect(reading).rejects.toBe(reason);
  expect(service.asked).toHaveLength(1);
});
