import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DeadlineError, startDeadline, within } from "../../../src/lib/deadline.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("answers what the work came to, and leaves no timer behind", async () => {
  await expect(within("the work", 1_000, Promise.resolve(7))).resolves.toBe(7);
  expect(vi.getTimerCount()).toBe(0);
});

it("fails as the work failed, and leaves no timer behind", async () => {
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

it("gives work a signal that ends it when it is late", async () => {
  const deadline = startDeadline(1_000, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(999);
  expect(deadline).toMatchObject({ expired: false });
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
