import { Hono } from "hono";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AppEnv } from "../../../src/http/context.ts";
import { drainBody } from "../../../src/http/middleware.ts";

const MEGABYTE = 1_048_576;

const app = new Hono<AppEnv>().use(drainBody).post("/", (http) => http.text("refused", 413));

/** A body that sends `chunk` again and again, or nothing, and counts what is read. */
function endlessBody(chunk: Uint8Array | null) {
  const seen = { bytes: 0, isCancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (chunk === null) return new Promise(() => {});
      seen.bytes += chunk.length;
      controller.enqueue(chunk);
    },
    cancel() {
      seen.isCancelled = true;
    },
  });
  return { seen, stream };
}

async function post(body: ReadableStream): Promise<Response> {
  // Node requires `duplex` of a stream.
  const init = { method: "POST", body, duplex: "half" };
  return await app.request("/", init);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("cuts off an endless body after 64 MiB, and answers", async () => {
  const { seen, stream } = endlessBody(new Uint8Array(MEGABYTE));
  expect((await post(stream)).status).toBe(413);
  expect(seen.isCancelled).toBe(true);
  expect(seen.bytes / MEGABYTE).toBeGreaterThanOrEqual(64);
  expect(seen.bytes / MEGABYTE).toBeLessThanOrEqual(66);
});

it("cuts off a body that stalls for 5 s, and answers", async () => {
  const { seen, stream } = endlessBody(null);
  const answer = post(stream);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(seen.isCancelled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect((await answer).status).toBe(413);
  expect(seen.isCancelled).toBe(true);
});
