import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  backoffMs,
  DeadlineError,
  startDeadline,
  unlessAborted,
  within,
} from "../../../src/lib/async.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("answers or fails as the work does, and leaves no timer behind", async () => {
  await expect(within("the work", 1_000, Promise.resolve(7))).resolves.toBe(7);
  const failure = within("the work", 1_000, Promise.reject(new Error("broken")));
  await expect(failure).rejects.toThrow("broken");
  expect(vi.getTimerCount()).toBe(0);
});

it("fails when the work is late, naming it", async () => {
  const late = within("the account", 1_000, new Promise(() => {}));
  const expectation = expect(late).rejects.toThrow(new DeadlineError("the account", 1_000).message);
  await vi.advanceTimersByTimeAsync(1_000);
  await expectation;
});

it("gives work a signal that ends it when it is late, also when it got all of its time again", async () => {
  const deadline = startDeadline(1_000, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(900);
  deadline.restart();
  await vi.advanceTimersByTimeAsync(999);
  expect(deadline.expired).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(deadline.expired).toBe(true);
  expect(deadline.signal.aborted).toBe(true);
});

it("ends work with its parent, which is not being late", () => {
  const parent = new AbortController();
  const deadline = startDeadline(1_000, parent.signal);
  parent.abort();
  expect(deadline.signal.aborted).toBe(true);
  expect(deadline.expired).toBe(false);
});

it("leaves no timer behind once the work has ended", () => {
  startDeadline(120_000, new AbortController().signal).clear();
  expect(vi.getTimerCount()).toBe(0);
});

const never = () => new Promise<never>(() => {});

describe("work that knows no signals", () => {
  it("hands over what it came to, good or bad", async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(signal, async () => 7)).toBe(7);
    await expect(unlessAborted(signal, () => Promise.reject(new Error("no")))).rejects.toThrow(
      "no",
    );
  });

  it("is given up at the abort, for the signal's reason", async () => {
    const abort = new AbortController();
    const work = unlessAborted(abort.signal, never);
    abort.abort(new Error("stopped"));
    await expect(work).rejects.toThrow("stopped");
  });

  it("is not started once the signal is aborted", async () => {
    let started = false;
    const work = unlessAborted(AbortSignal.abort(new Error("stopped")), async () => {
      started = true;
    });
    await expect(work).rejects.toThrow("stopped");
    expect(started).toBe(false);
  });

  it("that fails after it was given up disturbs nobody", async () => {
    const abort = new AbortController();
    let fail = () => {};
    const work = unlessAborted(
      abort.signal,
      () =>
        new Promise<never>((_, reject) => {
          fail = () => reject(new Error("late"));
        }),
    );
    abort.abort(new Error("stopped"));
    await expect(work).rejects.toThrow("stopped");
    fail();
  });
});

it("pauses for 1 s after the first failure, twice as long after each further one, and never above 60 s", () => {
  expect([1, 2, 3, 6, 7, 1_000].map(backoffMs)).toEqual([
    1_000, 2_000, 4_000, 32_000, 60_000, 60_000,
  ]);
});
