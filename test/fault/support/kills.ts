import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createAccount } from "../../support/client.ts";
import { startModelServer } from "../../support/model-server/server.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { type Shop, startShop } from "./shop.ts";
import { type Job, jobOf, MODELS } from "./workload.ts";

/** The service among everything that it talks to. */
export interface World {
  service: TestService;
  client: Client;
  /** Granted to the client's account. */
  granted: number;
  shop: Shop;
  receiver: Receiver;
  callbackSecret: string;
  close(): Promise<void>;
}

/** A job whose trigger was answered with 202. */
export interface Accepted extends Job {
  executionId: string;
}

const MODEL_MS = 80;
const JOBS_PER_KILL = 50;
/** About as long as the jobs of one cycle take, so that a kill hits every phase. */
const KILL_WITHIN_MS = 3_000;

/** Starts the service, a shop, a model that takes a moment, and a receiver that fails now and then. */
export async function startWorld(): Promise<World> {
  const shop = await startShop();
  const model = await startModelServer({ delayMs: MODEL_MS, record: false });
  for (const [name, script] of Object.entries(MODELS)) model.script(name, script);
  const receiver = await startReceiver();
  receiver.answerWith(({ attempt, webhookId }) =>
    attempt === 1 && webhookId.charCodeAt(webhookId.length - 1) % 7 === 0 ? 500 : 200,
  );
  const service = await startTestService({ OPENAI_BASE_URL: model.baseUrl });
  const granted = 1_000_000;
  const client = await createAccount(service, { credits: granted });
  const parts = [service, model, receiver, shop];
  return {
    service,
    client,
    granted,
    shop,
    receiver,
    callbackSecret: "a secret of the fault tests",
    close: async () => void (await Promise.all(parts.map((part) => part.close()))),
  };
}

/**
 * Starts jobs and kills the whole service at a random moment while they run, `cycles` times. Triggers
 * that got no answer are sent again with their Idempotency-Key. Answers all jobs, each accepted.
 */
export async function runWithKills(
  world: World,
  cycles: number,
  random: () => number,
): Promise<Accepted[]> {
  const accepted: Promise<Accepted>[] = [];
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const jobs = jobsOf(world, cycle);
    accepted.push(...jobs.map((job) => triggerUntilAccepted(world.client, job)));
    const after = Math.round(random() * KILL_WITHIN_MS);
    await sleep(after);
    await world.service.kill9();
    console.info(`cycle ${cycle}: killed ${after} ms after the first trigger`);
    await world.service.restart();
  }
  return Promise.all(accepted);
}

function jobsOf({ shop, receiver, callbackSecret }: World, cycle: number): Job[] {
  const places = { shop: shop.origin, callbackUrl: receiver.url, callbackSecret };
  return Array.from({ length: JOBS_PER_KILL }, (_, n) => jobOf(n, `cycle${cycle}`, places));
}

/** Asks until there is an answer, as a careful client does: a dead service may have accepted. */
async function triggerUntilAccepted(client: Client, job: Job): Promise<Accepted> {
  const deadline = Date.now() + GIVE_UP_MS;
  for (;;) {
    try {
      const headers = { "Idempotency-Key": job.name };
      const signal = AbortSignal.timeout(ANSWER_MS);
      return { ...job, executionId: await client.trigger(job.input, headers, signal) };
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

const ANSWER_MS = 10_000;
const GIVE_UP_MS = 90_000;
