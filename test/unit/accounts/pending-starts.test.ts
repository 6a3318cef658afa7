import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConcurrencyLimit, StartDispatcher } from "../../../src/accounts/pending-starts.ts";
import type { ExecutionSeed } from "../../../src/contract/session.ts";
import { sleep } from "../../../src/lib/async.ts";
import { withSlot } from "../../../src/lib/execution-id.ts";
import { seedOf } from "../../support/execution.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Ids of executions, each in a host of its own. */
const ids = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    withSlot(`01890000-0000-7000-8000-${String(n).padStart(12, "0")}`, n % 4_096),
  );
const [FIRST = ""] = ids(1);

/** A dispatcher of these executions; `call` answers how many sessions of a host it has started. */
function dispatcherOf(
  executionIds: string[],
  call: (seeds: readonly ExecutionSeed[]) => Promise<number>,
  { room = () => Number.POSITIVE_INFINITY, long = "" } = {},
) {
  const waiting = new Set(executionIds);
  const dispatcher = new StartDispatcher(
    {
      get: (executionId) => (waiting.has(executionId) ? seedOf({ executionId }) : null),
      ids: () => [...waiting],
      isShort: (executionId) => executionId !== long,
      started: (executionId) => waiting.delete(executionId),
    },
    { call, room, mayStart: () => true },
  );
  return { dispatcher, waiting };
}

const failure = (flags: { overloaded?: boolean; retryable?: boolean } = {}) =>
  Object.assign(new Error("failed"), flags);

describe("starts", () => {
  it("begin eight at once, and each when a slot is free", async () => {
    const begun: { executionId: string; answer: () => void }[] = [];
    const { dispatcher } = dispatcherOf(
      ids(20),
      ([seed]) =>
        new Promise((resolve) => {
          begun.push({ executionId: seed?.executionId ?? "", answer: () => resolve(1) });
        }),
    );
    dispatcher.dispatch(ids(20));
    expect(begun.map(({ executionId }) => executionId)).toEqual(ids(8));
    begun[0]?.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(9);
  });

  it("wait for another to end above the limit of active executions", async () => {
    const begun: string[] = [];
    let room = 2;
    const { dispatcher } = dispatcherOf(
      ids(5),
      async ([seed]) => {
        begun.push(seed?.executionId ?? "");
        room -= 1;
        return 1;
      },
      { room: () => room },
    );
    dispatcher.dispatch(ids(5));
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(2);
    room += 1;
    dispatcher.fill();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(ids(3));
  });

  it("begin in small numbers, fewer while others arrive", async () => {
    const call = vi.fn(async () => 1);
    const { dispatcher } = dispatcherOf(ids(62), call);
    const begun: number[] = [];
    const turns = async () => {
      for (const arriving of [ids(61), ids(62), [], [], []]) {
        await sleep(0);
        begun.push(call.mock.calls.length);
        dispatcher.dispatch(arriving);
      }
    };
    const ended = turns();
    dispatcher.dispatch(ids(60));
    await vi.runAllTimersAsync();
    await ended;
    expect(begun).toEqual([16, 20, 24, 40, 56]);
    expect(call).toHaveBeenCalledTimes(62);
  });

  it("keep up with arrivals after five thousand without a pause, at most 32 in a turn", async () => {
    const call = vi.fn(async () => 1);
    const all = ids(5_222);
    const { dispatcher } = dispatcherOf(all, call);
    dispatcher.dispatch(all.slice(0, 5_000));
    await vi.runAllTimersAsync();
    const begun: number[] = [];
    const turns = async () => {
      for (const [from, to] of [[5_200, 5_210], [5_210, 5_212], [5_212, 5_222], [], []]) {
        await sleep(0);
        begun.push(call.mock.calls.length - 5_000);
        dispatcher.dispatch(all.slice(from ?? 5_222, to));
      }
    };
    const ended = turns();
    dispatcher.dispatch(all.slice(5_000, 5_200));
    await vi.runAllTimersAsync();
    await ended;
    expect(begun).toEqual([16, 48, 64, 84, 100]);
  });

  it("are not held back once they fill the limit of active executions", async () => {
    const call = vi.fn(async () => 1);
    const { dispatcher } = dispatcherOf(ids(60), call, { room: () => 100 });
    let before = 0;
    setTimeout(() => {
      before = call.mock.calls.length;
    });
    dispatcher.dispatch(ids(60));
    await vi.runAllTimersAsync();
    expect(before).toBeGreaterThan(16);
  });

  it("happen once, however often they are dispatched", async () => {
    const call = vi.fn(async () => 1);
    const { dispatcher } = dispatcherOf(ids(1), call);
    dispatcher.dispatch([FIRST]);
    dispatcher.dispatch([FIRST]);
    expect(dispatcher.resume()).toBe(true);
    await vi.runAllTimersAsync();
    expect(call).toHaveBeenCalledTimes(1);
    expect(dispatcher.resume()).toBe(false);
  });
});

describe("starts of one host", () => {
  const neighbours = (count: number) =>
    Array.from({ length: count }, (_, n) => `01890000-0000-7000-8000-00000000000${n}`);
  const hostOf = (executionIds: string[], answer: (names: string[]) => number) => {
    const calls: string[][] = [];
    const call = async (seeds: readonly ExecutionSeed[]) => {
      const names = seeds.map(({ executionId }) => executionId.slice(-1));
      calls.push(names);
      return answer(names);
    };
    return { ...dispatcherOf(executionIds, call, { long: neighbours(4)[3] }), calls };
  };

  it("that arrive together share one call, except long ones", async () => {
    const { dispatcher, waiting, calls } = hostOf(neighbours(6), ({ length }) => length);
    dispatcher.dispatch(neighbours(6));
    await vi.runAllTimersAsync();
    expect(calls).toEqual([["0", "1", "2"], ["3"], ["4", "5"]]);
    expect(waiting.size).toBe(0);
  });

  it("happen one by one on a host with older code, which starts only the first", async () => {
    const { dispatcher, waiting, calls } = hostOf(neighbours(3), () => 1);
    dispatcher.dispatch(neighbours(3));
    await vi.runAllTimersAsync();
    expect(calls).toEqual([["0", "1", "2"], ["1", "2"], ["2"]]);
    expect(waiting.size).toBe(0);
  });

  it("continue after one that fails, which the next wake-up retries", async () => {
    const { dispatcher, waiting, calls } = hostOf(neighbours(3), (names) => {
      const bad = names.indexOf("1");
      if (bad === 0) throw new Error("It cannot be read.");
      return bad === -1 ? names.length : bad;
    });
    dispatcher.dispatch(neighbours(3));
    await vi.runAllTimersAsync();
    expect(calls).toEqual([["0", "1", "2"], ["1", "2"], ["2"]]);
    expect([...waiting]).toEqual([neighbours(2)[1]]);
  });
});

describe("a start that fails", () => {
  it("is retried at once if the platform marks it retryable", async () => {
    const call = vi.fn(async () => 1).mockRejectedValueOnce(failure({ retryable: true }));
    const { dispatcher, waiting } = dispatcherOf(ids(1), call);
    dispatcher.dispatch([FIRST]);
    await vi.advanceTimersByTimeAsync(0);
    expect(call).toHaveBeenCalledTimes(2);
    expect(waiting.size).toBe(0);
  });

  it("is left to the next wake-up after three attempts", async () => {
    const call = vi.fn(async () => 1);
    for (let n = 0; n < 3; n += 1) call.mockRejectedValueOnce(failure({ retryable: true }));
    const { dispatcher, waiting } = dispatcherOf(ids(1), call);
    dispatcher.dispatch([FIRST]);
    await vi.runAllTimersAsync();
    expect(call).toHaveBeenCalledTimes(3);
    expect(dispatcher.resume()).toBe(true);
    await vi.runAllTimersAsync();
    expect(waiting.size).toBe(0);
  });

  it("backs off while an object is overloaded, despite wake-ups", async () => {
    const call = vi.fn(async () => 1);
    for (let n = 0; n < 2; n += 1) call.mockRejectedValueOnce(failure({ overloaded: true }));
    const { dispatcher, waiting } = dispatcherOf(ids(1), call);
    dispatcher.dispatch([FIRST]);
    await vi.advanceTimersByTimeAsync(999);
    dispatcher.resume();
    expect(call).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_001);
    expect(call).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(call).toHaveBeenCalledTimes(3);
    expect(waiting.size).toBe(0);
  });
});

const NOW = 1_700_000_000_000;

/** Answers a whole round of calls that began at `startedAt` and took `ms` each. */
function round(limit: ConcurrencyLimit, ms: number, startedAt = NOW): void {
  for (let left = limit.value; left > 0; left -= 1) limit.answered(startedAt, startedAt + ms);
}

describe("the number of calls at once", () => {
  it("begins with a few, and grows after each round of quick calls", () => {
    const limit = new ConcurrencyLimit();
    expect(limit.value).toBe(8);
    round(limit, 49);
    expect(limit.value).toBe(10);
    round(limit, 49);
    expect(limit.value).toBe(12);
  });

  it("stays within its bounds", () => {
    const limit = new ConcurrencyLimit();
    for (let n = 0; n < 200; n += 1) round(limit, 1);
    expect(limit.value).toBe(256);
    for (let n = 0; n < 20; n += 1) round(limit, 50, NOW + n * 100);
    expect(limit.value).toBe(4);
  });

  it("grows even if a few calls of a round are slow", () => {
    const limit = new ConcurrencyLimit();
    for (let n = 0; n < 3; n += 1) limit.answered(NOW, NOW + 900);
    for (let n = 0; n < 5; n += 1) limit.answered(NOW, NOW + 10);
    expect(limit.value).toBe(10);
  });

  it("halves once for all calls in flight at a refusal", () => {
    const limit = new ConcurrencyLimit();
    for (let n = 0; n < 12; n += 1) round(limit, 1);
    expect(limit.value).toBe(32);
    limit.refused(NOW, NOW + 20);
    for (let n = 0; n < 31; n += 1) limit.refused(NOW, NOW + 21);
    expect(limit.value).toBe(16);
    limit.refused(NOW + 21, NOW + 22);
    expect(limit.value).toBe(8);
  });
});
