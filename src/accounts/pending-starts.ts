import * as z from "zod";
import { type ExecutionSeed, executionSeed } from "../contract/session.ts";
import { ConcurrencyLimit } from "../durable/concurrency-limit.ts";
import { isLong, LongTexts } from "../durable/long-texts.ts";
import type { TableSql, TableStorage } from "../durable/storage.ts";
import { callFailure, sessionHostStub } from "../durable/stubs.ts";
import { backoffMs, within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";

const idRow = z.object({ execution_id: z.string() });
const seedRow = z.object({ seed: z.string() });

/** The column's value for a seed that is too long for one. */
const STORED_ASIDE = "";

/** Attempts in a row to start an execution. */
const ATTEMPTS = 3;
/** Frees the place of a session that does not answer; starting it again does no harm. */
const START_TIMEOUT_MS = 10_000;

/**
 * The seeds of accepted executions, each until its session has it. That a session has its seed is known in
 * memory only, since to store it would be a row more for each execution: after a restart, executions that
 * never reported are started again, which changes nothing.
 */
export class PendingStarts {
  readonly #sql: TableSql;
  readonly #long: LongTexts;
  /** The executions that wait for their start, the oldest first. */
  readonly #waiting: Set<string>;

  constructor({ sql, kv }: Pick<TableStorage, "sql" | "kv">) {
    this.#sql = sql;
    this.#long = new LongTexts(kv);
    const stored = sql
      .exec("SELECT execution_id FROM executions WHERE seed IS NOT NULL ORDER BY execution_id")
      .toArray();
    this.#waiting = new Set(stored.map((row) => idRow.parse(row).execution_id));
  }

  /** Whether an execution waits for its start. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Returns the value of the seed's column. Called within the transaction that stores the row. */
  columnOf(seed: ExecutionSeed): string {
    const text = JSON.stringify(seed);
    if (!isLong(text)) return text;
    this.#long.put(nameOf(seed.executionId), text);
    return STORED_ASIDE;
  }

  /** Notes that an execution was stored and waits for its start. */
  add(executionId: string): void {
    this.#waiting.add(executionId);
  }

  /** Notes that the session has its seed. */
  started(executionId: string): void {
    this.#waiting.delete(executionId);
  }

  /** Returns the ids of executions that wait for their start, the oldest first. */
  ids(limit: number): string[] {
    return [...this.#waiting].slice(0, limit);
  }

  /** Returns the seed of an execution, or null once its session has it. */
  get(executionId: string): ExecutionSeed | null {
    if (!this.#waiting.has(executionId)) return null;
    const row = this.#sql
      .exec("SELECT seed FROM executions WHERE execution_id = ? AND seed IS NOT NULL", executionId)
      .toArray()[0];
    if (row === undefined) return null;
    const { seed } = seedRow.parse(row);
    const text = seed === STORED_ASIDE ? this.#long.get(nameOf(executionId)) : seed;
    return text === null ? null : executionSeed.parse(JSON.parse(text));
  }

  /** Deletes what is stored outside of the column. Called within the transaction that empties it. */
  release(executionId: string, column: string | null): void {
    if (column === STORED_ASIDE) this.#long.delete(nameOf(executionId));
  }
}

function nameOf(executionId: string): string {
  return `seed/${executionId}`;
}

/**
 * Dispatches accepted executions to their sessions, as many at once as their hosts take. Starting is
 * idempotent, so after a crash the same executions are dispatched again.
 */
export class StartDispatcher {
  readonly #env: CloudflareEnv;
  readonly #pending: PendingStarts;
  readonly #limit = new ConcurrencyLimit();
  readonly #queue: string[] = [];
  readonly #known = new Set<string>();
  #running = 0;
  /** Starts in a row that an overloaded object refused. */
  #refusals = 0;

  constructor(env: CloudflareEnv, pending: PendingStarts) {
    this.#env = env;
    this.#pending = pending;
  }

  /** Starts an execution as soon as there is a free place. */
  dispatch(executionId: string): void {
    if (this.#known.has(executionId)) return;
    this.#known.add(executionId);
    this.#enqueue(executionId);
  }

  /** Dispatches up to `limit` pending starts, such as an earlier process left; false if there are none. */
  resume(limit: number): boolean {
    const waiting = this.#pending.ids(limit);
    for (const executionId of waiting) this.dispatch(executionId);
    return waiting.length > 0;
  }

  #enqueue(executionId: string): void {
    this.#queue.push(executionId);
    this.#fill();
  }

  #fill(): void {
    while (this.#running < this.#limit.value) {
      const executionId = this.#queue.shift();
      if (executionId === undefined) return;
      this.#running += 1;
      void this.#start(executionId).then(() => {
        this.#running -= 1;
        this.#fill();
      });
    }
  }

  /** Starts an execution. It never throws. */
  async #start(executionId: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = Date.now();
      try {
        const seed = this.#pending.get(executionId);
        if (seed !== null) {
          // A stub is broken after an error, so each attempt takes a new one.
          const start = sessionHostStub(this.#env, seed.accountId, executionId).start(seed);
          await within("the session", START_TIMEOUT_MS, start);
          this.#limit.answered(startedAt, Date.now());
          this.#refusals = 0;
        }
        this.#pending.started(executionId);
        this.#known.delete(executionId);
        return;
      } catch (error) {
        const { isOverloaded, isRetryable } = callFailure(error);
        if (isRetryable && attempt < ATTEMPTS) continue;
        logWarning("session not started", { executionId }, error);
        if (isOverloaded) {
          this.#limit.refused(startedAt, Date.now());
          this.#refusals += 1;
          const pause = backoffMs(this.#refusals) * (1 + Math.random());
          setTimeout(() => this.#enqueue(executionId), pause);
        } else {
          this.#limit.answered(startedAt, Date.now());
          // The wake-up that was armed with the acceptance dispatches it again.
          this.#known.delete(executionId);
        }
        return;
      }
    }
  }
}
