import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { TriggerInput } from "../test/support/client.ts";
import { startReceiver } from "../test/support/receiver.ts";
import { startSite } from "../test/support/site/server.ts";
import type { Figures } from "./figures.ts";
import type { Counters } from "./instrumented.ts";
import { summarise } from "./load.ts";
import { MODEL, startHeldModel } from "./model-server.ts";
import type { Scale } from "./options.ts";
import {
  DELETION_PER_MILLION,
  durationPricePerMillion,
  LOGS_PER_MILLION,
  pricePerMillion,
} from "./price.ts";
import { type Bench, INSTRUMENTED, ONE_STEP, settled, startBench, until } from "./service.ts";
import { openHook } from "./webhooks.ts";

/** Sessions that wait at once for the model of which the price is told apart. */
const SLOW_SESSIONS = 200;
const SLOW_MODEL_SECONDS = 60;

/** Counts, with the instrumented service, what executions of several kinds ask of the platform. */
export async function measureCosts({ counted: runs }: Scale): Promise<Figures> {
  const model = await startHeldModel();
  const bench = await startBench({ entry: INSTRUMENTED, variables: model.variables });
  const receiver = await startReceiver();
  const site = await startSite();
  const counted = (input: TriggerInput) =>
    countersOf(bench, runs, () => bench.client.trigger(input));
  try {
    const flushes = await flushesOnPath(bench, runs);
    const step = await counted(ONE_STEP);
    const callback = await counted({ ...ONE_STEP, callbackUrl: receiver.url });
    const page = await counted({ prompt: `List headings of ${site.origin}/` });
    const webhook = await webhookCounters(bench, runs, "alone");
    const together = await webhookCounters(bench, runs, "together");
    const objects = await objectsOfWaiting(bench, model.asked);
    const usdPerMillion = pricePerMillion(step);
    return {
      flushesPerExecution: flushes,
      flushesInAllPerExecution: step.flushes,
      objectRowsPerExecution: step.objectRowsWritten,
      d1RowsPerExecution: step.d1RowsWritten,
      objectRequestsPerExecution: step.objectRequests,
      alarmsPerExecution: step.alarms,
      objectRowsPerWebhook: webhook.objectRowsWritten,
      d1RowsPerWebhook: webhook.d1RowsWritten,
      objectRequestsPerWebhook: webhook.objectRequests,
      alarmsPerWebhook: webhook.alarms,
      queueMessagesPerWebhook: webhook.queueMessagesSent,
      objectRowsPerWebhookTogether: together.objectRowsWritten,
      objectRequestsPerWebhookTogether: together.objectRequests,
      usdPerMillion,
      usdPerMillionCallback: pricePerMillion(callback),
      usdPerMillionPage: pricePerMillion(page),
      usdPerMillionWebhook: pricePerMillion(webhook),
      usdPerMillionWebhookTogether: pricePerMillion(together),
      usdPerMillionWaiting: durationPricePerMillion(objects, SLOW_MODEL_SECONDS),
      usdPerMillionWaitingAlone: durationPricePerMillion(1, SLOW_MODEL_SECONDS),
      usdPerMillionLogs: LOGS_PER_MILLION,
      usdPerMillionDeletion: DELETION_PER_MILLION,
    };
  } finally {
    await bench.runtime.close();
    await Promise.all([model.close(), receiver.close(), site.close()]);
  }
}

/** A signed webhook that is validated, mapped and logged, and starts an execution of one step. */
async function webhookCounters(
  bench: Bench,
  runs: number,
  arriving: "alone" | "together",
): Promise<Counters> {
  const hook = await openHook(bench.runtime.url, bench.client);
  const post = async () => {
    const response = await fetch(hook.url, hook.request());
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  };
  // The inbox learns its configuration with its first request.
  await post();
  if (arriving === "alone") return countersOf(bench, runs, post);
  const all = () => Promise.all(Array.from({ length: runs }, post));
  // The account opens the hosts of so many with the first of them.
  await all();
  return countersOf(bench, runs, all, { calls: 1 });
}

/** The counters of so many executions, divided by their number. Nothing else asks the service meanwhile. */
export async function countersOf(
  bench: Bench,
  runs: number,
  start: () => Promise<unknown>,
  { calls } = { calls: runs },
): Promise<Counters> {
  const { url } = bench.runtime;
  await settled(bench);
  await quiet(url);
  await reset(url);
  for (let call = 0; call < calls; call += 1) await start();
  const total = await quiet(url);
  const perRun = Object.entries(total).map(([name, count]) => [name, count / runs]);
  return counters.parse(Object.fromEntries(perRun));
}

/**
 * The median of durable commits from the trigger to the one that stores the final status, of executions that
 * have the service to themselves.
 */
async function flushesOnPath(bench: Bench, runs: number): Promise<number> {
  const { url } = bench.runtime;
  // The first execution creates what later ones share.
  await bench.client.ended(await bench.client.trigger(ONE_STEP));
  const seen: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    await settled(bench);
    await sleep(REST_MS);
    await reset(url);
    await bench.client.ended(await bench.client.trigger(ONE_STEP));
    seen.push(counters.parse(await read(url)).flushesOnPath);
  }
  return summarise(seen).p50;
}

/** The row of an execution is written within this after its end. */
const REST_MS = 1_000;

/**
 * Objects that are in memory for each session that waits for its model while many do. Each object that had
 * work counts for the whole time, as Cloudflare bills one that waits for a response.
 */
async function objectsOfWaiting(bench: Bench, asked: () => number): Promise<number> {
  await settled(bench);
  await quiet(bench.runtime.url);
  await reset(bench.runtime.url);
  const before = asked();
  for (let started = 0; started < SLOW_SESSIONS; started += 1)
    await bench.client.trigger({ prompt: "Wait", model: MODEL, maxCredits: 5 });
  await until("the sessions to ask their model", () => asked() - before >= SLOW_SESSIONS);
  const { objects } = counters.parse(await read(bench.runtime.url));
  return objects / SLOW_SESSIONS;
}

async function reset(url: string): Promise<void> {
  await fetch(`${url}/__instruments`, { method: "DELETE" });
}

async function read(url: string): Promise<unknown> {
  return (await fetch(`${url}/__instruments`)).json();
}

/** Waits until the counters have stood still for a while: all work is done, but for checks far ahead. */
async function quiet(url: string): Promise<Counters> {
  let before = "";
  for (;;) {
    const now = JSON.stringify(await read(url));
    if (now === before) return counters.parse(JSON.parse(now));
    before = now;
    await sleep(QUIET_MS);
  }
}

const QUIET_MS = 1_500;

const counters: z.ZodType<Counters> = z.object({
  objects: z.number(),
  objectRequests: z.number(),
  alarms: z.number(),
  objectRowsRead: z.number(),
  objectRowsWritten: z.number(),
  flushes: z.number(),
  flushesOnPath: z.number(),
  d1Queries: z.number(),
  d1RowsRead: z.number(),
  d1RowsWritten: z.number(),
  queueMessagesSent: z.number(),
  queueMessagesReceived: z.number(),
});
