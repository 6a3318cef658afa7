import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod";
import { Dispatcher } from "../../../src/endpoints/dispatch.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("work is sent again when the queue did not answer in time", async () => {
  const ready = [{ seq: 1, requestId: "first" }];
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
  const ready = [1, 2, 3].map((seq) => ({ seq, requestId: `request ${seq}` }));
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
  });
  dispatcher.readied([3]);
  await vi.advanceTimersByTimeAsync(1);
  dispatcher.resume();
  await vi.advanceTimersByTimeAsync(1);
  expect(sent.sort()).toEqual(["request 1", "request 2", "request 3"]);
});
