import * as z from "zod";
import { type ExecutionSeed, executionSeed } from "../contract/session.ts";
import { isLong, LongTexts } from "../durable/long-texts.ts";
import type { RequestBatcher } from "../durable/request-batcher.ts";
import { sessionHostStub } from "../durable/stubs.ts";
import { sleep, within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";

const idRow = z.object({ execution_id: z.string() });
const seedRow = z.object({ seed: z.string() });

/** The column's value for a seed that is too long for one. */
const STORED_ASIDE = "";

/** Sessions that start at once; more would only take the time that accepting needs. */
const CONCURRENCY = 3;
/** Starts wait for a quiet moment, but no longer than this. */
const PATIENCE_MS = 5_000;
/** Started executions are removed together: a write for each would cost the accept path a sync. */
const REMOVE_DELAY_MS = 25;
/** Frees the place of a session that does not answer; starting it again does no harm. */
const START_TIMEOUT_MS = 10_000;

/** The seeds of accepted executions, each until its session has it. */
export class PendingStarts {
  readonly #sql: SqlStorage;
  readonly #long: LongTexts;

  constructor({ sql, kv }: Pick<DurableObjectStorage, "sql" | "kv">) {
    this.#sql = sql;
    this.#long = new LongTexts(kv);
  }

  /** Returns the value of the seed's column. Called within the transaction that stores the row. */
  columnOf(seed: ExecutionSeed): string {
    const text = JSON.stringify(seed);
    if (!isLong(text)) return text;
    this.#long.put(nameOf(seed.executionId), text);
    return STORED_ASIDE;
  }

  /** Returns the ids of executions that wait for their start, the oldest first. */
  ids(limit: number): string[] {
    return this.#sql
      .exec(
        "SELECT execution_id FROM executions WHERE seed IS NOT NULL ORDER BY created_at LIMIT ?",
        limit,
      )
      .toArray()
      .map((row) => idRow.parse(row).execution_id);
  }

  /** Returns the seed of an execution, or null once its session has it. */
  get(executionId: string): ExecutionSeed | null {
    const row = this.#sql
      .exec("SELECT seed FROM executions WHERE execution_id = ? AND seed IS NOT NULL", executionId)
      .toArray()[0];
    if (row === undefined) return null;
    const { seed } = seedRow.parse(row);
    const text = seed === STORED_ASIDE ? this.#long.get(nameOf(executionId)) : seed;
    return text === null ? null : executionSeed.parse(JSON.parse(text));
  }

  /** Removes the seeds of executions whose sessions have them. */
  remove(executionIds: readonly string[]): void {
    const ids = JSON.stringify(executionIds);
    const aside = this.#sql
      .exec(
        `SELECT execution_id FROM executions
         WHERE execution_id IN (SELECT value FROM json_each(?)) AND seed = ?`,
        ids,
        STORED_ASIDE,
      )
      .toArray();
    for (const row of aside) this.#long.delete(nameOf(idRow.parse(row).execution_id));
    this.#sql.exec(
      "UPDATE executions SET seed = NULL WHERE execution_id IN (SELECT value FROM json_each(?))",
      ids,
    );
  }
}

function nameOf(executionId: string): string {
  return `seed/${executionId}`;
}

interface Waiting {
  executionId: string;
  /** When it was accepted, epoch milliseconds. */
  since: number;
}

/**
 * Dispatches accepted executions to their sessions. A seed is removed only once its session has it.
 * Starting is idempotent, so after a crash the same executions are dispatched again.
 */
export class StartDispatcher {
  readonly #env: CloudflareEnv;
  readonly #pending: PendingStarts;
  readonly #queue: Waiting[] = [];
  readonly #known = new Set<string>();
  readonly #batcher: RequestBatcher;
  #started: string[] = [];
  #running = 0;

  constructor(env: CloudflareEnv, pending: PendingStarts, batcher: RequestBatcher) {
    this.#env = env;
    this.#pending = pending;
    this.#batcher = batcher;
  }

  /** Starts an execution as soon as there is a free place. */
  dispatch(executionId: string): void {
    if (this.#known.has(executionId)) return;
    this.#known.add(executionId);
    const since = Date.now();
    this.#batcher.record(since);
    this.#queue.push({ executionId, since });
    if (this.#running < CONCURRENCY) void this.#work();
  }

  /** Dispatches up to `limit` pending starts, such as an earlier process left; false if there are none. */
  resume(limit: number): boolean {
    const waiting = this.#pending.ids(limit);
    for (const executionId of waiting) this.dispatch(executionId);
    return waiting.length > 0;
  }

  async #work(): Promise<void> {
    this.#running += 1;
    for (;;) {
      // Lets answers go first: creating an object takes the thread that they need.
      await sleep(0);
      const waiting = this.#queue.shift();
      if (waiting === undefined) break;
      await this.#batcher.untilQuiet(waiting.since + PATIENCE_MS);
      await this.#start(waiting.executionId);
    }
    this.#running -= 1;
  }

  async #start(executionId: string): Promise<void> {
    try {
      const seed = this.#pending.get(executionId);
      if (seed !== null) {
        const start = sessionHostStub(this.#env, seed.accountId, executionId).start(seed);
        await within("the session", START_TIMEOUT_MS, start);
      }
      this.#removeSoon(executionId);
    } catch (error) {
      // The wake-up that was armed with the acceptance dispatches it again.
      logWarning("session not started", { executionId }, error);
      this.#known.delete(executionId);
    }
  }

  #removeSoon(executionId: string): void {
    this.#started.push(executionId);
    if (this.#started.length > 1) return;
    setTimeout(() => {
      const started = this.#started;
      this.#started = [];
      this.#pending.remove(started);
      for (const id of started) this.#known.delete(id);
    }, REMOVE_DELAY_MS);
  }
}
