import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { AlarmScheduler, Due, Tasks } from "../durable/alarm-scheduler.ts";
import { accountStub, sessionHostStub } from "../durable/stubs.ts";
import { within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import { loadByAddress } from "../records/endpoints.ts";
import type { Components } from "./components.ts";
import { applyConfig, releaseHeld } from "./held.ts";
import { advanceCases, type SessionCalls } from "./session-calls.ts";
import { wakeWaiters } from "./waiters.ts";

export const TASKS = [
  "drain",
  "release",
  "cases",
  "wake",
  "events",
  "source",
  "look",
  "lookAgain",
  "retain",
  "learn",
  "health",
] as const;
export type TaskName = (typeof TASKS)[number];

const READ_TIMEOUT_MS = 10_000;
/** Longer than a read may take, and longer than a change stays announced before it arrives. */
const LOOK_INTERVAL_MS = 15_000;
/** Learning waits while many requests arrive, for as long as they do. */
const LEARN_LATER_MS = 1_000;
/** Leaves the thread to requests between two portions. */
const LEARN_PAUSE_MS = 250;
const LEARN_PORTIONS = 5;
const REPORT_TIMEOUT_MS = 10_000;

/** What the tasks need of their inbox. */
interface TaskContext {
  env(): CloudflareEnv;
  storage: DurableObjectStorage;
  alarms(): AlarmScheduler<TaskName>;
  /** Null before the first configuration, and after the endpoint's removal. */
  components(): Components | null;
  /** Sends the requests that a new configuration or a case made ready. */
  adopted(components: Components): void;
  /** Removes everything that is stored. */
  vanish(): Promise<void>;
}

type Task = (components: Components, context: TaskContext, until: number) => Promise<Due>;

/** Returns the work of an inbox's wake-ups, none while it has no components. */
export function inboxTasks(context: TaskContext): Tasks<TaskName> {
  const task = (work: Task) => async (until: number) => {
    const components = context.components();
    return components === null ? null : await work(components, context, until);
  };
  return {
    drain: task(async ({ dispatcher }) => dispatcher.resume()),
    release: task(release),
    cases: task(advance),
    wake: task(wake),
    events: task(({ subscriptions }, _, until) => subscriptions.advance(until)),
    source: task(({ follower }) => follower.advance()),
    look: task((components) => look("look", components, context)),
    lookAgain: task((components) => look("lookAgain", components, context)),
    retain: task(retain),
    learn: task(learn),
    health: task(reportHealth),
  };
}

/**
 * Reads the configuration from D1, in case the process that changed it died before it reported the
 * change: also after a report, since of two changes at once the other may be the newer.
 */
async function look(
  name: "look" | "lookAgain",
  { configs }: Components,
  context: TaskContext,
): Promise<Due> {
  const { alarms, env } = context;
  const { endpointId } = configs.current;
  const again = Date.now() + LOOK_INTERVAL_MS;
  alarms().set(name, again);
  let config: EndpointConfig | null;
  try {
    config = await within("D1", READ_TIMEOUT_MS, loadByAddress(env().DB, endpointId));
  } catch (error) {
    logWarning("configuration not read", { endpointId }, error);
    return undefined;
  }
  // The endpoint may be gone by now.
  const components = context.components();
  if (components === null) return null;
  // A change that was announced meanwhile has set another time, which is not too early for it.
  if (alarms().at(name) === again) alarms().set(name, null);
  if (config !== null && applyConfig(components, config, Date.now())) context.adopted(components);
  return undefined;
}

/** Releases what is held, a portion at a time: after each, requests are dispatched. */
async function release(components: Components, context: TaskContext, until: number): Promise<Due> {
  const { storage } = context;
  const more = await releaseHeld({ ...components, storage, now: Date.now }, until);
  if (context.components() === components) context.adopted(components);
  return more ? Date.now() : null;
}

async function advance(components: Components, context: TaskContext, until: number): Promise<Due> {
  const due = await advanceCases({ components, ...callsOf(context, components) }, until);
  context.adopted(components);
  return due;
}

async function wake(components: Components, context: TaskContext, until: number): Promise<Due> {
  const { waiters, configs, log } = components;
  const isForOne = (seq: number) => {
    const alone = configs.current.routing?.routes.filter((route) => route.wake === "one") ?? [];
    const matches = alone.length === 0 ? [] : (log.at(seq)?.facts.routes ?? []);
    return matches.some(({ name, matched }) => matched && alone.some((one) => one.name === name));
  };
  const isDeleted = () => configs.current.deleted;
  const calls = callsOf(context, components);
  return await wakeWaiters({ waiters, isForOne, isDeleted, ...calls }, until);
}

function callsOf({ env, storage }: TaskContext, { configs, reader }: Components): SessionCalls {
  return {
    storage,
    host: (executionId) => sessionHostStub(env(), configs.current.accountId, executionId),
    requestAt: (seq) => reader.requestAt(seq),
    now: Date.now,
  };
}

async function retain(
  { configs, retention }: Components,
  { storage, vanish }: TaskContext,
): Promise<Due> {
  const { retentionDays, deleted } = configs.current;
  const next = storage.transactionSync(() => retention.sweep(retentionDays, Date.now()));
  if (next === null && deleted) await vanish();
  return next;
}

/** Reports an endpoint that begins to fail, goes on failing or has recovered. */
async function reportHealth({ watch, configs }: Components, { env }: TaskContext): Promise<Due> {
  const now = Date.now();
  const health = watch.check(configs.current, now);
  if (health === null) return watch.nextCheck(now);
  const account = accountStub(env(), configs.current.accountId);
  await within("the account", REPORT_TIMEOUT_MS, account.noteEndpoint(health));
  watch.reported(health, now);
  return null;
}

async function learn({ batcher, learner }: Components): Promise<Due> {
  const now = Date.now();
  if (batcher.isBusy(now)) return now + LEARN_LATER_MS;
  let more = true;
  for (let n = 0; more && n < LEARN_PORTIONS; n += 1) more = await learner.advance();
  return more ? Date.now() + LEARN_PAUSE_MS : null;
}
