import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DeadlineError, within } from "../../../src/lib/deadline.ts";

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
