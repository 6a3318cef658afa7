import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod";
import { Dispatcher } from "../../../src/endpoints/dispatch.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const readyRow = (seq: number, requestId = `request ${seq}`) => ({
  seq,
  requestId,
  executionId: `execution ${seq}`,
  configVersion: 1,
});

it("work is sent again when the queue did not answer in time", async () => {
  const ready = [readyRow(1, "first")];
  const tries: string[][] = [];
  const wakeAt = vi.fn();
  const dispatcher = new Dispatcher({
    work: {
      hasReady: () => true,
      hasReleased: () => false,
      readyAfter: (seq) => ready.filter((each) => each.seq > seq),
      readyAmong: () => [],
    },
    endpointId: () => "ep_1",
    send: (messages) => {
      tries.push(messages.flatMap(({ requestIds }) => requestIds));
      return tries.length === 1 ? new Promise(() => {}) : Promise.resolve();
    },
    wakeAt,
    now: Date.now,
    isBurst: () => false,
  });
  dispatcher.soon();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(tries).toEqual([["first"]]);
  await vi.advanceTimersByTimeAsync(200);
  const [[again]] = z.tuple([z.tuple([z.number()])]).parse(wakeAt.mock.calls);
  await vi.advanceTimersByTimeAsync(again - Date.now());
  dispatcher.resume();
  await vi.advanceTimersByTimeAsync(1);
  expect(tries).toEqual([["first"], ["first"]]);
});

it("work that an earlier process left is sent also when later work of a case is sent first", async () => {
  const ready = [1, 2, 3].map((seq) => readyRow(seq, `request ${seq}`));
  const sent: string[] = [];
  const dispatcher = new Dispatcher({
    work: {
      hasReady: () => true,
      hasReleased: () => false,
      readyAfter: (seq) => ready.filter((each) => each.seq > seq),
      readyAmong: (seqs) => ready.filter((each) => seqs.includes(each.seq)),
    },
    endpointId: () => "ep_1",
    send: async (messages) => {
      sent.push(...messages.flatMap(({ requestIds }) => requestIds));
    },
    wakeAt: () => {},
    now: Date.now,
    isBurst: () => false,
  });
  dispatcher.readied([3]);
  await vi.advanceTimersByTimeAsync(1);
  dispatcher.resume();
  await vi.advanceTimersByTimeAsync(1);
  expect(sent.sort()).toEqual(["request 1", "request 2", "request 3"]);
});

it("work goes out a little at a time while a burst arrives, and all of it afterwards", async () => {
  const ready = Array.from({ length: 100 }, (_, seq) => readyRow(seq));
  const sent: number[] = [];
  let isBurst = true;
  const dispatcher = new Dispatcher({
    work: {
      hasReady: () => true,
      hasReleased: () => false,
      readyAfter: (seq, limit) => ready.filter((each) => each.seq > seq).slice(0, limit),
      readyAmong: () => [],
    },
    endpointId: () => "ep_1",
    send: async (messages) => {
      sent.push(messages.flatMap(({ requestIds }) => requestIds).length);
    },
    wakeAt: () => {},
    now: Date.now,
    isBurst: () => isBurst,
  });
  dispatcher.soon();
  await vi.advanceTimersByTimeAsync(600);
  expect(sent).toEqual([10, 10]);
  isBurst = false;
  await vi.advanceTimersByTimeAsync(300);
  expect(sent).toEqual([10, 10, 79]);
});

it("work is held back no longer than a burst lasts", async () => {
  const sent: number[] = [];
  const dispatcher = new Dispatcher({
    work: {
      hasReady: () => true,
      hasReleased: () => false,
      readyAfter: (seq, limit) => Array.from({ length: limit }, (_, at) => readyRow(seq + at + 1)),
      readyAmong: () => [],
    },
    endpointId: () => "ep_1",
    send: async (messages) => {
      sent.push(messages.flatMap(({ requestIds }) => requestIds).length);
    },
    wakeAt: () => {},
    now: Date.now,
    isBurst: () => true,
  });
  dispatcher.soon();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(Math.max(...sent)).toBe(10);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(Math.max(...sent)).toBe(1_000);
});
