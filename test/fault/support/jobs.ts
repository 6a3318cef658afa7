import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { executionRow } from "../../../src/contract/execution.ts";
import { type Client, createAccount, type TriggerInput } from "../../support/client.ts";
import {
  type Behaviour,
  call,
  callsTools,
  finishes,
  type Script,
} from "../../support/model-server/behaviour.ts";
import { promptOf } from "../../support/model-server/chat-request.ts";
import { startModelServer } from "../../support/model-server/server.ts";
import {
  type Delivery,
  isSignedWith,
  type Receiver,
  startReceiver,
} from "../../support/receiver.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { type Shop, startShop } from "../../support/shop.ts";
import { eventually } from "./flood.ts";

/** The service and everything that it talks to. */
export interface World {
  service: TestService;
  client: Client;
  /** Granted to the client's account. */
  granted: number;
  shop: Shop;
  receiver: Receiver;
  /** Callbacks whose signature the stock verifier rejected. It accepts none that is older than five minutes. */
  badlySigned: Delivery[];
  close(): Promise<void>;
}

/** A job whose trigger was answered with 202. */
export interface Accepted extends Job {
  executionId: string;
}

const MODEL_MS = 80;
/** The jobs that are started before each kill. */
export const JOBS_PER_KILL = 30;
const CALLBACK_SECRET = "a secret of the fault tests";
/** About as long as the jobs of one cycle take, so that a kill hits every phase: at least this. */
const KILL_WITHIN_MS = 3_000;
/** Those jobs take about this many times as long as a start of the service, on a machine of any speed. */
const STARTS_PER_CYCLE = 1.5;

/** The credits that each job holds while it runs. */
const CREDITS_PER_JOB = 20;
/**
 * No more work begins while an execution still runs that was there so many kills ago: on a slow machine each
 * comes to a step ever more seldom, and the service gives up what it was interrupted in eight times.
 */
const KILLS_OF_ONE = 5;

/** Starts the service, a shop, a model that takes a moment, and a receiver that fails now and then. */
export async function startWorld(): Promise<World> {
  const shop = await startShop();
  const model = await startModelServer({ delayMs: MODEL_MS, record: false });
  for (const [name, script] of Object.entries(MODELS)) model.script(name, script);
  const receiver = await startReceiver();
  const badlySigned: Delivery[] = [];
  receiver.answerWith((delivery) => {
    if (!isSignedWith(CALLBACK_SECRET, delivery)) badlySigned.push(delivery);
    const { attempt, webhookId } = delivery;
    return attempt === 1 && webhookId.charCodeAt(webhookId.length - 1) % 7 === 0 ? 500 : 200;
  });
  const service = await startTestService({ OPENAI_BASE_URL: model.baseUrl });
  const granted = 1_000_000;
  // A slow machine has the jobs of many kills at once.
  const quotas = { activeExecutions: 1_000_000 };
  const client = await createAccount(service, { credits: granted, quotas });
  const parts = [service, model, receiver, shop];
  return {
    service,
    client,
    granted,
    shop,
    receiver,
    badlySigned,
    close: async () => void (await Promise.all(parts.map((part) => part.close()))),
  };
}

/**
 * Starts jobs and kills the whole service at a random moment while they run, `kills` times. Triggers
 * that got no answer are sent again with their Idempotency-Key. Returns all jobs, each accepted.
 */
export async function runWithKills(
  world: World,
  kills: number,
  patienceMs: number,
): Promise<Accepted[]> {
  const accepted: Promise<Accepted>[] = [];
  const caughtUp = boundLag(world, patienceMs);
  await killAgain(world, kills, async (cycle) => {
    await caughtUp();
    const jobs = jobsOf(world, cycle);
    accepted.push(...jobs.map((job) => triggerUntilAccepted(world.client, job, patienceMs)));
  });
  return Promise.all(accepted);
}

/** Returns what waits, before the work of each cycle, until the executions of much earlier ones have ended. */
export function boundLag(
  { client }: Pick<World, "client">,
  patienceMs: number,
): () => Promise<void> {
  const begun: string[] = [];
  return async () => {
    const since = begun.at(-KILLS_OF_ONE) ?? "";
    await eventually(async () => {
      const response = await client.request("GET", "/trigger/list?status=active&limit=100");
      const { executions } = active.parse(await response.json());
      return executions.length < 100 && executions.every(({ createdAt }) => createdAt >= since);
    }, patienceMs);
    begun.push(new Date().toISOString());
  };
}

const active = z.object({ executions: z.array(executionRow) });

/** Begins some work and kills the whole service at a random moment after that, `kills` times. */
export async function killAgain(
  { service }: Pick<World, "service">,
  kills: number,
  begin: (cycle: number) => Promise<void> | void,
): Promise<void> {
  const random = seededRandom(chooseSeed());
  let within = KILL_WITHIN_MS;
  for (let cycle = 1; cycle <= kills; cycle += 1) {
    await begin(cycle);
    const after = Math.round(random() * within);
    await sleep(after);
    await service.kill9();
    const killed = performance.now();
    await service.restart();
    const started = Math.round(performance.now() - killed);
    console.info(
      `cycle ${cycle}: killed ${after} ms after its work began, started in ${started} ms`,
    );
    // A slow machine that is killed as soon as a quick one would never get anything done.
    within = Math.max(KILL_WITHIN_MS, started * STARTS_PER_CYCLE);
  }
}

function jobsOf({ shop, receiver }: World, cycle: number): Job[] {
  const places = {
    shop: shop.origin,
    callbackUrl: receiver.url,
    callbackSecret: CALLBACK_SECRET,
  };
  return Array.from({ length: JOBS_PER_KILL }, (_, n) => jobOf(n, `cycle${cycle}`, places));
}

/** Asks until there is an answer, as a careful client does: a dead service may have accepted. */
export async function triggerUntilAccepted(
  client: Client,
  job: Job,
  patienceMs: number,
): Promise<Accepted> {
  const deadline = Date.now() + patienceMs;
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

/** What one execution of a fault test is asked to do. */
interface Job {
  /** Names it everywhere: its Idempotency-Key, its orders, its metadata. */
  name: string;
  input: TriggerInput;
}

interface Places {
  shop: string;
  callbackUrl: string;
  callbackSecret: string;
}

/**
 * The n-th job: by turns pages read by the demo model, pages read by a model, orders placed by a model.
 * Two of three ask for a callback.
 */
function jobOf(number: number, prefix: string, places: Places): Job {
  const name = `${prefix}-${number}`;
  const kinds = [readByDemo, readByModel, orderByModel];
  const input = (kinds[number % kinds.length] ?? readByDemo)(name, places.shop);
  const { callbackUrl, callbackSecret } = places;
  const callback = number % 9 < 6 ? { callbackUrl, callbackSecret } : {};
  return {
    name,
    input: { ...input, ...callback, maxCredits: CREDITS_PER_JOB, metadata: { name } },
  };
}

function readByDemo(_: string, shop: string): TriggerInput {
  return { prompt: `sum price from ${shop}/pages/1, then sum price from ${shop}/pages/2` };
}

function readByModel(_: string, shop: string): TriggerInput {
  return { prompt: `read ${shop}`, model: "openai/reader" };
}

function orderByModel(name: string, shop: string): TriggerInput {
  return { prompt: `order ${shop}/orders/${name}`, model: "openai/buyer" };
}

/** The models of the jobs. They keep nothing: the n-th step of a conversation is always the same. */
const MODELS: Record<string, Script> = {
  reader: (request) => {
    const [, shop] = wordsOf(request);
    const pages = [1, 2, 3].map((page) =>
      callsTools(call("browse", { url: `${shop}/pages/${page}` })),
    );
    return stepOf(request, [...pages, finishes("read three pages")]);
  },
  buyer: (request) => {
    const [, target] = wordsOf(request);
    const order = (part: string) =>
      callsTools(
        call("http_request", { method: "POST", url: `${target}/${part}`, body: { part } }),
      );
    return stepOf(request, [order("first"), order("second"), finishes("ordered twice")]);
  },
  greeter: () => finishes("Greeted."),
  waiter: (request) => {
    const [, endpointId, job] = wordsOf(request);
    const when = { path: "job", equals: job };
    const since = new Date(0).toISOString();
    const wait = call("wait_for_event", { endpointId, when, since, timeoutSeconds: 86_400 });
    return stepOf(request, [callsTools(wait), finishes("woken")]);
  },
};

type Request = Parameters<Extract<Script, (...args: never) => unknown>>[0];

function stepOf({ messages }: Request, steps: Behaviour[]): Behaviour {
  const step = messages.filter(({ role }) => role === "assistant").length;
  return steps[step] ?? finishes("nothing left to do");
}

/** The words of the prompt, which is the first user message. */
function wordsOf(request: Request): string[] {
  return promptOf(request).trim().split(/\s+/);
}

/** Returns a generator of numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns and prints a new seed, or the one in FAULT_SEED to repeat a failure. */
function chooseSeed(): number {
  const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 32));
  console.info(`FAULT_SEED=${seed}`);
  return seed;
}
