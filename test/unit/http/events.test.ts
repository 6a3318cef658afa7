import { describe, expect, it } from "vitest";
import type { ExecutionEvent } from "../../../src/contract/events.ts";
import { type EventPage, eventStream } from "../../../src/http/executions/events.ts";

const entry = (seq: number): ExecutionEvent => ({
  seq,
  type: "log",
  at: "2026-11-20T09:30:00.000Z",
  version: 1,
  data: { text: "two\nlines" },
});
const page = (closed: boolean, ...seqs: number[]): EventPage => ({
  events: seqs.map(entry),
  closed,
});
const frame = (seq: number) => `id: ${seq}\nevent: log\ndata: ${JSON.stringify(entry(seq))}\n\n`;

/** Reads what these pages become, and where each read began. */
async function streamed(pages: EventPage[], maxReads = 10) {
  const from: number[] = [];
  const [first = page(true), ...rest] = pages;
  const read = async (after: number) => {
    from.push(after);
    return rest.shift() ?? page(false);
  };
  const text = await new Response(eventStream(first, 4, read, maxReads)).text();
  return { text, from };
}

describe("eventStream", () => {
  it("writes one frame for each entry and ends with the log", async () => {
    const { text, from } = await streamed([page(false, 5, 6), page(true, 7)]);
    expect(text).toBe(frame(5) + frame(6) + frame(7));
    expect(from).toEqual([6]);
  });

  it("writes a comment when there is nothing new, and asks from the same place again", async () => {
    const { text, from } = await streamed([page(false), page(false), page(true, 5)]);
    expect(text).toBe(`: nothing new\n\n: nothing new\n\n${frame(5)}`);
    expect(from).toEqual([4, 4]);
  });

  it("ends after so many reads, for the client to come back", async () => {
    const { from } = await streamed([page(false)], 3);
    expect(from.length).toBe(3);
  });

  it("reads nothing that nobody waits for", async () => {
    let reads = 0;
    const stream = eventStream(
      page(false, 5),
      4,
      async () => {
        reads += 1;
        return page(false);
      },
      10,
    );
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    expect(reads).toBe(0);
  });
});
