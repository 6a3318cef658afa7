import * as z from "zod";
import type { PromisedExecution } from "../contract/account.ts";
import {
  type JobCommand,
  type JobSettings,
  type JobState,
  type JobSubject,
  jobCounts,
  jobSettings,
  jobStatus,
} from "../contract/jobs.ts";
import type { ReplayOptions } from "../contract/webhooks/inbox.ts";
import { jsonColumn, rowShape, type TableStorage, Tables } from "../durable/rows.ts";
import { inboxStub, sessionHostStub } from "../durable/stubs.ts";
import { within } from "../lib/async.ts";
import { newExecutionId, slotOf, withSlot } from "../lib/execution-id.ts";
import { logWarning } from "../lib/log.ts";
import { draftOfFork } from "../workflows/draft.ts";
import type { Controls } from "./controls.ts";
import type { Ledger } from "./ledger.ts";

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

/** An item that is due, and the id of what it starts: the same however often it is tried. */
interface JobItem extends Required<JobSubject> {
  place: number;
}

export interface JobPortion {
  jobId: string;
  settings: JobSettings;
  items: JobItem[];
}

const ITEM_RESULTS = ["started", "skipped", "refused"] as const;
export type ItemResult = (typeof ITEM_RESULTS)[number];
const NO_ITEMS = { matched: 0, started: 0, skipped: 0, refused: 0 };

/** The replays and retries of an account, each with its items in their order. */
export class Jobs extends Tables {
  readonly #storage: Pick<TableStorage, "transactionSync">;

  constructor(storage: TableStorage) {
    super(storage.sql);
    this.#storage = storage;
  }

  /** Carries out a command. Returns the job, or null if there is none. A repeat changes nothing. */
  handle(command: JobCommand, now: number): JobState | null {
    const { jobId } = command;
    if (command.do === "create") this.#create(command, now);
    const job = this.#job(jobId);
    if (job === null) return null;
    if (command.do === "cancel" && job.status === "running") this.#end(jobId, "cancelled", now);
    return this.#stateOf(this.#job(jobId) ?? job);
  }

  /** Returns the latest rehearsal of the draft with the key `tried`, or null. */
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
    return this.number("SELECT min(look_at) FROM jobs");
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
    // What continues an execution lives where that is.
    const newId = (of: string) =>
      settings.kind === "replay" ? crypto.randomUUID() : withSlot(newExecutionId(), slotOf(of));
    const items = this.rows(itemRow, open, jobId, nextPlace, count).map(
      ({ subject: id, madeId, ...row }) => ({ ...row, id, madeId: madeId ?? newId(id) }),
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
  settle(jobId: string, results: ReadonlyMap<number, ItemResult>, now: number): void {
    this.#storage.transactionSync(() => {
      for (const [place, outcome] of results)
        this.update("job_items", { outcome }, "job_id = ? AND place = ?", jobId, place);
      const open = `SELECT min(place) AS place FROM job_items WHERE job_id = ?1 AND outcome IS NULL
        AND place >= (SELECT next_place FROM jobs WHERE job_id = ?1)`;
      const next = this.number(open, jobId);
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
    const count = (outcome: ItemResult) =>
      `count(*) FILTER (WHERE outcome = '${outcome}') AS ${outcome}`;
    const counts = `SELECT count(*) AS matched, ${ITEM_RESULTS.map(count).join()}
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

const CALL_TIMEOUT_MS = 30_000;
/** When a suspended account is looked at again. */
const SUSPENDED_MS = 60_000;

/** What starting items needs of their account. */
interface JobContext {
  env: CloudflareEnv;
  components(): { jobs: Jobs; controls: Controls; ledger: Ledger };
  acceptBatch(runs: PromisedExecution[]): Promise<unknown>;
}

const OF_VERDICT = { start: "started", skip: "skipped", refuse: "refused" } as const;

/** Starts the next items of the account's replays and retries. A repeat starts nothing again. */
export async function runJobs(context: JobContext): Promise<number | null> {
  const { jobs, controls } = context.components();
  if (controls.erasure !== null || jobs.nextLook() === null) return null;
  if (controls.status !== "active") return Date.now() + SUSPENDED_MS;
  for (const { jobId, settings, items } of jobs.promise(Date.now())) {
    try {
      if (settings.kind === "replay") await replayItems(context, settings, { jobId, items });
      else await retryItems(context, { jobId, settings, items });
    } catch (error) {
      logWarning("items of a job not started", { jobId }, error);
    }
  }
  return jobs.nextLook();
}

/** Replays requests, those of each endpoint in their order. */
async function replayItems(
  { env, components }: JobContext,
  options: ReplayOptions,
  { jobId, items }: Pick<JobPortion, "jobId" | "items">,
): Promise<void> {
  for (const [endpointId, ofEndpoint] of Map.groupBy(items, (item) => item.endpointId ?? "")) {
    const named = ofEndpoint.map(({ id, madeId }) => ({ requestId: id, replayId: madeId }));
    const results = await within(
      "the inbox",
      CALL_TIMEOUT_MS,
      inboxStub(env, endpointId).replay(named, options),
    );
    const settled = results.flatMap(({ verdict }, at): [number, ItemResult][] => {
      const place = ofEndpoint[at]?.place;
      return place === undefined ? [] : [[place, OF_VERDICT[verdict]]];
    });
    components().jobs.settle(jobId, new Map(settled), Date.now());
  }
}

async function retryItems(
  context: JobContext,
  { jobId, settings, items }: JobPortion,
): Promise<void> {
  const afterStep = settings.kind === "retry" && settings.from === "start" ? 0 : null;
  for (const item of items) {
    const result = await retryItem(context, item, afterStep);
    context.components().jobs.settle(jobId, new Map([[item.place, result]]), Date.now());
  }
}

async function retryItem(
  { env, components, acceptBatch }: JobContext,
  { id, madeId }: JobItem,
  afterStep: number | null,
): Promise<ItemResult> {
  const { accountId } = components().ledger.record();
  const query = { afterStep, acknowledgeUncertain: false, retry: { forkId: madeId } };
  const host = sessionHostStub(env, accountId, id);
  const reply = await within("the session", CALL_TIMEOUT_MS, host.fork(id, query));
  if (reply.kind === "continued") return "skipped";
  if (reply.kind !== "ready") return "refused";
  if (reply.isCompleted) return "skipped";
  await acceptBatch([{ executionId: madeId, draft: draftOfFork(reply, {}) }]);
  return "started";
}
