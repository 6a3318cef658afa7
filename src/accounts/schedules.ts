import * as z from "zod";
import { type ExecutionRow, executionStatus } from "../contract/execution.ts";
import { jsonObject } from "../contract/json.ts";
import { type ManagedBy, managedBy, stamped, withIdentity } from "../contract/revision.ts";
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
import { jsonColumn, type Row, rowShape, type TableStorage, Tables } from "../durable/rows.ts";
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

const storedRow = rowShape({
  scheduleId: z.string(),
  workflowId: z.string(),
  settings: jsonColumn<z.output<typeof settings>>(settings),
  enabled: z.int().transform(Boolean),
  nextAt: z.int().nullable(),
  lookAt: z.int().nullable(),
  waiting: z.int(),
  waitingFor: times,
  live: z.string().nullable(),
  /** Executions that are decided and may not be accepted yet. */
  promised: jsonColumn(z.array(z.uuid())),
  promisedFor: times,
  lastRuns: jsonColumn(z.array(storedRun)),
  revision: z.int(),
  externalId: z.string().nullable(),
  managedBy: jsonColumn<ManagedBy>(managedBy),
  createdAt: z.int(),
  updatedAt: z.int(),
});

/** A schedule, and what its account keeps to run it. */
const scheduleRow = storedRow.transform(({ settings: { timing: when, ...rules }, ...row }) => {
  const { lookAt, waiting, waitingFor, live, promised, promisedFor, ...columns } = row;
  // As it was given; what is the same time is the same setting.
  const exact = "at" in when ? { ...when, at: new Date(when.at).toISOString() } : when;
  const schedule: StoredSchedule = { ...columns, ...rules, timing: exact };
  return { schedule, lookAt, waiting, waitingFor, live, promised, promisedFor };
});
type ScheduleRow = z.infer<typeof scheduleRow>;

/** A paused schedule has nothing to do but what it has decided. */
const LOOKS = "(enabled = 1 OR promised <> '[]')";

const statusRow = rowShape({ executionId: z.string(), status: executionStatus });

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
        return this.#found("1 = 1");
      case "get":
        return this.#found("schedule_id = ?", command.scheduleId);
      case "find":
        return this.#found("external_id = ?", command.externalId);
      case "remove":
        this.sql.exec("DELETE FROM schedules WHERE schedule_id = ?", command.scheduleId);
        return { done: true, schedules: [] };
    }
  }

  /** Returns a schedule, or null if there is none. */
  find(scheduleId: string): StoredSchedule | null {
    return this.#found("schedule_id = ?", scheduleId).schedules[0] ?? null;
  }

  /** Stores a schedule, unless the account has the most that it may have, or another one of its name. */
  #create(schedule: StoredSchedule): ScheduleReply {
    const { scheduleId, externalId, nextAt: lookAt } = schedule;
    const isFull = this.exists("SELECT 1 FROM schedules LIMIT 1 OFFSET ?", MAX_SCHEDULES - 1);
    if (isFull && this.#row(scheduleId) === null)
      return { done: false, schedules: [], why: "full" };
    if (this.#isTaken(externalId, scheduleId)) return { done: false, schedules: [], why: "taken" };
    const row = { ...columnsOf(schedule), lookAt, waiting: 0, promised: [] };
    this.insert("schedules", row, "ON CONFLICT (schedule_id) DO NOTHING");
    return { done: true, schedules: [] };
  }

  /** Changes a schedule. Runs that are due are decided under its old settings, each once. */
  #update(
    { scheduleId, change, ifRevision }: ScheduleCommand & { do: "update" },
    now: number,
  ): ScheduleReply {
    const before = this.#row(scheduleId);
    if (before === null) return { done: false, schedules: [] };
    const { enabled, nextAt, revision } = before.schedule;
    if (ifRevision !== undefined && ifRevision !== revision)
      return { done: false, schedules: [], why: "revision" };
    if (this.#isTaken(change.externalId ?? null, scheduleId))
      return { done: false, schedules: [], why: "taken" };
    if (enabled && nextAt !== null && nextAt <= now) this.#promise(before, now);
    const row = this.#row(scheduleId) ?? before;
    const after = changedSchedule(row.schedule, change, now);
    const lookAt = this.#lookOf(row, after.nextAt, now);
    this.#set(scheduleId, { ...columnsOf(after), lookAt });
    const updated = this.#row(scheduleId) ?? row;
    return { done: true, schedules: [this.#shown(updated)] };
  }

  /** Returns when to look next, in epoch milliseconds, or null. */
  nextLook(): number | null {
    return this.number(`SELECT min(look_at) FROM schedules WHERE ${LOOKS}`);
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
    const { schedule } = row;
    // Those of an earlier look come first: they may not be accepted yet.
    if (row.promised.length > 0) return { schedule, runs: runsOf(row, now), missed: [] };
    const waiting = lastOf(row.waitingFor, row.waiting, now);
    const due = decideRuns(schedule, { waiting, isLive: this.#isLive(row.live), now });
    const executionIds = this.#slots(due.starts.length).map((slot) =>
      withSlot(newExecutionId(), slot),
    );
    const promised = { promised: executionIds, promisedFor: due.starts };
    const runs = runsOf(promised, now);
    const decided: StoredRun[] = [
      ...runs.map((run) => ({ ...run, status: null, skipped: null })),
      ...due.skipped.map(({ at, why }) => ({ ...NOT_STARTED, scheduledFor: at, skipped: why })),
    ];
    const lastRuns = [
      ...decided.sort((a, b) => b.scheduledFor - a.scheduledFor),
      ...schedule.lastRuns,
    ].slice(0, SHOWN_RUNS);
    this.#set(schedule.scheduleId, {
      ...promised,
      nextAt: due.nextAt,
      lookAt: executionIds.length > 0 ? now : due.nextAt,
      waiting: due.waiting.length,
      waitingFor: due.waiting,
      lastRuns,
      live: executionIds.at(-1) ?? row.live,
    });
    return { schedule, runs, missed: due.skipped.filter(({ why }) => why !== "overlap") };
  }

  /** Notes that the promised executions of a schedule are accepted or, for a reason, will not be. */
  kept(scheduleId: string, skipped: SkipReason | null, now: number): void {
    const row = this.#row(scheduleId);
    if (row === null) return;
    const lastRuns = row.schedule.lastRuns.map(({ scheduledFor, ...run }) =>
      skipped !== null && run.executionId !== null && row.promised.includes(run.executionId)
        ? { ...NOT_STARTED, scheduledFor, skipped }
        : { scheduledFor, ...run },
    );
    const lookAt = this.#lookOf({ ...row, promised: [] }, row.schedule.nextAt, now);
    this.#set(scheduleId, { promised: [], promisedFor: [], lastRuns, lookAt });
  }

  /** Notes the end of an execution. Returns whether a run of its schedule waited for that. */
  ended({ executionId, status, origin, metadata }: Ended, now: number): boolean {
    const { scheduleId } = metadata;
    if (origin !== "schedule" || scheduleId === undefined) return false;
    const row = this.#row(scheduleId);
    if (row === null) return false;
    const isAwaited = row.live === executionId && row.waiting > 0;
    const known = row.schedule.lastRuns;
    const isShown = known.some((run) => run.executionId === executionId);
    if (!isAwaited && !isShown) return false;
    const lastRuns = known.map((run) =>
      run.executionId === executionId ? { ...run, status } : run,
    );
    this.#set(scheduleId, { lastRuns, lookAt: isAwaited ? now : row.lookAt });
    return isAwaited;
  }

  /** Returns when to look at a schedule next. The end of an execution brings that of a run that waits. */
  #lookOf(
    { promised, waiting, live }: Pick<ScheduleRow, "promised" | "waiting" | "live">,
    nextAt: number | null,
    now: number,
  ): number | null {
    return promised.length > 0 || (waiting > 0 && !this.#isLive(live)) ? now : nextAt;
  }

  /** Returns a schedule with the status of its live executions. */
  #shown({ schedule }: ScheduleRow): StoredSchedule {
    const open = schedule.lastRuns.flatMap(({ executionId, status }) =>
      status === null && executionId !== null ? [executionId] : [],
    );
    if (open.length === 0) return schedule;
    const query = `SELECT execution_id, row ->> 'status' AS status FROM executions
      WHERE execution_id IN (SELECT value FROM json_each(?))`;
    const found = this.rows(statusRow, query, JSON.stringify(open));
    const statuses = new Map(found.map(({ executionId, status }) => [executionId, status]));
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

  #set(scheduleId: string, changes: Row): void {
    this.update("schedules", changes, "schedule_id = ?", scheduleId);
  }

  #row(scheduleId: string): ScheduleRow | null {
    return this.#rows("schedule_id = ?", scheduleId)[0] ?? null;
  }

  #isTaken(externalId: string | null, scheduleId: string): boolean {
    const others = "external_id = ? AND schedule_id <> ?";
    return externalId !== null && this.#rows(others, externalId, scheduleId).length > 0;
  }

  #found(condition: string, ...values: string[]): ScheduleReply {
    const schedules = this.#rows(condition, ...values).map((row) => this.#shown(row));
    return { done: true, schedules };
  }

  #rows(condition: string, ...values: (string | number)[]): ScheduleRow[] {
    return this.rows(scheduleRow, `SELECT * FROM schedules WHERE ${condition}`, ...values);
  }
}

const NOT_STARTED = { executionId: null, status: null };

/** Returns the promised runs of a schedule. */
function runsOf(
  { promised, promisedFor }: Pick<ScheduleRow, "promised" | "promisedFor">,
  now: number,
): PromisedRuns["runs"] {
  const at = lastOf(promisedFor, promised.length, now);
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
  const settings = { name, workflowId, inputs, timing: when, overlap, catchUp, enabled };
  const after = {
    ...before,
    ...settings,
    nextAt: isMoved ? nextOccurrence(when, createdAt, now) : before.nextAt,
    updatedAt: now,
  };
  const isSame = canonicalJson(settingsOf(before)) === canonicalJson(settings);
  const revision = before.revision + (isSame ? 0 : 1);
  return { ...after, revision, ...stamped(withIdentity(before, change), revision) };
}

function settingsOf(schedule: StoredSchedule) {
  const { name, workflowId, inputs, timing: when, overlap, catchUp, enabled } = schedule;
  return { name, workflowId, inputs, timing: when, overlap, catchUp, enabled };
}

/** Returns the columns of a schedule. */
function columnsOf({ timing: when, inputs, overlap, catchUp, name, ...rest }: StoredSchedule) {
  const { managedBy: by, ...columns } = rest;
  // Null is a value of this column.
  const texts = { managedBy: JSON.stringify(by) };
  return { ...columns, settings: { timing: when, inputs, overlap, catchUp, name }, ...texts };
}
