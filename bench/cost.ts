import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { Client, TriggerInput } from "../test/support/client.ts";
import type { Counters } from "../test/support/instrumented.ts";
import { startReceiver } from "../test/support/receiver.ts";
import { INSTRUMENTED } from "../test/support/runtime.ts";
import { startSite } from "../test/support/site/server.ts";
import { settled, startBench } from "./service.ts";
import { openHook } from "./webhooks.ts";

/** What one execution of a kind asks of the platform, on average. */
export interface Cost {
  kind: string;
  counters: Counters;
}

const RUNS = 20;

/** Counts, with the instrumented service, what executions of several kinds cost. */
export async function measureCost(): Promise<Cost[]> {
  const { runtime, client } = await startBench({ entry: INSTRUMENTED });
  const receiver = await startReceiver();
  const site = await startSite();
  const counted = async (kind: string, input: TriggerInput): Promise<Cost> => ({
    kind,
    counters: await countersOf(runtime.url, client, () => client.trigger(input)),
  });
  try {
    return [
      await counted("one step", { prompt: "Say hello" }),
      await counted("one step, callback", { prompt: "Say hello", callbackUrl: receiver.url }),
      await counted("one page", { prompt: `List the headings of ${site.origin}/` }),
      await webhook(runtime.url, client),
    ];
  } finally {
    await Promise.all([runtime.close(), receiver.close(), site.close()]);
  }
}

/** A signed webhook that is validated, mapped, logged and starts a run of one step. */
async function webhook(url: string, client: Client): Promise<Cost> {
  const hook = await openHook(url, client);
  const send = async () => {
    const answer = await fetch(hook.url, hook.request());
    if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
  };
  return { kind: "webhook, one step", counters: await countersOf(url, client, send) };
}

/** The counters of `RUNS` executions, each divided by their number. Nothing else asks the service meanwhile. */
async function countersOf(
  url: string,
  client: Client,
  start: () => Promise<unknown>,
): Promise<Counters> {
  await settled(client);
  await quiet(url);
  await fetch(`${url}/__instruments`, { method: "DELETE" });
  for (let run = 0; run < RUNS; run += 1) await start();
  const total = await quiet(url);
  const perRun = Object.entries(total).map(([name, count]) => [name, count / RUNS]);
  return counters.parse(Object.fromEntries(perRun));
}

/** Waits until the counters have stood still for a while: all work is done, but for checks far ahead. */
async function quiet(url: string): Promise<Counters> {
  let before = "";
  for (;;) {
    const now = await (await fetch(`${url}/__instruments`)).text();
    if (now === before) return counters.parse(JSON.parse(now));
    before = now;
    await sleep(QUIET_MS);
  }
}

const QUIET_MS = 1_500;

const counters: z.ZodType<Counters> = z.object({
  objectRequests: z.number(),
  alarms: z.number(),
  objectRowsRead: z.number(),
  objectRowsWritten: z.number(),
  d1Queries: z.number(),
  d1RowsRead: z.number(),
  d1RowsWritten: z.number(),
  queueMessagesSent: z.number(),
  queueMessagesReceived: z.number(),
});

/**
 * Cloudflare's list prices of the paid plan, in US dollars per million, beyond what is included
 * (developers.cloudflare.com: workers, durable-objects, d1 and queues, platform/pricing).
 */
const PER_MILLION = {
  workerRequest: 0.3,
  objectRequest: 0.15,
  rowRead: 0.001,
  rowWritten: 1,
  queueOperation: 0.4,
};
/** A message is written, read and deleted. */
const OPERATIONS_PER_MESSAGE = 3;

/**
 * US dollars for a million executions of which each costs these counts, besides CPU time and the time
 * that objects stay in memory. An execution is one request to the Worker and one run of the consumer
 * for each message that it takes.
 */
export function pricePerMillion(counters: Counters): number {
  const { objectRequests, alarms, objectRowsRead, objectRowsWritten } = counters;
  const { d1RowsRead, d1RowsWritten, queueMessagesSent, queueMessagesReceived } = counters;
  return (
    (1 + queueMessagesReceived) * PER_MILLION.workerRequest +
    (objectRequests + alarms) * PER_MILLION.objectRequest +
    (objectRowsRead + d1RowsRead) * PER_MILLION.rowRead +
    (objectRowsWritten + d1RowsWritten) * PER_MILLION.rowWritten +
    queueMessagesSent * OPERATIONS_PER_MESSAGE * PER_MILLION.queueOperation
  );
}
