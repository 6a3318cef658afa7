import type { PromisedExecution } from "../contract/account.ts";
import { type AccountControls, controlsOf } from "../contract/operators.ts";
import type { SkipReason, StoredSchedule } from "../contract/schedule.ts";
import type { AlarmScheduler, Tasks } from "../durable/alarm-scheduler.ts";
import { type TableSql, textsOf } from "../durable/rows.ts";
import { inboxStub, sessionHostStub, slotHostStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { mapConcurrently, within } from "../lib/async.ts";
import { slotOf } from "../lib/execution-id.ts";
import { logError, logWarning } from "../lib/log.ts";
import { pagesOf } from "../lib/pages.ts";
import { setInboundControls } from "../records/accounts.ts";
import { pruneAudit } from "../records/audit.ts";
import { selectEndpoints } from "../records/endpoints.ts";
import { loadWorkflow } from "../records/workflows.ts";
import { draftOfSchedule } from "../workflows/draft.ts";
import { type Components, SUSPENDED } from "./components.ts";
import { tellChanges, tellsChanges, tellUsage } from "./daily.ts";
import { eraseAccount } from "./erasure.ts";
import { runJobs } from "./jobs.ts";
import type { PromisedRuns } from "./schedules.ts";

export const TASKS = [
  "start",
  "project",
  "watch",
  "prune",
  "publish",
  "halt",
  "erase",
  "schedule",
  "deliver",
  "alerts",
  "jobs",
  "changes",
  "usage",
  "events",
] as const;
export type TaskName = (typeof TASKS)[number];
/** The tasks whose times are stored; those of the others follow from the rows, without a write for each. */
export const STORED_TASKS: readonly TaskName[] = ["prune", "changes", "usage"];

/** A session starts right after its acceptance; this is when a lost start is repeated. */
export const START_BACKUP_MS = 3_000;
export const PRUNE_INTERVAL_MS = 6 * 3_600_000;
const DAY_MS = 86_400_000;
/** Changes in D1 are announced at once; those of this time again, in case the announcement failed. */
const CHANGES_MS = PRUNE_INTERVAL_MS + 600_000;
const HALT_AGAIN_MS = 10_000;
/** The calls that must end first take about a second. */
const ERASE_AGAIN_MS = 500;
const READ_TIMEOUT_MS = 10_000;
const CALL_TIMEOUT_MS = 10_000;
const CALLS_AT_ONCE = 8;
/** How often an account with live executions looks for silent ones. */
const WATCH_INTERVAL_MS = 15 * 60_000;
/** An active execution reports its steps; a model call, the longest that it waits for, takes ten minutes. */
const ACTIVE_MS = 15 * 60_000;
/** One that waits for input has nothing to report. */
const WAITING_MS = 6 * 3_600_000;
/** Endpoints that are read at once. */
const ENDPOINTS = 100;

/** What the tasks need of their account. */
interface TaskContext {
  env: CloudflareEnv;
  storage: DurableObjectStorage;
  alarms(): AlarmScheduler<TaskName>;
  /** Throws if the account does not exist. */
  components(): Components;
  /** Deletes the account's own object. */
  vanish(): Promise<void>;
  acceptBatch(runs: PromisedExecution[]): Promise<unknown>;
  /** Pauses a schedule. */
  pause(scheduleId: string): Promise<unknown>;
}

/** Returns the work of an account's wake-ups. */
export function accountTasks(context: TaskContext): Tasks<TaskName> {
  const { components } = context;
  return {
    start: () => (components().dispatcher.resume() ? Date.now() + START_BACKUP_MS : null),
    project: () => project(context),
    watch: (until) => watch(context, until),
    prune: () => {
      if (tellsChanges(components().destinations))
        context.alarms().setSooner("changes", Date.now());
      return prune(context.env, components());
    },
    publish: () => publish(context.env, components()),
    halt: (until) => halt(context, until),
    erase: (until) => erase(context, until),
    schedule: () => runSchedules(context),
    deliver: () => components().messages.send(),
    alerts: () => components().alerts.tellHeld(Date.now()),
    jobs: () => runJobs(context),
    changes: async () => {
      await tellChanges(context.env, components(), Date.now() - CHANGES_MS);
      return null;
    },
    usage: () => tellUsage(context.env, components(), Date.now()),
    events: (until) => components().subscriptions.advance(until),
  };
}

/** Starts the runs that are due. Their ids are stored before, so that a repeat starts no other. */
async function runSchedules(context: TaskContext): Promise<number | null> {
  const { schedules, ledger, controls } = context.components();
  const isActive = controls.status === "active";
  const promised = schedules.promise(Date.now());
  // In the turn that decided them, before anything else can fail.
  for (const { schedule, missed } of promised) noteRuns(context.components(), schedule, missed);
  for (const { schedule, runs } of promised) {
    if (runs.length === 0) continue;
    const { accountId } = ledger.record();
    const skipped = isActive ? await startRuns(context, accountId, schedule, runs) : "suspended";
    schedules.kept(schedule.scheduleId, skipped, Date.now());
    const missed =
      skipped === null ? [] : runs.map(({ scheduledFor: at }) => ({ at, why: skipped }));
    noteRuns(context.components(), schedule, missed);
    // Deleting a workflow pauses its schedules, but not one that is created meanwhile.
    if (skipped === "workflow_deleted") await context.pause(schedule.scheduleId);
  }
  return schedules.nextLook();
}

/** Raises the alert of runs of a schedule that did not start, or clears it if there are none. */
function noteRuns(
  { alerts }: Components,
  { scheduleId: id, name, workflowId }: StoredSchedule,
  missed: PromisedRuns["missed"],
): void {
  const last = missed.at(-1);
  if (last === undefined) {
    alerts.clear("schedule.missed", id, Date.now());
    return;
  }
  const resource = { kind: "schedule", id, name: name ?? id } as const;
  const scheduledFor = new Date(last.at).toISOString();
  const data = { scheduleId: id, workflowId, scheduledFor, reason: last.why };
  const page = `/dashboard/schedules/${id}`;
  const trouble = { type: "schedule.missed", resource, data, page, count: missed.length } as const;
  alerts.raise(trouble, Date.now());
}

/** Starts promised runs. Returns why they cannot be started, or null. */
async function startRuns(
  { env, acceptBatch }: TaskContext,
  accountId: string,
  { scheduleId, workflowId, inputs }: StoredSchedule,
  runs: PromisedRuns["runs"],
): Promise<SkipReason | null> {
  const workflow = await within("D1", READ_TIMEOUT_MS, loadWorkflow(env.DB, accountId, workflowId));
  if (workflow === null) {
    logWarning("schedule without a workflow", { scheduleId, workflowId });
    return "workflow_deleted";
  }
  const settings = settingsOf(env);
  await acceptBatch(
    runs.map(({ executionId, scheduledFor }) => {
      const run = { scheduleId, inputs, scheduledFor };
      return { executionId, draft: draftOfSchedule(workflow.definition, run, settings) };
    }),
  );
  return null;
}

async function project({ alarms, components }: TaskContext): Promise<number | null> {
  const { projector, ledger, outbox, pendingStarts, controls } = components();
  if (controls.erasure !== null) return null;
  const due = await projector.project(ledger.record().accountId);
  const now = Date.now();
  ledger.forget(outbox.takeConfirmed(now), now);
  // A start that was not lost needs no wake-up, which would cost an alarm of its own.
  if (pendingStarts.count === 0) alarms().set("start", null);
  if (ledger.live === 0) alarms().set("watch", null);
  else alarms().setSooner("watch", now + WATCH_INTERVAL_MS);
  return due;
}

async function watch(context: TaskContext, until: number): Promise<number | null> {
  const { ledger, pendingStarts, dispatcher } = context.components();
  if (ledger.live === 0) return null;
  const { accountId } = ledger.record();
  for (const executionId of await lookAfterSilent(context, accountId, until)) {
    pendingStarts.add(executionId);
    if (pendingStarts.get(executionId) === null) logError("execution lost", { executionId });
    dispatcher.dispatch([executionId]);
  }
  return Date.now() + WATCH_INTERVAL_MS;
}

/**
 * Wakes the hosts of executions that have not reported in time, with one call each, until a time in epoch
 * milliseconds: the platform may have dropped the alarm of their host, which it does after six failures.
 * Returns the executions that their hosts do not know.
 */
async function lookAfterSilent(
  { env, storage: { sql } }: { env: CloudflareEnv; storage: { sql: TableSql } },
  accountId: string,
  until: number,
): Promise<string[]> {
  const bySlot = Map.groupBy(silentIn(sql, Date.now()), slotOf);
  const unknown = await mapConcurrently(CALLS_AT_ONCE, [...bySlot], async ([slot, silent]) => {
    if (Date.now() >= until) return [];
    try {
      const call = slotHostStub(env, accountId, slot).lookAfter(silent);
      return await within("the host", CALL_TIMEOUT_MS, call);
    } catch (error) {
      logWarning("executions not looked after", { accountId, executionId: silent[0] }, error);
      return [];
    }
  });
  return unknown.flat();
}

/** Returns the live executions that have been silent for too long. */
function silentIn(sql: TableSql, now: number): string[] {
  const query = `SELECT execution_id FROM executions WHERE used IS NULL
    AND row ->> 'updatedAt' < CASE row ->> 'status' WHEN 'active' THEN ? ELSE ? END`;
  const active = new Date(now - ACTIVE_MS).toISOString();
  const waiting = new Date(now - WAITING_MS).toISOString();
  return textsOf(sql, query, active, waiting);
}

async function prune(
  env: CloudflareEnv,
  { outbox, ledger, audit, limitUse, messages, alerts, decisions, jobs, events }: Components,
): Promise<number> {
  const now = Date.now();
  messages.prune(now);
  alerts.prune(now);
  events.prune(now);
  audit.prune(now);
  limitUse.prune(now);
  decisions.prune(now - settingsOf(env).EXECUTION_RETENTION_DAYS * DAY_MS);
  jobs.prune(now);
  ledger.forget(outbox.takeConfirmed(now), now);
  ledger.prune(now);
  const { accountId } = ledger.record();
  // A database that does not answer must not keep the object from its own work: the next time will do.
  await within("D1", READ_TIMEOUT_MS, pruneAudit(env.DB, accountId, now)).catch((error: unknown) =>
    logError("audit log not pruned", { accountId }, error),
  );
  return now + PRUNE_INTERVAL_MS;
}

/** Publishes the newest controls: they may change again while it writes. */
async function publish(env: CloudflareEnv, { controls, ledger }: Components): Promise<null> {
  while (controls.isUnpublished) {
    const { revision } = controls;
    await publishControls(env, ledger.record().accountId, controls.current);
    if (controls.revision === revision) controls.setPublished();
  }
  return null;
}

/**
 * Gives the controls of an account to D1, from where every isolate reads them with an endpoint, and to the
 * inboxes of its endpoints, which refuse what was admitted under older ones. Repeating it does no harm.
 */
async function publishControls(
  env: CloudflareEnv,
  accountId: string,
  { status, quotas }: AccountControls,
): Promise<void> {
  const controls = controlsOf({ suspended: status !== "active", quotas });
  const stored = setInboundControls(env.DB, accountId, controls, Date.now());
  await within("D1", READ_TIMEOUT_MS, stored);
  const pages = pagesOf((after) =>
    within("D1", READ_TIMEOUT_MS, selectEndpoints(env.DB, accountId, after, ENDPOINTS)),
  );
  for await (const endpoints of pages) {
    await mapConcurrently(CALLS_AT_ONCE, endpoints, (config) =>
      within("the inbox", CALL_TIMEOUT_MS, inboxStub(env, config.endpointId).configure(config)),
    );
  }
}

/**
 * Stops what is live while the account is suspended. Those that wait for their start are stopped as they
 * start, and executions that were being accepted come later.
 */
async function halt({ env, components }: TaskContext, until: number) {
  const { controls, ledger, outbox, pendingStarts } = components();
  if (controls.status !== "suspended" || ledger.live === 0) return null;
  const { accountId } = ledger.record();
  const live = outbox.live().filter((executionId) => !pendingStarts.has(executionId));
  const command = { reason: SUSPENDED, ifVersion: null };
  await mapConcurrently(CALLS_AT_ONCE, live, async (executionId) => {
    if (Date.now() >= until) return;
    const stopped = sessionHostStub(env, accountId, executionId).stop(executionId, command);
    await within("the host", CALL_TIMEOUT_MS, stopped);
  });
  return ledger.live === 0 ? null : Date.now() + HALT_AGAIN_MS;
}

/** Erases the account, and at the end its own object. */
async function erase({ env, storage, components, vanish }: TaskContext, until: number) {
  const { controls, dispatcher, ledger } = components();
  if (controls.erasure === null) return null;
  const { accountId } = ledger.record();
  const isStarting = () => dispatcher.isStarting;
  const erasure = { env, sql: storage.sql, accountId, controls, isStarting };
  if (!(await eraseAccount(erasure, until))) return Date.now() + ERASE_AGAIN_MS;
  await vanish();
  return undefined;
}

/** Schedules what an earlier process left. */
export function resume(
  alarms: AlarmScheduler<TaskName>,
  components: Components,
  now: number,
): void {
  const { pendingStarts, outbox, ledger, schedules, messages, alerts, jobs, subscriptions } =
    components;
  alarms.load();
  if (pendingStarts.count > 0) alarms.set("start", now);
  if (outbox.waiting > 0) alarms.set("project", now);
  alarms.set("schedule", schedules.nextLook());
  alarms.set("deliver", messages.nextCheck);
  alarms.set("alerts", alerts.nextLook);
  alarms.set("jobs", jobs.nextLook());
  if (!subscriptions.isEmpty) alarms.setSooner("events", now);
  if (ledger.live > 0) alarms.set("watch", now + WATCH_INTERVAL_MS);
  follow(alarms, components, now);
}

/** Schedules what follows from the controls of an account. */
export function follow(
  alarms: AlarmScheduler<TaskName>,
  { controls, ledger, dispatcher }: Components,
  now: number,
): void {
  if (controls.isUnpublished) alarms.setSooner("publish", now);
  if (controls.erasure !== null) alarms.setSooner("erase", now);
  if (controls.status === "suspended" && ledger.live > 0) alarms.setSooner("halt", now);
  dispatcher.fill();
}
