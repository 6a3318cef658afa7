import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bomb, declaring, gzip } from "../support/bombs.ts";
import { createAccount } from "../support/client.ts";
import { startTestRuntime, type TestRuntime } from "../support/runtime.ts";
import { Webhooks } from "../support/webhooks.ts";

const MEGABYTE = 1_048_576;
const AT_ONCE = 20;
const MAX_HEALTH_MS = 100;
/** One bomb that is inflated has a gigabyte; twenty bodies as they are sent have 20 MB. */
const MAX_GROWTH = 256 * MEGABYTE;
const EACH = Array.from({ length: AT_ONCE });

let runtime: TestRuntime;
let open: string;
let guarded: string;
/** The CPU time of a round of honest requests that are as long on the wire as a bomb of a gigabyte. */
let honestCpuMs: number;
beforeAll(async () => {
  runtime = await startTestRuntime();
  const { apiKey } = await createAccount(runtime);
  const hooks = new Webhooks(runtime, apiKey);
  ({ url: open } = await hooks.endpoint({ name: "open" }));
  const auth = { token: { secret: "a-token-that-no-stranger-has" } };
  ({ url: guarded } = await hooks.endpoint({ name: "guarded", auth }));
  // The first large bodies, of whatever kind, make the process grow for good.
  await round(open, incompressible());
  ({ cpuMs: honestCpuMs } = await round(open, incompressible()));
});
afterAll(() => runtime.close());

const ENDLESS = bomb(1_024, 16);

describe.each([
  ["a bomb of a gigabyte", ENDLESS],
  ["a bomb that declares one megabyte", declaring(ENDLESS, MEGABYTE)],
  ["a truncated bomb", ENDLESS.subarray(0, 1_000_000)],
  ["gzip in gzip", gzip(ENDLESS)],
  ["a thousand members", members(1_000)],
])("%s, twenty times at once", (_, body) => {
  it("is refused while /healthz answers within 100 ms and memory stays", async () => {
    const before = await runtime.memory();
    const { statuses, slowestMs, cpuMs, peak } = await round(open, body);
    for (const status of statuses) expect([400, 413]).toContain(status);
    // On a busy machine, which is slow for any reason, the work that is done for them counts.
    if (slowestMs >= MAX_HEALTH_MS) expect(cpuMs).toBeLessThan(3 * honestCpuMs);
    expect(peak - before).toBeLessThan(MAX_GROWTH);
  });
});

it("refuses a bomb unopened if the sender has no token", async () => {
  const { statuses } = await round(guarded, ENDLESS);
  // Refusals beyond the budget of the address get 429.
  for (const status of statuses) expect([401, 429]).toContain(status);
});

interface Round {
  statuses: number[];
  /** The slowest answer of /healthz meanwhile. */
  slowestMs: number;
  /** What the service has worked for them. */
  cpuMs: number;
  /** The most resident memory meanwhile, in bytes. */
  peak: number;
}

async function round(url: string, body: Uint8Array): Promise<Round> {
  let done = false;
  let [slowestMs, peak] = [0, 0];
  const before = await runtime.cpuMs();
  const watched = (async () => {
    while (!done) {
      const start = performance.now();
      await (await fetch(`${runtime.url}/healthz`)).text();
      slowestMs = Math.max(slowestMs, performance.now() - start);
      peak = Math.max(peak, await runtime.memory());
      await pause(5);
    }
  })();
  const statuses = await Promise.all(EACH.map(() => send(url, body)));
  done = true;
  await watched;
  return { statuses, slowestMs, cpuMs: (await runtime.cpuMs()) - before, peak };
}

/** On a connection of its own: one that is kept may have been closed by the server meanwhile. */
function send(url: string, body: Uint8Array): Promise<number> {
  const headers = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers, agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject).end(body);
  });
}

function members(count: number): Uint8Array {
  return Buffer.concat(Array.from({ length: count }, () => gzip("{}")));
}

/** A body that is as long on the wire as a bomb of a gigabyte, and not JSON. */
function incompressible(): Uint8Array {
  return gzip(randomBytes(1_000_000));
}
