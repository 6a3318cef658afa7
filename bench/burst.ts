import type { Figures } from "./figures.ts";
import { type LoadResult, runLoad, type Shot } from "./load.ts";
import type { Scale } from "./options.ts";
import { type Bench, settled, startBench, triggerLoad, until } from "./service.ts";
import { isWorking, openHook } from "./webhooks.ts";

/** Connections of a burst: a sender that has much to tell opens many. */
const CONNECTIONS = 64;
/** Connections of one that sends as fast as the executions end. */
const SLOWLY = 4;
/** Management calls have a limit of 600 a minute. */
const LOOK_MS = 250;
/** No load of a number of shots ends by time. */
const LONGEST_MS = 600_000;

/** A number of requests, sent at once, and all that they start. */
interface Burst {
  load: LoadResult;
  /** From the first request to the end of the last execution. */
  seconds: number;
  /** Executions that were charged, for each accepted request: exactly 1, if none is lost or doubled. */
  charged: number;
}

/**
 * Measures whether what arrives has the right of way: the same number of webhooks that start nothing, that
 * start executions, and that are sent slowly; then of triggers.
 */
export async function measureBurst({ burst }: Scale): Promise<Figures> {
  const unrouted = await withBench((bench) => webhooks(bench, "unrouted", burst, CONNECTIONS));
  const hooks = await withBench((bench) => webhooks(bench, "workflow", burst, CONNECTIONS));
  const slowHooks = await withBench((bench) => webhooks(bench, "workflow", burst, SLOWLY));
  const triggers = await withBench((bench) => ofTriggers(bench, burst, CONNECTIONS));
  const slowTriggers = await withBench((bench) => ofTriggers(bench, burst, SLOWLY));
  return {
    burstUnroutedPerSecond: unrouted.load.perSecond,
    burstWebhooksPerSecond: hooks.load.perSecond,
    burstWebhookP50Ms: hooks.load.timings.p50,
    burstWebhookP99Ms: hooks.load.timings.p99,
    burstWebhookExecutions: hooks.charged,
    burstWebhookSeconds: hooks.seconds,
    slowWebhookSeconds: slowHooks.seconds,
    burstTriggersPerSecond: triggers.load.perSecond,
    burstTriggerP99Ms: triggers.load.timings.p99,
    burstTriggerExecutions: triggers.charged,
    burstTriggerSeconds: triggers.seconds,
    slowTriggerSeconds: slowTriggers.seconds,
    lostRequests: hooks.load.lost + triggers.load.lost,
  };
}

async function withBench(measure: (bench: Bench) => Promise<Burst>): Promise<Burst> {
  const bench = await startBench();
  try {
    return await measure(bench);
  } finally {
    await bench.runtime.close();
  }
}

async function webhooks(
  bench: Bench,
  starts: "workflow" | "unrouted",
  shots: number,
  clients: number,
): Promise<Burst> {
  const hook = await openHook(bench.runtime.url, bench.client, starts);
  const { method, headers, body } = hook.request();
  const path = new URL(hook.url).pathname;
  const shot: Shot = { method, path, headers, body, uniqueHeader: "x-github-delivery" };
  // Webhooks reserve credits only when they start.
  const ended = () => until("the webhooks to end", async () => !(await isWorking(hook)), LOOK_MS);
  return await send(bench, { shot, shots, clients, ended });
}

function ofTriggers(bench: Bench, shots: number, clients: number): Promise<Burst> {
  const { shot } = triggerLoad(bench, "hammer", clients, LONGEST_MS);
  return send(bench, { shot, shots, clients, ended: async () => {} });
}

async function send(
  bench: Bench,
  {
    shot,
    shots,
    clients,
    ended,
  }: { shot: Shot; shots: number; clients: number; ended(): Promise<void> },
): Promise<Burst> {
  const load = (count: number, connections: number) => {
    const ofShots = { shot, shots: count, clients: connections, durationMs: LONGEST_MS };
    return runLoad({ kind: "hammer", origin: bench.runtime.url, ...ofShots });
  };
  await load(1, 1);
  await ended();
  await settled(bench);
  const each = (await bench.client.credits()).consumedCredits;
  const begun = performance.now();
  const result = await load(shots, clients);
  await ended();
  await settled(bench);
  const seconds = (performance.now() - begun) / 1_000;
  const consumed = (await bench.client.credits()).consumedCredits - each;
  return { load: result, seconds, charged: consumed / each / result.count };
}
