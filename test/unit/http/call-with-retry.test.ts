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
  it("hands back the answer", async () => {
    expect(await callOnce(failing().call)).toBe("answer");
  });

  it.each([
    ["that passes", { retryable: true }],
    ["that says nothing of itself", {}],
    ["of an object that was reset", { remote: true, durableObjectReset: true }],
  ])("calls again after a failure %s, when a repeat changes nothing", async (_, failure) => {
    const { call, calls } = failing(failure);
    expect(await callWithRetry(call)).toBe("answer");
    expect(calls.count).toBe(2);
  });

  it("says which call is a repeat", async () => {
    const { call } = failing({});
    const said: boolean[] = [];
    await callWithRetry((isRepeat) => {
      said.push(isRepeat);
      return call();
    });
    expect(said).toEqual([false, true]);
  });

  it("calls again once and no more", async () => {
    const { call, calls } = failing({}, {}, {});
    await expect(callWithRetry(call)).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(calls.count).toBe(2);
  });

  it.each([
    ["a repeat could change something", { retryable: true }, callOnce],
    ["the object has too much to do", { retryable: true, overloaded: true }, callWithRetry],
  ])("does not call again when %s", async (_, failure, calling) => {
    const { call, calls } = failing(failure);
    await expect(calling(call)).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(calls.count).toBe(1);
  });

  it("answers 503 with the time to wait, and nothing of the cause", async () => {
    const { call } = failing({ retryable: true }, { retryable: true });
    const error = await callWithRetry(call).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(HttpProblem);
    expect(error).toMatchObject({ code: "unavailable", headers: { "Retry-After": "1" } });
    expect(String(error)).not.toContain("internal details");
  });

  it("leaves a fault of the object's own code a fault", async () => {
    const { call } = failing({ remote: true });
    await expect(callWithRetry(call)).rejects.toThrow("internal details");
  });

  it("takes an object that was reset for unreachable", async () => {
    const { call } = failing({ remote: true, durableObjectReset: true });
    await expect(callOnce(call)).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});
