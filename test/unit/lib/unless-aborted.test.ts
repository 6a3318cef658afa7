import { describe, expect, it } from "vitest";
import { unlessAborted } from "../../../src/lib/unless-aborted.ts";

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
