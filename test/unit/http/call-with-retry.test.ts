import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callOnce, callWithRetry, HttpProblem } from "../../../src/http/problem.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

/** A call that fails with these, one after another, and then answers. */
function failing(...failures: object[]) {
  const calls = { count: 0 };
  const call = async () => {
    const failure = failures[calls.count];
    calls.count += 1;
    if (failure) throw Object.assign(new Error("internal details"), failure);
    return "answer";
  };
  return { call, calls };
}

describe("callWithRetry", () => {
  it.each([
    ["that passes", { retryable: true }],
    ["that says nothing of itself", {}],
    ["of an object that was reset", { remote: true, durableObjectReset: true }],
  ])("retries after a failure %s, and marks the call as a repeat", async (_, failure) => {
    const { call } = failing(failure);
    const said: boolean[] = [];
    const answer = await callWithRetry((isRepeat) => {
      said.push(isRepeat);
      return call();
    });
    expect(answer).toBe("answer");
    expect(said).toEqual([false, true]);
  });

  it("retries once, then answers 503 without the cause", async () => {
    const { call, calls } = failing({}, {}, {});
    const error = await callWithRetry(call).catch((caught: unknown) => caught);
    expect(calls.count).toBe(2);
    expect(error).toBeInstanceOf(HttpProblem);
    expect(error).toMatchObject({ code: "unavailable", headers: { "Retry-After": "1" } });
    expect(String(error)).not.toContain("internal details");
  });

  it.each([
    ["a repeat could change something", { retryable: true }, callOnce],
    [
      "a repeat could change something in an object that was reset",
      { remote: true, durableObjectReset: true },
      callOnce,
    ],
    ["the object has too much to do", { retryable: true, overloaded: true }, callWithRetry],
  ])("does not retry when %s", async (_, failure, calling) => {
    const { call, calls } = failing(failure);
    await expect(calling(call)).rejects.toMatchObject({ code: "unavailable" });
    expect(calls.count).toBe(1);
  });

  it("does not turn a bug of the object's code into a 503", async () => {
    const { call } = failing({ remote: true });
    await expect(callWithRetry(call)).rejects.toThrow("internal details");
  });
});
