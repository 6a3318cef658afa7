import * as z from "zod";
import {
  type JobCommand,
  type JobSettings,
  type JobState,
  type JobSubject,
  jobSettings,
} from "../contract/jobs.ts";
import type { TableStorage } from "../durable/storage.ts";
import { newExecutionId, slotOf, withSlot } from "../lib/execution-id.ts";

/** How long a job is kept after its end. */
const KEPT_MS = 30 * 86_400_000;
/** Items that one statement stores, as one parameter. */
const ITEMS_PER_STATEMENT = 2_000;
const MINUTE_MS = 60_000;

const jobRow = z.object({
  job_id: z.string(),
  settings: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(jobSettings),
  status: z.enum(["running", "completed", "cancelled"]),
  next_place: z.int(),
  created_at: z.int(),
  finished_at: z.int().nullable(),
});
type JobRow = z.infer<typeof jobRow>;
const itemRow = z.object({
  place: z.int(),
  subject: z.string(),
  endpoint_id: z.string().nullable(),
  made_id: z.string().nullable(),
});
const countRow = z.object({
  matched: z.int(),
  started: z.int(),
  skipped: z.int(),
  refused: z.int(),
});
const timeRow = z.object({ at: z.int().nullable() });
const placeRow = z.object({ place: z.int().nullable() });

/** An item that is due, and the id of what it starts: the same however often it is tried. */
export interface JobItem extends Required<JobSubject> {
  place: number;
}

export interface JobPortion {
  jobId: string;
  settings: JobSettings;
  items: JobItem[];
}

export type ItemOutcome = "started" | "skipped" | "refused";

/** The replays and retries of an account, each with its items in their order. */
export class Jobs {
  readonly #storage: TableStorage;

  constructor(storage: TableStorage) {
    this.#storage = storage;
  }

  /** Carries a command out; returns the job, or null if there is none. A repeat changes nothing. */
  handle(command: JobCommand, now: number): JobState | null {
    const { jobId } = command;
    if (command.do === "create") this.#create(command, now);
    const job = this.#job(jobId);
    if (job === null) return null;
    if (command.do === "cancel" && job.status === "running") this.#end(jobId, "cancelled", now);
    return this.#stateOf(this.#job(jobId) ?? job);
  }

  #create(command: Extract<JobCommand, { do: "create" }>, now: number): void {
    const { jobId, settings, subjects } = command;
    if (this.#job(jobId) !== null) return;
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec(
        `INSERT INTO jobs (job_id, settings, status, next_place, look_at, created_at)
         VALUES (?1, ?2, 'running', 0, ?3, ?3)`,
        jobId,
        JSON.stringify(settings),
        now,
      );
      for (let from = 0; from < subjects.length; from += ITEMS_PER_STATEMENT) {
        sql.exec(
          `INSERT INTO job_items (job_id, place, subject, endpoint_id, made_id, outcome)
           SELECT ?1, ?2 + key, value ->> 'id', value ->> 'endpointId', value ->> 'madeId',
             iif(value ->> 'madeId' IS NULL, NULL, 'started') FROM json_each(?3)`,
          jobId,
          from,
          JSON.stringify(subjects.slice(from, from + ITEMS_PER_STATEMENT)),
        );
      }
      if (subjects.every(({ madeId }) => madeId !== undefined)) this.#end(jobId, "completed", now);
    });
  }

  /** Returns when to look next, in epoch milliseconds, or null. */
  nextLook(): number | null {
    return timeRow.parse(this.#storage.sql.exec("SELECT min(look_at) AS at FROM jobs").one()).at;
  }

  /**
   * Returns the next items of the jobs that are due, as many as their rate allows. The ids of what they start
   * are stored first: whatever happens after it, the same are started.
   */
  promise(now: number): JobPortion[] {
    const { sql } = this.#storage;
    return this.#storage.transactionSync(() =>
      sql
        .exec("SELECT * FROM jobs WHERE look_at <= ? ORDER BY created_at, job_id", now)
        .toArray()
        .map((row) => this.#promise(jobRow.parse(row), now)),
    );
  }

  #promise({ job_id: jobId, settings, next_place }: JobRow, now: number): JobPortion {
    const { sql } = this.#storage;
    const count = Math.ceil(settings.perMinute / 60);
    const items = sql
      .exec(
        `SELECT place, subject, endpoint_id, made_id FROM job_items
         WHERE job_id = ? AND place >= ? AND outcome IS NULL ORDER BY place LIMIT ?`,
        jobId,
        next_place,
        count,
      )
      .toArray()
      .map((row) => itemRow.parse(row))
      .map(({ place, subject: id, endpoint_id: endpointId, made_id }) => {
        const madeId = made_id ?? newIdOf(settings.kind, id);
        return { place, id, endpointId, madeId };
      });
    sql.exec(
      `UPDATE job_items SET made_id = (SELECT value ->> 'madeId' FROM json_each(?1)
         WHERE value ->> 'place' = job_items.place)
       WHERE job_id = ?2 AND place IN (SELECT value ->> 'place' FROM json_each(?1))`,
      JSON.stringify(items),
      jobId,
    );
    const pause = Math.ceil((count * MINUTE_MS) / settings.perMinute);
    sql.exec("UPDATE jobs SET look_at = ? WHERE job_id = ?", now + pause, jobId);
    return { jobId, settings, items };
  }

  /** Notes what became of items, and the end of the job with the last of them. */
  settle(jobId: string, outcomes: ReadonlyMap<number, ItemOutcome>, now: number): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      for (const [place, outcome] of outcomes) {
        sql.exec(
          "UPDATE job_items SET outcome = ? WHERE job_id = ? AND place = ?",
          outcome,
          jobId,
          place,
        );
      }
      const { place } = placeRow.parse(
        sql
          .exec(
            `SELECT min(place) AS place FROM job_items WHERE job_id = ?1 AND outcome IS NULL
             AND place >= (SELECT next_place FROM jobs WHERE job_id = ?1)`,
            jobId,
          )
          .one(),
      );
      if (place !== null) sql.exec("UPDATE jobs SET next_place = ? WHERE job_id = ?", place, jobId);
      else if (this.#job(jobId)?.status === "running") this.#end(jobId, "completed", now);
    });
  }

  /** Deletes jobs that ended long ago. */
  prune(now: number): void {
    const ended = "SELECT job_id FROM jobs WHERE finished_at < ?";
    this.#storage.sql.exec(`DELETE FROM job_items WHERE job_id IN (${ended})`, now - KEPT_MS);
    this.#storage.sql.exec("DELETE FROM jobs WHERE finished_at < ?", now - KEPT_MS);
  }

  #end(jobId: string, status: "completed" | "cancelled", now: number): void {
    this.#storage.sql.exec(
      "UPDATE jobs SET status = ?, finished_at = ?, look_at = NULL WHERE job_id = ?",
      status,
      now,
      jobId,
    );
  }

  #stateOf({ job_id: jobId, settings, status, ...job }: JobRow): JobState {
    const counts = this.#storage.sql
      .exec(
        `SELECT count(*) AS matched, count(*) FILTER (WHERE outcome = 'started') AS started,
           count(*) FILTER (WHERE outcome = 'skipped') AS skipped,
           count(*) FILTER (WHERE outcome = 'refused') AS refused
         FROM job_items WHERE job_id = ?`,
        jobId,
      )
      .one();
    return {
      jobId,
      kind: settings.kind,
      status,
      ...countRow.parse(counts),
      createdAt: new Date(job.created_at).toISOString(),
      finishedAt: job.finished_at === null ? null : new Date(job.finished_at).toISOString(),
      ...(settings.kind === "rehearsal" && {
        rehearsal: { settings, items: this.#started(jobId) },
      }),
    };
  }

  #started(jobId: string): { of: string; executionId: string }[] {
    return this.#storage.sql
      .exec(
        `SELECT place, subject, endpoint_id, made_id FROM job_items
         WHERE job_id = ? AND made_id IS NOT NULL ORDER BY place`,
        jobId,
      )
      .toArray()
      .map((row) => itemRow.parse(row))
      .map(({ subject, made_id }) => ({ of: subject, executionId: made_id ?? "" }));
  }

  #job(jobId: string): JobRow | null {
    const row = this.#storage.sql.exec("SELECT * FROM jobs WHERE job_id = ?", jobId).toArray()[0];
    return row === undefined ? null : jobRow.parse(row);
  }
}

/** Returns the id of what an item starts. What continues an execution lives where that is. */
function newIdOf(kind: JobSettings["kind"], subject: string): string {
  return kind === "replay" ? crypto.randomUUID() : withSlot(newExecutionId(), slotOf(subject));
}
