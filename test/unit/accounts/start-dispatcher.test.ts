import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StartDispatcher } from "../../../src/accounts/pending-starts.ts";
import type { ExecutionSeed } from "../../../src/contract/session.ts";
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
    withSlot("01890000-0000-7000-8000-000000000001", n % 4_096),
  );
const [FIRST = ""] = ids(1);

/** A dispatcher of these executions; `call` starts their sessions. */
function dispatcherOf(
  executionIds: string[],
  call: (seed: ExecutionSeed) => Promise<void>,
  room = () => Number.POSITIVE_INFINITY,
) {
  const waiting = new Set(executionIds);
  const dispatcher = new StartDispatcher(
    {
      get: (executionId) => (waiting.has(executionId) ? seedOf({ executionId }) : null),
      ids: () => [...waiting],
      isShort: () => true,
      started: (executionId) => waiting.delete(executionId),
    },
    {
      async call(seeds) {
        await Promise.all(seeds.map(call));
        return seeds.length;
      },
      room,
      mayStart: () => true,
    },
  );
  return { dispatcher, waiting };
}

const failure = (flags: { overloaded?: boolean; retryable?: boolean } = {}) =>
  Object.assign(new Error("failed"), flags);

describe("starts", () => {
  it("begin eight at once, each in the turn in which there is a place", async () => {
    const begun: { executionId: string; answer: () => void }[] = [];
    const { dispatcher } = dispatcherOf(
      ids(20),
      ({ executionId }) =>
        new Promise((answer) => {
          begun.push({ executionId, answer });
        }),
    );
    dispatcher.dispatch(ids(20));
    expect(begun.map(({ executionId }) => executionId)).toEqual(ids(8));
    begun[0]?.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(9);
  });

  it("wait for the end of another beyond the number that may be active", async () => {
    const begun: string[] = [];
    let room = 2;
    const { dispatcher } = dispatcherOf(
      ids(5),
      async ({ executionId }) => {
        begun.push(executionId);
        room -= 1;
      },
      () => room,
    );
    dispatcher.dispatch(ids(5));
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(2);
    room += 1;
    dispatcher.fill();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(ids(3));
  });

  it("become more while they are quick", async () => {
    let running = 0;
    let most = 0;
    const { dispatcher, waiting } = dispatcherOf(ids(1_000), async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    });
    dispatcher.dispatch(ids(1_000));
    await vi.runAllTimersAsync();
    expect(waiting.size).toBe(0);
    expect(most).toBeGreaterThan(40);
  });

  it("take place once, however often they are dispatched", async () => {
    const call = vi.fn(async () => {});
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
    const waiting = new Set(executionIds);
    const dispatcher = new StartDispatcher(
      {
        get: (executionId) => (waiting.has(executionId) ? seedOf({ executionId }) : null),
        ids: () => [...waiting],
        isShort: (executionId) => executionId !== neighbours(4)[3],
        started: (executionId) => waiting.delete(executionId),
      },
      {
        async call(seeds) {
          const names = seeds.map(({ executionId }) => executionId.slice(-1));
          calls.push(names);
          return answer(names);
        },
        mayStart: () => true,
        room: () => Number.POSITIVE_INFINITY,
      },
    );
    return { dispatcher, waiting, calls };
  };

  it("that arrived together travel in one call, but for long ones", async () => {
    const { dispatcher, waiting, calls } = hostOf(neighbours(6), ({ length }) => length);
    dispatcher.dispatch(neighbours(6));
    await vi.runAllTimersAsync();
    expect(calls).toEqual([["0", "1", "2"], ["3"], ["4", "5"]]);
    expect(waiting.size).toBe(0);
  });

  it("take place one by one where the host runs older code, which starts the first alone", async () => {
    const { dispatcher, waiting, calls } = hostOf(neighbours(3), () => 1);
    dispatcher.dispatch(neighbours(3));
    await vi.runAllTimersAsync();
    expect(calls).toEqual([["0", "1", "2"], ["1", "2"], ["2"]]);
    expect(waiting.size).toBe(0);
  });

  it("go on past one that cannot be started, which the next wake-up tries again", async () => {
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
  it("is repeated at once when the platform says that it may be", async () => {
    const call = vi.fn(async () => {}).mockRejectedValueOnce(failure({ retryable: true }));
    const { dispatcher, waiting } = dispatcherOf(ids(1), call);
    dispatcher.dispatch([FIRST]);
    await vi.advanceTimersByTimeAsync(0);
    expect(call).toHaveBeenCalledTimes(2);
    expect(waiting.size).toBe(0);
  });

  it("is left to the next wake-up after three attempts", async () => {
    const call = vi.fn(async () => {});
    for (let n = 0; n < 3; n += 1) call.mockRejectedValueOnce(failure({ retryable: true }));
    const { dispatcher, waiting } = dispatcherOf(ids(1), call);
    dispatcher.dispatch([FIRST]);
    await vi.runAllTimersAsync();
    expect(call).toHaveBeenCalledTimes(3);
    expect(dispatcher.resume()).toBe(true);
    await vi.runAllTimersAsync();
    expect(waiting.size).toBe(0);
  });

  it("waits longer each time while an object is overloaded, though wake-ups come meanwhile", async () => {
    const call = vi.fn(async () => {});
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
