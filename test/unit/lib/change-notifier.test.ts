import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChangeNotifier } from "../../../src/lib/change-notifier.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function settled(promise: Promise<void>): Promise<boolean> {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return done;
}

it("resumes all waiting calls at a change", async () => {
  const waiters = new ChangeNotifier();
  const calls = [waiters.changed(1_000), waiters.changed(1_000)];
  expect(await Promise.all(calls.map(settled))).toEqual([false, false]);
  waiters.notify();
  expect(await Promise.all(calls.map(settled))).toEqual([true, true]);
  expect(vi.getTimerCount()).toBe(0);
});

it("resumes a call when its time is over", async () => {
  const call = new ChangeNotifier().changed(1_000);
  await vi.advanceTimersByTimeAsync(999);
  expect(await settled(call)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await settled(call)).toBe(true);
});

it("does not wait if the time is already over", async () => {
  expect(await settled(new ChangeNotifier().changed(-5))).toBe(true);
});
