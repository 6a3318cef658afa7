import * as z from "zod";
import {
  type JobCommand,
  type JobSettings,
  type JobState,
  type JobSubject,
  jobCounts,
  jobSettings,
  jobStatus,
} from "../contract/jobs.ts";
import { jsonColumn, rowShape, type TableStorage, Tables } from "../durable/rows.ts";
import { newExecutionId, slotOf, withSlot } from "../lib/execution-id.ts";

/** How long a job is kept after its end. */
const KEPT_MS = 30 * 86_400_000;
/** Items that one statement stores, as one parameter. */
const ITEMS_PER_STATEMENT = 2_000;
const MINUTE_MS = 60_000;

const time = z.int().transform((at) => new Date(at).toISOString());
const jobRow = rowShape({
  jobId: z.string(),
  settings: jsonColumn<JobSettings>(jobSettings),
  status: jobStatus,
  nextPlace: z.int(),
  createdAt: time,
  finishedAt: time.nullable(),
});
type JobRow = z.infer<typeof jobRow>;
const itemRow = rowShape({
  place: z.int(),
  subject: z.string(),
  endpointId: z.string().nullable(),
  madeId: z.string().nullable(),
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

const OUTCOMES = ["started", "skipped", "refused"] as const;
export type ItemOutcome = (typeof OUTCOMES)[number];
const NO_ITEMS = { matched: 0, started: 0, skipped: 0, refused: 0 };

/** The replays and retries of an account, each with its items in their order. */
export class Jobs extends Tables {
  readonly #storage: Pick<TableStorage, "transactionSync">;

  constructor(storage: TableStorage) {
    super(storage.sql);
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

  /** Returns the latest rehearsal of what `tried` is the key of, or null. */
  rehearsalOf(tried: string): JobState | null {
    const latest = `SELECT * FROM jobs WHERE settings ->> 'tried' = ?
      ORDER BY created_at DESC, job_id LIMIT 1`;
    const job = this.first(jobRow, latest, tried);
    return job && this.#stateOf(job);
  }

  #create(command: Extract<JobCommand, { do: "create" }>, now: number): void {
    const { jobId, settings, subjects } = command;
    if (this.#job(jobId) !== null) return;
    this.#storage.transactionSync(() => {
      const row = { jobId, settings, status: "running", nextPlace: 0 };
      this.insert("jobs", { ...row, lookAt: now, createdAt: now });
      for (let from = 0; from < subjects.length; from += ITEMS_PER_STATEMENT) {
        this.sql.exec(
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
    return this.first(timeRow, "SELECT min(look_at) AS at FROM jobs")?.at ?? null;
  }

  /**
   * Returns the next items of the jobs that are due, as many as their rate allows. The ids of what they start
   * are stored first: whatever happens after it, the same are started.
   */
  promise(now: number): JobPortion[] {
    const due = "SELECT * FROM jobs WHERE look_at <= ? ORDER BY created_at, job_id";
    return this.#storage.transactionSync(() =>
      this.rows(jobRow, due, now).map((row) => this.#promise(row, now)),
    );
  }

  #promise({ jobId, settings, nextPlace }: JobRow, now: number): JobPortion {
    const count = Math.ceil(settings.perMinute / 60);
    const open = `SELECT * FROM job_items
      WHERE job_id = ? AND place >= ? AND outcome IS NULL ORDER BY place LIMIT ?`;
    const items = this.rows(itemRow, open, jobId, nextPlace, count).map(
      ({ subject: id, madeId, ...row }) => ({
        ...row,
        id,
        madeId: madeId ?? newIdOf(settings.kind, id),
      }),
    );
    this.sql.exec(
      `UPDATE job_items SET made_id = (SELECT value ->> 'madeId' FROM json_each(?1)
         WHERE value ->> 'place' = job_items.place)
       WHERE job_id = ?2 AND place IN (SELECT value ->> 'place' FROM json_each(?1))`,
      JSON.stringify(items),
      jobId,
    );
    const pause = Math.ceil((count * MINUTE_MS) / settings.perMinute);
    this.update("jobs", { lookAt: now + pause }, "job_id = ?", jobId);
    return { jobId, settings, items };
  }

  /** Notes what became of items, and the end of the job with the last of them. */
  settle(jobId: string, outcomes: ReadonlyMap<number, ItemOutcome>, now: number): void {
    this.#storage.transactionSync(() => {
      for (const [place, outcome] of outcomes)
        this.update("job_items", { outcome }, "job_id = ? AND place = ?", jobId, place);
      const open = `SELECT min(place) AS place FROM job_items WHERE job_id = ?1 AND outcome IS NULL
        AND place >= (SELECT next_place FROM jobs WHERE job_id = ?1)`;
      const next = this.first(placeRow, open, jobId)?.place ?? null;
      if (next !== null) this.update("jobs", { nextPlace: next }, "job_id = ?", jobId);
      else if (this.#job(jobId)?.status === "running") this.#end(jobId, "completed", now);
    });
  }

  /** Deletes jobs that ended long ago. */
  prune(now: number): void {
    const ended = "SELECT job_id FROM jobs WHERE finished_at < ?";
    this.sql.exec(`DELETE FROM job_items WHERE job_id IN (${ended})`, now - KEPT_MS);
    this.sql.exec("DELETE FROM jobs WHERE finished_at < ?", now - KEPT_MS);
  }

  #end(jobId: string, status: "completed" | "cancelled", now: number): void {
    this.update("jobs", { status, finishedAt: now, lookAt: null }, "job_id = ?", jobId);
  }

  #stateOf({ jobId, settings, nextPlace: _, ...job }: JobRow): JobState {
    const count = (outcome: ItemOutcome) =>
      `count(*) FILTER (WHERE outcome = '${outcome}') AS ${outcome}`;
    const counts = `SELECT count(*) AS matched, ${OUTCOMES.map(count).join()}
      FROM job_items WHERE job_id = ?`;
    return {
      jobId,
      kind: settings.kind,
      ...job,
      ...(this.first(jobCounts, counts, jobId) ?? NO_ITEMS),
      ...(settings.kind === "rehearsal" && {
        rehearsal: { settings, items: this.#started(jobId) },
      }),
    };
  }

  #started(jobId: string): { of: string; executionId: string }[] {
    const started = `SELECT * FROM job_items
      WHERE job_id = ? AND made_id IS NOT NULL ORDER BY place`;
    return this.rows(itemRow, started, jobId).map(({ subject, madeId }) => {
      return { of: subject, executionId: madeId ?? "" };
    });
  }

  #job(jobId: string): JobRow | null {
    return this.first(jobRow, "SELECT * FROM jobs WHERE job_id = ?", jobId);
  }
}

/** Returns the id of what an item starts. What continues an execution lives where that is. */
function newIdOf(kind: JobSettings["kind"], subject: string): string {
  return kind === "replay" ? crypto.randomUUID() : withSlot(newExecutionId(), slotOf(subject));
}
