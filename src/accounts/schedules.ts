import * as z from "zod";
import { jsonObject } from "../contract/json.ts";
import {
  type ScheduleChange,
  type ScheduleCommand,
  type ScheduleReply,
  type StoredSchedule,
  scheduleRules,
  timing,
} from "../contract/schedule.ts";
import type { TableStorage } from "../durable/storage.ts";
import { newExecutionId, withSlot } from "../lib/execution-id.ts";
import { decideRuns } from "../workflows/due.ts";
import { nextOccurrence } from "../workflows/occurrences.ts";

/** The most schedules of an account. */
const MAX_SCHEDULES = 1_000;
/** How often a run that waits looks whether the earlier execution has ended. */
const QUEUE_POLL_MS = 5_000;

const scheduleRow = z.object({
  schedule_id: z.string(),
  workflow_id: z.string(),
  settings: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(scheduleRules.extend({ timing, inputs: jsonObject })),
  enabled: z.int(),
  next_at: z.int().nullable(),
  look_at: z.int().nullable(),
  waiting: z.int(),
  live: z.string().nullable(),
  /** Executions that are decided and may not be accepted yet. */
  promised: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.array(z.uuid())),
  created_at: z.int(),
  updated_at: z.int(),
});
type ScheduleRow = z.infer<typeof scheduleRow>;

/** A paused schedule has nothing to do but what it has decided. */
const LOOKS = "(enabled = 1 OR promised <> '[]')";

const countRow = z.object({ count: z.int() });
const timeRow = z.object({ at: z.int().nullable() });

/** A schedule whose executions are to be accepted. */
export interface PromisedRuns {
  schedule: StoredSchedule;
  executionIds: string[];
}

/** The schedules of an account. */
export class Schedules {
  readonly #storage: TableStorage;
  readonly #slots: (count: number) => number[];

  /** `slots` returns the slots for so many further executions. */
  constructor(storage: TableStorage, slots: (count: number) => number[]) {
    this.#storage = storage;
    this.#slots = slots;
  }

  handle(command: ScheduleCommand, now: number): ScheduleReply {
    switch (command.do) {
      case "create":
        return { done: this.#create(command.schedule), schedules: [] };
      case "update": {
        const updated = this.#storage.transactionSync(() =>
          this.#update(command.scheduleId, command.change, now),
        );
        return updated === null
          ? { done: false, schedules: [] }
          : { done: true, schedules: [updated] };
      }
      case "list":
        return { done: true, schedules: this.#rows("1 = 1").map(scheduleOf) };
      case "get": {
        const found = this.#row(command.scheduleId);
        return { done: true, schedules: found === null ? [] : [scheduleOf(found)] };
      }
      case "remove":
        this.#storage.sql.exec("DELETE FROM schedules WHERE schedule_id = ?", command.scheduleId);
        return { done: true, schedules: [] };
    }
  }

  /** Stores a schedule. Returns false if the account has the most that it may have. */
  #create(schedule: StoredSchedule): boolean {
    const { scheduleId, workflowId, enabled, nextAt, createdAt, updatedAt } = schedule;
    const { timing: when, inputs, overlap, catchUp } = schedule;
    if (this.#row(scheduleId) === null && this.#isFull()) return false;
    this.#storage.sql.exec(
      `INSERT INTO schedules (schedule_id, workflow_id, settings, enabled, next_at, look_at, waiting,
         promised, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5, 0, '[]', ?6, ?7)
       ON CONFLICT (schedule_id) DO NOTHING`,
      scheduleId,
      workflowId,
      JSON.stringify({ timing: when, inputs, overlap, catchUp }),
      Number(enabled),
      nextAt,
      createdAt,
      updatedAt,
    );
    return true;
  }

  /** Changes a schedule. Runs that are due are decided under its old settings, each once. */
  #update(scheduleId: string, change: ScheduleChange, now: number): StoredSchedule | null {
    const before = this.#row(scheduleId);
    if (before === null) return null;
    const isDue = before.enabled === 1 && before.next_at !== null && before.next_at <= now;
    if (isDue) this.#promise(before, now);
    const row = this.#row(scheduleId) ?? before;
    const { timeZone, timing: given, enabled = row.enabled === 1 } = change;
    const { inputs = row.settings.inputs, overlap = row.settings.overlap } = change;
    const { catchUp = row.settings.catchUp } = change;
    const old = row.settings.timing;
    const when = given ?? { ...old, timeZone: timeZone ?? old.timeZone };
    const isMoved = given !== undefined || timeZone !== undefined || row.enabled === 0;
    const nextAt = isMoved ? nextOccurrence(when, row.created_at, now) : row.next_at;
    this.#storage.sql.exec(
      `UPDATE schedules SET settings = ?, enabled = ?, next_at = ?, updated_at = ?, look_at =
         CASE WHEN promised <> '[]' THEN ? WHEN waiting > 0 THEN ? ELSE ? END WHERE schedule_id = ?`,
      JSON.stringify({ timing: when, inputs, overlap, catchUp }),
      Number(enabled),
      nextAt,
      now,
      now,
      now + QUEUE_POLL_MS,
      nextAt,
      scheduleId,
    );
    const updated = this.#row(scheduleId);
    return updated && scheduleOf(updated);
  }

  /** Returns when to look next, in epoch milliseconds, or null. */
  nextLook(): number | null {
    const row = this.#storage.sql
      .exec(`SELECT min(look_at) AS at FROM schedules WHERE ${LOOKS}`)
      .one();
    return timeRow.parse(row).at;
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
    if (row.promised.length > 0) return { schedule, executionIds: row.promised };
    const { waiting } = row;
    const runs = decideRuns(schedule, { waiting, isLive: this.#isLive(row.live), now });
    const executionIds = this.#slots(runs.starts).map((slot) => withSlot(newExecutionId(), slot));
    const look =
      executionIds.length > 0 ? now : runs.waiting > 0 ? now + QUEUE_POLL_MS : runs.nextAt;
    this.#storage.sql.exec(
      `UPDATE schedules SET next_at = ?, look_at = ?, waiting = ?, promised = ?, live = coalesce(?, live)
       WHERE schedule_id = ?`,
      runs.nextAt,
      look,
      runs.waiting,
      JSON.stringify(executionIds),
      executionIds.at(-1) ?? null,
      row.schedule_id,
    );
    return { schedule, executionIds };
  }

  /** Notes that the promised executions of a schedule are accepted, or cannot be. */
  kept(scheduleId: string, now: number): void {
    this.#storage.sql.exec(
      `UPDATE schedules SET promised = '[]',
         look_at = CASE WHEN waiting > 0 THEN ? ELSE next_at END WHERE schedule_id = ?`,
      now + QUEUE_POLL_MS,
      scheduleId,
    );
  }

  #isLive(executionId: string | null): boolean {
    if (executionId === null) return false;
    return (
      this.#storage.sql
        .exec("SELECT 1 FROM executions WHERE execution_id = ? AND used IS NULL", executionId)
        .toArray().length > 0
    );
  }

  #row(scheduleId: string): ScheduleRow | null {
    return this.#rows("schedule_id = ?", scheduleId)[0] ?? null;
  }

  #isFull(): boolean {
    const row = this.#storage.sql.exec("SELECT count(*) AS count FROM schedules").one();
    return countRow.parse(row).count >= MAX_SCHEDULES;
  }

  #rows(condition: string, ...values: (string | number)[]): ScheduleRow[] {
    return this.#storage.sql
      .exec(`SELECT * FROM schedules WHERE ${condition}`, ...values)
      .toArray()
      .map((row) => scheduleRow.parse(row));
  }
}

function scheduleOf(row: ScheduleRow): StoredSchedule {
  return {
    ...row.settings,
    scheduleId: row.schedule_id,
    workflowId: row.workflow_id,
    enabled: row.enabled === 1,
    nextAt: row.next_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
