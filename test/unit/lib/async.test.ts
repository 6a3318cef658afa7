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

it("settles like its work, and leaves no timer behind", async () => {
  await expect(within("the work", 1_000, Promise.resolve(7))).resolves.toBe(7);
  const failure = within("the work", 1_000, Promise.reject(new Error("broken")));
  await expect(failure).rejects.toThrow("broken");
  expect(vi.getTimerCount()).toBe(0);
});

it("fails with the name of the work when it is late", async () => {
  const late = within("the account", 1_000, new Promise(() => {}));
  const expectation = expect(late).rejects.toThrow(new DeadlineError("the account", 1_000).message);
  await vi.advanceTimersByTimeAsync(1_000);
  await expectation;
});

it("passes a signal that aborts late work, even after its time was extended", async () => {
  const deadline = startDeadline(1_000, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(900);
  deadline.restart();
  await vi.advanceTimersByTimeAsync(999);
  expect(deadline.expired).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(deadline.expired).toBe(true);
  expect(deadline.signal.aborted).toBe(true);
});

it("aborts work with its parent, which is not a timeout", () => {
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

describe("work that ignores signals", () => {
  it("passes on its result or error", async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(signal, async () => 7)).toBe(7);
    await expect(unlessAborted(signal, () => Promise.reject(new Error("no")))).rejects.toThrow(
      "no",
    );
  });

  it("is abandoned at the abort, with the signal's reason", async () => {
    const abort = new AbortController();
    const work = unlessAborted(abort.signal, never);
    abort.abort(new Error("stopped"));
    await expect(work).rejects.toThrow("stopped");
  });

  it("does not start after the abort", async () => {
    let started = false;
    const work = unlessAborted(AbortSignal.abort(new Error("stopped")), async () => {
      started = true;
    });
    await expect(work).rejects.toThrow("stopped");
    expect(started).toBe(false);
  });

  it("that fails after it was abandoned has no effect", async () => {
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

it("pauses for 1 s after the first failure, doubles with each further one, and never exceeds 60 s", () => {
  expect([1, 2, 3, 6, 7, 1_000].map(backoffMs)).toEqual([
    1_000, 2_000, 4_000, 32_000, 60_000, 60_000,
  ]);
});
