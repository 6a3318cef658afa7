import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BODY_DEADLINE_MS, readUpTo } from "../../../src/lib/read-up-to.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("gives up on a stream that trickles, and ends it", async () => {
  const ended = Promise.withResolvers<void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(new Uint8Array(1)), 1_000);
    },
    cancel: () => {
      clearInterval(timer);
      ended.resolve();
    },
  });
  const reading = expect(readUpTo(stream, 1_000_000)).rejects.toMatchObject({ isLate: true });
  await vi.advanceTimersByTimeAsync(BODY_DEADLINE_MS);
  await reading;
  await ended.promise;
});

it("leaves no timer behind a stream that ended in time", async () => {
  const { body } = new Response("whole");
  expect(await readUpTo(body ?? new ReadableStream(), 10)).toMatchObject({ cut: false });
  expect(vi.getTimerCount()).toBe(0);
});
