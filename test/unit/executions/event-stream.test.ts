import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ExecutionEvent } from "../../../src/contract/events.ts";
import { EventStreams } from "../../../src/executions/event-stream.ts";

const entry = (seq: number): ExecutionEvent => ({
  seq,
  type: "log",
  at: "2026-11-20T09:30:00.000Z",
  version: 1,
  data: { message: "two\nlines" },
});
const frame = (seq: number) => `id: ${seq}\nevent: log\ndata: ${JSON.stringify(entry(seq))}\n\n`;
const said = (text: string) => `event: text\ndata: ${JSON.stringify({ text })}\n\n`;
const NOTHING = ": nothing new\n\n";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The streams of a log of so many events, to which more can be added. */
function logOf(count: number) {
  let last = count;
  let closed = false;
  const reads: number[] = [];
  const streams = new EventStreams({
    last: () => last,
    page(after, limit) {
      reads.push(after);
      const seqs = Array.from({ length: Math.min(limit, last - after) }, (_, at) => after + at + 1);
      return { events: seqs.map(entry), closed: closed && (seqs.at(-1) ?? after) >= last };
    },
  });
  return {
    streams,
    reads,
    add(end = false) {
      last += 1;
      closed = end;
      streams.notify();
    },
  };
}

/** Reads a stream chunk by chunk. */
function readerOf(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? null : new TextDecoder().decode(value);
    },
    cancel: () => reader.cancel(),
  };
}

describe("an event stream", () => {
  it("has one frame for each event from its start, and ends with the log", async () => {
    const log = logOf(6);
    const reader = readerOf(log.streams.open(4));
    expect(await reader.next()).toBe(frame(5) + frame(6));
    const next = reader.next();
    log.add(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(await next).toBe(frame(7));
    expect(await reader.next()).toBeNull();
    expect(log.streams.isQuiet).toBe(true);
  });

  it("begins with a comment, without earlier text, and sends one after 15 idle seconds", async () => {
    const log = logOf(4);
    log.streams.write("Too early.");
    const reader = readerOf(log.streams.open(4));
    expect(await reader.next()).toBe(NOTHING);
    const next = reader.next();
    await vi.advanceTimersByTimeAsync(15_010);
    expect(await next).toBe(NOTHING);
  });

  it("sends the model's text in chunks within 50 ms, without an id", async () => {
    const log = logOf(4);
    const reader = readerOf(log.streams.open(4));
    await reader.next();
    const next = reader.next();
    log.streams.write("The ans");
    log.streams.write("wer");
    await vi.advanceTimersByTimeAsync(50);
    expect(await next).toBe(said("The answer"));
  });

  it("keeps texts and events in order of arrival", async () => {
    const log = logOf(4);
    const reader = readerOf(log.streams.open(4));
    await reader.next();
    log.streams.write("One.");
    log.add();
    log.streams.write("Two.");
    log.add();
    expect(await reader.next()).toBe(said("One.") + frame(5) + said("Two.") + frame(6));
  });

  it("reads only on demand, and is forgotten when its reader leaves", async () => {
    const log = logOf(6);
    const reader = readerOf(log.streams.open(4));
    await reader.next();
    expect(log.reads).toHaveLength(1);
    await reader.cancel();
    expect(log.streams.isQuiet).toBe(true);
    log.streams.write("For nobody.");
  });

  it("ends when nothing is left to read", async () => {
    const log = logOf(4);
    const reader = readerOf(log.streams.open(4));
    await reader.next();
    const next = reader.next();
    log.streams.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(await next).toBeNull();
  });
});
