import * as z from "zod";
import { type ExecutionRow, executionStatus } from "../contract/execution.ts";
import { jsonObject } from "../contract/json.ts";
import {
  isIdentityChanged,
  type ManagedBy,
  managedBy,
  stamped,
  withIdentity,
} from "../contract/managed.ts";
import {
  type ScheduleChange,
  type ScheduleCommand,
  type ScheduleReply,
  type SkipReason,
  type StoredRun,
  type StoredSchedule,
  scheduleRules,
  storedRun,
  timing,
} from "../contract/schedule.ts";
import { jsonColumn, type TableStorage, Tables } from "../durable/rows.ts";
import { newExecutionId, withSlot } from "../lib/execution-id.ts";
import { canonicalJson } from "../lib/json-values.ts";
import { decideRuns } from "../workflows/due.ts";
import { nextOccurrence } from "../workflows/occurrences.ts";

/** The most schedules of an account. */
const MAX_SCHEDULES = 1_000;
/** The last runs that a schedule shows. */
const SHOWN_RUNS = 10;

const times = jsonColumn(z.array(z.int()));
const settings = scheduleRules.extend({
  timing,
  inputs: jsonObject,
  name: z.string().nullable().default(null),
});

const scheduleRow = z.object({
  schedule_id: z.string(),
  workflow_id: z.string(),
  settings: jsonColumn<z.output<typeof settings>>(settings),
  enabled: z.int(),
  next_at: z.int().nullable(),
  look_at: z.int().nullable(),
  waiting: z.int(),
  waiting_for: times,
  live: z.string().nullable(),
  /** Executions that are decided and may not be accepted yet. */
  promised: jsonColumn(z.array(z.uuid())),
  promised_for: times,
  last_runs: jsonColumn(z.array(storedRun)),
  revision: z.int(),
  external_id: z.string().nullable(),
  managed_by: jsonColumn<ManagedBy>(managedBy),
  created_at: z.int(),
  updated_at: z.int(),
});
type ScheduleRow = z.infer<typeof scheduleRow>;

/** A paused schedule has nothing to do but what it has decided. */
const LOOKS = "(enabled = 1 OR promised <> '[]')";

const countRow = z.object({ count: z.int() });
const timeRow = z.object({ at: z.int().nullable() });
const statusRow = z.object({ execution_id: z.string(), status: executionStatus });

/**
 * A schedule whose executions are to be accepted, with the times that they stand for, and the times for
 * which none will start although its settings do not ask for that.
 */
export interface PromisedRuns {
  schedule: StoredSchedule;
  runs: { executionId: string; scheduledFor: number }[];
  missed: { at: number; why: SkipReason }[];
}

/** An execution that has ended. */
type Ended = Pick<ExecutionRow, "executionId" | "status" | "origin" | "metadata">;

/** The schedules of an account. */
export class Schedules extends Tables {
  readonly #storage: Pick<TableStorage, "transactionSync">;
  readonly #slots: (count: number) => number[];

  /** `slots` returns the slots for so many further executions. */
  constructor(storage: TableStorage, slots: (count: number) => number[]) {
    super(storage.sql);
    this.#storage = storage;
    this.#slots = slots;
  }

  handle(command: ScheduleCommand, now: number): ScheduleReply {
    switch (command.do) {
      case "create":
        return this.#create(command.schedule);
      case "update":
        return this.#storage.transactionSync(() => this.#update(command, now));
      case "list":
        return { done: true, schedules: this.#rows("1 = 1").map((row) => this.#shown(row)) };
      case "get": {
        const found = this.find(command.scheduleId);
        return { done: true, schedules: found === null ? [] : [found] };
      }
      case "find": {
        const rows = this.#rows("external_id = ?", command.externalId);
        return { done: true, schedules: rows.map((row) => this.#shown(row)) };
      }
      case "remove":
        this.sql.exec("DELETE FROM schedules WHERE schedule_id = ?", command.scheduleId);
        return { done: true, schedules: [] };
    }
  }

  /** Returns a schedule, or null if there is none. */
  find(scheduleId: string): StoredSchedule | null {
    const row = this.#row(scheduleId);
    return row === null ? null : this.#shown(row);
  }

  /** Stores a schedule, unless the account has the most that it may have, or another one of its name. */
  #create(schedule: StoredSchedule): ScheduleReply {
    const { scheduleId, externalId } = schedule;
    const isRepeat = this.#row(scheduleId) !== null;
    if (!isRepeat && this.#isFull()) return { done: false, schedules: [], why: "full" };
    if (this.#isTaken(externalId, scheduleId)) return { done: false, schedules: [], why: "taken" };
    this.insert(
      "schedules",
      {
        ...columnsOf(schedule),
        schedule_id: scheduleId,
        look_at: schedule.nextAt,
        waiting: 0,
        promised: "[]",
        created_at: schedule.createdAt,
      },
      "ON CONFLICT (schedule_id) DO NOTHING",
    );
    return { done: true, schedules: [] };
  }

  /** Changes a schedule. Runs that are due are decided under its old settings, each once. */
  #update(
    { scheduleId, change, ifRevision }: ScheduleCommand & { do: "update" },
    now: number,
  ): ScheduleReply {
    const before = this.#row(scheduleId);
    if (before === null) return { done: false, schedules: [] };
    const current = [this.#shown(before)];
    if (ifRevision !== undefined && ifRevision !== before.revision)
      return { done: false, schedules: current, why: "revision" };
    if (this.#isTaken(change.externalId ?? null, scheduleId))
      return { done: false, schedules: current, why: "taken" };
    const isDue = before.enabled === 1 && before.next_at !== null && before.next_at <= now;
    if (isDue) this.#promise(before, now);
    const row = this.#row(scheduleId) ?? before;
    const after = changedSchedule(scheduleOf(row), change, now);
    const look = { look_at: this.#lookOf({ ...row, next_at: after.nextAt }, now) };
    this.#set(scheduleId, { ...columnsOf(after), ...look });
    const updated = this.#row(scheduleId) ?? row;
    return { done: true, schedules: [this.#shown(updated)] };
  }

  /** Returns when to look next, in epoch milliseconds, or null. */
  nextLook(): number | null {
    const next = `SELECT min(look_at) AS at FROM schedules WHERE ${LOOKS}`;
    return this.first(timeRow, next)?.at ?? null;
  }

  /**
   * Decides the runs that are due, and stores the ids of their executions with the next times, in one
   * transaction: whatever happens after it, the same ids are accepted.
   */
  promise(now: number): PromisedRuns[] {
    return this.#storage.transactionSync(() =>
      this.#rows(`${LOOKS} AND look_at <= ?`, now).map((row) => this.#promise(row, now)),
    );
  }

  #promise(row: ScheduleRow, now: number): PromisedRuns {
    const schedule = scheduleOf(row);
    // Those of an earlier look come first: they may not be accepted yet.
    if (row.promised.length > 0) return { schedule, runs: runsOf(row, now), missed: [] };
    const waiting = lastOf(row.waiting_for, row.waiting, now);
    const due = decideRuns(schedule, { waiting, isLive: this.#isLive(row.live), now });
    const executionIds = this.#slots(due.starts.length).map((slot) =>
      withSlot(newExecutionId(), slot),
    );
    const promised = { promised: executionIds, promised_for: due.starts };
    const runs = runsOf(promised, now);
    const decided: StoredRun[] = [
      ...runs.map((run) => ({ ...run, status: null, skipped: null })),
      ...due.skipped.map(({ at, why }) => ({ ...NOT_STARTED, scheduledFor: at, skipped: why })),
    ];
    const lastRuns = [
      ...decided.sort((a, b) => b.scheduledFor - a.scheduledFor),
      ...row.last_runs,
    ].slice(0, SHOWN_RUNS);
    this.#set(row.schedule_id, {
      next_at: due.nextAt,
      look_at: executionIds.length > 0 ? now : due.nextAt,
      waiting: due.waiting.length,
      waiting_for: JSON.stringify(due.waiting),
      promised: JSON.stringify(executionIds),
      promised_for: JSON.stringify(due.starts),
      last_runs: JSON.stringify(lastRuns),
      live: executionIds.at(-1) ?? row.live,
    });
    return { schedule, runs, missed: due.skipped.filter(({ why }) => why !== "overlap") };
  }

  /** Notes that the promised executions of a schedule are accepted or, for a reason, will not be. */
  kept(scheduleId: string, skipped: SkipReason | null, now: number): void {
    const row = this.#row(scheduleId);
    if (row === null) return;
    const lastRuns = row.last_runs.map(({ scheduledFor, ...run }) =>
      skipped !== null && run.executionId !== null && row.promised.includes(run.executionId)
        ? { ...NOT_STARTED, scheduledFor, skipped }
        : { scheduledFor, ...run },
    );
    this.#set(scheduleId, {
      promised: "[]",
      promised_for: "[]",
      last_runs: JSON.stringify(lastRuns),
      look_at: this.#lookOf({ ...row, promised: [] }, now),
    });
  }

  /** Notes the end of an execution. Returns whether a run of its schedule waited for that. */
  ended({ executionId, status, origin, metadata }: Ended, now: number): boolean {
    const { scheduleId } = metadata;
    if (origin !== "schedule" || scheduleId === undefined) return false;
    const row = this.#row(scheduleId);
    if (row === null) return false;
    const isAwaited = row.live === executionId && row.waiting > 0;
    const isShown = row.last_runs.some((run) => run.executionId === executionId);
    if (!isAwaited && !isShown) return false;
    const lastRuns = row.last_runs.map((run) =>
      run.executionId === executionId ? { ...run, status } : run,
    );
    const look = isAwaited ? now : row.look_at;
    this.#set(scheduleId, { last_runs: JSON.stringify(lastRuns), look_at: look });
    return isAwaited;
  }

  /** Returns when to look at a schedule next. The end of an execution brings that of a run that waits. */
  #lookOf(
    {
      promised,
      waiting,
      live,
      next_at,
    }: Pick<ScheduleRow, "promised" | "waiting" | "live" | "next_at">,
    now: number,
  ): number | null {
    return promised.length > 0 || (waiting > 0 && !this.#isLive(live)) ? now : next_at;
  }

  /** Returns a schedule with the status of its live executions. */
  #shown(row: ScheduleRow): StoredSchedule {
    const schedule = scheduleOf(row);
    const open = schedule.lastRuns.flatMap(({ executionId, status }) =>
      status === null && executionId !== null ? [executionId] : [],
    );
    if (open.length === 0) return schedule;
    const query = `SELECT execution_id, row ->> 'status' AS status FROM executions
      WHERE execution_id IN (SELECT value FROM json_each(?))`;
    const found = this.rows(statusRow, query, JSON.stringify(open));
    const statuses = new Map(found.map(({ execution_id: id, status }) => [id, status]));
    const lastRuns = schedule.lastRuns.map((run) => ({
      ...run,
      status: run.status ?? statuses.get(run.executionId ?? "") ?? null,
    }));
    return { ...schedule, lastRuns };
  }

  #isLive(executionId: string | null): boolean {
    if (executionId === null) return false;
    const live = "SELECT 1 FROM executions WHERE execution_id = ? AND used IS NULL";
    return this.exists(live, executionId);
  }

  #set(scheduleId: string, changes: Record<string, SqlStorageValue>): void {
    this.update("schedules", changes, "schedule_id = ?", scheduleId);
  }

  #row(scheduleId: string): ScheduleRow | null {
    return this.#rows("schedule_id = ?", scheduleId)[0] ?? null;
  }

  #isTaken(externalId: string | null, scheduleId: string): boolean {
    const others = "external_id = ? AND schedule_id <> ?";
    return externalId !== null && this.#rows(others, externalId, scheduleId).length > 0;
  }

  #isFull(): boolean {
    const counted = this.first(countRow, "SELECT count(*) AS count FROM schedules");
    return (counted?.count ?? 0) >= MAX_SCHEDULES;
  }

  #rows(condition: string, ...values: (string | number)[]): ScheduleRow[] {
    return this.rows(scheduleRow, `SELECT * FROM schedules WHERE ${condition}`, ...values);
  }
}

const NOT_STARTED = { executionId: null, status: null };

/** Returns the promised runs of a schedule. */
function runsOf(
  { promised, promised_for }: Pick<ScheduleRow, "promised" | "promised_for">,
  now: number,
): PromisedRuns["runs"] {
  const at = lastOf(promised_for, promised.length, now);
  return promised.map((executionId, n) => ({ executionId, scheduledFor: at[n] ?? now }));
}

/** Returns the last times. Older code counted runs without them: those it noted stand for now. */
function lastOf(known: readonly number[], count: number, now: number): number[] {
  const lacking = Math.max(0, count - known.length);
  return [...Array<number>(lacking).fill(now), ...known.slice(known.length - (count - lacking))];
}

/** Returns a schedule after a change: another revision only if its settings differ. */
export function changedSchedule(
  before: StoredSchedule,
  { timeZone, timing: given, ...change }: ScheduleChange,
  now: number,
): StoredSchedule {
  const { timing: old, createdAt } = before;
  const { name = before.name, workflowId = before.workflowId, enabled = before.enabled } = change;
  const { inputs = before.inputs, overlap = before.overlap, catchUp = before.catchUp } = change;
  const when = given ?? { ...old, timeZone: timeZone ?? old.timeZone };
  const isMoved = canonicalJson(when) !== canonicalJson(old) || !before.enabled;
  const after = {
    ...before,
    ...{ name, workflowId, inputs, timing: when, overlap, catchUp, enabled },
    nextAt: isMoved ? nextOccurrence(when, createdAt, now) : before.nextAt,
    updatedAt: now,
  };
  const revision = before.revision + (settingsText(before) === settingsText(after) ? 0 : 1);
  return { ...after, revision, ...stamped(withIdentity(before, change), revision) };
}

function settingsText(schedule: StoredSchedule): string {
  const { name, workflowId, inputs, timing: when, overlap, catchUp, enabled } = schedule;
  return canonicalJson({ name, workflowId, inputs, timing: when, overlap, catchUp, enabled });
}

/** Returns whether a change left something else than there was. */
export function isChanged(before: StoredSchedule, after: StoredSchedule): boolean {
  return before.revision !== after.revision || isIdentityChanged(before, after);
}

/** Returns the columns of a schedule that a change of it can change. */
function columnsOf(schedule: StoredSchedule) {
  const { timing: when, inputs, overlap, catchUp, name } = schedule;
  return {
    workflow_id: schedule.workflowId,
    settings: JSON.stringify({ timing: when, inputs, overlap, catchUp, name }),
    enabled: Number(schedule.enabled),
    next_at: schedule.nextAt,
    updated_at: schedule.updatedAt,
    revision: schedule.revision,
    external_id: schedule.externalId,
    managed_by: JSON.stringify(schedule.managedBy),
  };
}

function scheduleOf(row: ScheduleRow): StoredSchedule {
  const { timing: when } = row.settings;
  return {
    ...row.settings,
    // As it was given; what is the same time is the same setting.
    timing: "at" in when ? { ...when, at: new Date(when.at).toISOString() } : when,
    scheduleId: row.schedule_id,
    workflowId: row.workflow_id,
    enabled: row.enabled === 1,
    nextAt: row.next_at,
    lastRuns: row.last_runs,
    revision: row.revision,
    externalId: row.external_id,
    managedBy: row.managed_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
