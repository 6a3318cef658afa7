import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod";
import { Dispatcher } from "../../../src/endpoints/dispatch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const readyRow = (seq: number, requestId = `request ${seq}`) => ({
  seq,
  requestId,
  executionId: `execution ${seq}`,
  configVersion: 1,
});

type Options = ConstructorParameters<typeof Dispatcher>[0];

/** A dispatcher of an inbox with this work; `sent` are the ids in each of its messages. */
function dispatcherOf(
  work: Partial<Options["work"]>,
  { sends = async () => {}, wakeAt = () => {}, isBurst = () => false }: Given = {},
) {
  const sent: string[][] = [];
  const dispatcher = new Dispatcher({
    work: {
      hasReady: () => true,
      hasReleased: () => false,
      readyAfter: () => [],
      readyAmong: () => [],
      ...work,
    },
    endpointId: () => "ep_1",
    send: (messages) => {
      sent.push(messages.flatMap(({ requestIds }) => requestIds));
      return sends(sent.length);
    },
    wakeAt,
    now: Date.now,
    isBurst,
  });
  return { dispatcher, sent };
}
interface Given extends Partial<Pick<Options, "wakeAt" | "isBurst">> {
  sends?: (count: number) => Promise<void>;
}

it("work is resent if the queue does not answer in time", async () => {
  const ready = [readyRow(1, "first")];
  const wakeAt = vi.fn();
  const { dispatcher, sent } = dispatcherOf(
    { readyAfter: (seq) => ready.filter((each) => each.seq > seq) },
    { wakeAt, sends: (count) => (count === 1 ? new Promise(() => {}) : Promise.resolve()) },
  );
  dispatcher.soon();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(sent).toEqual([["first"]]);
  await vi.advanceTimersByTimeAsync(200);
  const [[again]] = z.tuple([z.tuple([z.number()])]).parse(wakeAt.mock.calls);
  await vi.advanceTimersByTimeAsync(again - Date.now());
  dispatcher.resume();
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([["first"], ["first"]]);
});

it("work left by an earlier process is sent even if later work of its case is sent first", async () => {
  const ready = [1, 2, 3].map((seq) => readyRow(seq));
  const { dispatcher, sent } = dispatcherOf({
    readyAfter: (seq) => ready.filter((each) => each.seq > seq),
    readyAmong: (seqs) => ready.filter((each) => seqs.includes(each.seq)),
  });
  dispatcher.readied([3]);
  await vi.advanceTimersByTimeAsync(1);
  dispatcher.resume();
  await vi.advanceTimersByTimeAsync(1);
  expect(sent.flat().sort()).toEqual(["request 1", "request 2", "request 3"]);
});

it("work is sent in small batches during a burst, and all of it afterwards", async () => {
  const ready = Array.from({ length: 100 }, (_, seq) => readyRow(seq));
  let isBurst = true;
  const { dispatcher, sent } = dispatcherOf(
    { readyAfter: (seq, limit) => ready.filter((each) => each.seq > seq).slice(0, limit) },
    { isBurst: () => isBurst },
  );
  dispatcher.soon();
  await vi.advanceTimersByTimeAsync(600);
  expect(sent.map(({ length }) => length)).toEqual([10, 10]);
  isBurst = false;
  await vi.advanceTimersByTimeAsync(300);
  expect(sent.map(({ length }) => length)).toEqual([10, 10, 79]);
});

it("work is held back no longer than a burst lasts", async () => {
  const { dispatcher, sent } = dispatcherOf(
    {
      readyAfter: (seq, limit) => Array.from({ length: limit }, (_, at) => readyRow(seq + at + 1)),
    },
    { isBurst: () => true },
  );
  const most = () => Math.max(...sent.map(({ length }) => length));
  dispatcher.soon();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(most()).toBe(10);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(most()).toBe(1_000);
});
