import * as z from "zod";
import { CONTROL_DATABASE, type Placement, placement } from "../contract/placement.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { TableStorage } from "../durable/rows.ts";
import { backoffMs, within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import { ROWS_PER_BATCH, upsertExecutions } from "../records/executions.ts";
import {
  databaseOf,
  firstPlacements,
  nextPlacement,
  type Stretch,
  stretchesOf,
} from "../records/placement.ts";
import type { RowOutbox } from "./outbox.ts";

/** Rows gather for this long, so that many become one write to D1. */
export const PROJECT_DELAY_MS = 250;
const WRITE_TIMEOUT_MS = 15_000;
/** A database takes 10 GB; the rest is for the changes of rows that it has. */
const FULL_BYTES = 8_000_000_000;
/** D1's words for a database that takes no more, which on the free plan has 500 MB. */
const FULL = /exceeded maximum db size/i;

/** How a write to a database ended: when the next one is due (epoch milliseconds), or null for none. */
interface Written {
  due: number | null;
  isFull: boolean;
}

/**
 * Projects the outbox to the databases of the account's rows. While one fails, its rows stay in the outbox,
 * from which lists show them, and the others go on.
 */
export class Projector {
  readonly #databaseNamed: (name: string) => D1Database;
  readonly #rows: RowOutbox;
  readonly #placements: RowPlacements;
  /** The failures in a row of a database, and when it is tried again. */
  readonly #failing = new Map<string, { failures: number; until: number }>();

  constructor(
    databaseNamed: (name: string) => D1Database,
    rows: RowOutbox,
    placements: RowPlacements,
  ) {
    this.#databaseNamed = databaseNamed;
    this.#rows = rows;
    this.#placements = placements;
  }

  /**
   * Writes one batch to each database, and leaves one that is full. Returns when the next batch is due
   * (epoch milliseconds), or null after the last.
   */
  async project(accountId: string): Promise<number | null> {
    const stretches = stretchesOf(this.#placements.all);
    const written = await Promise.all(stretches.map((each) => this.#write(accountId, each)));
    const isFull = written[0]?.isFull ?? false;
    this.#placements.renew({ isFull, now: Date.now(), random: Math.random() });
    const dues = written.map(({ due }) => due).filter((due) => due !== null);
    return dues.length === 0 ? null : Math.min(...dues);
  }

  async #write(accountId: string, stretch: Stretch): Promise<Written> {
    const { database } = stretch;
    const failing = this.#failing.get(database) ?? { failures: 0, until: 0 };
    const batch = this.#rows.pending(ROWS_PER_BATCH, Date.now(), stretch);
    if (batch.length === 0) return { due: this.#rows.dueWithin(stretch), isFull: false };
    if (failing.until > Date.now()) return { due: failing.until, isFull: false };
    const rows = batch.map(({ row }) => row);
    try {
      const write = upsertExecutions(this.#databaseNamed(database), accountId, rows);
      const { written, databaseBytes } = await within("D1", WRITE_TIMEOUT_MS, write);
      this.#failing.delete(database);
      const now = Date.now();
      this.#rows.confirm(batch.slice(0, written), now);
      const isFullBatch = batch.length === ROWS_PER_BATCH || written < batch.length;
      const next = this.#rows.dueWithin(stretch);
      const soonest = isFullBatch ? now : now + PROJECT_DELAY_MS;
      const due = next === null ? null : Math.max(next, soonest);
      return { due, isFull: databaseBytes > FULL_BYTES };
    } catch (error) {
      const failures = failing.failures + 1;
      const until = Date.now() + backoffMs(failures);
      this.#failing.set(database, { failures, until });
      logWarning("rows not written", { accountId, database, rows: batch.length }, error);
      return { due: until, isFull: error instanceof Error && FULL.test(messagesOf(error)) };
    }
  }
}

/** Returns the messages of an error and of its causes: drizzle wraps those of D1. */
function messagesOf(error: Error): string {
  const { cause, message } = error;
  return cause instanceof Error ? `${message} ${messagesOf(cause)}` : message;
}

const KEY = "placements";
const stored = z.array(placement).default([]);

/**
 * The databases that have the rows of an account's executions. Nothing is stored for an account whose rows
 * are with the control rows.
 */
export class RowPlacements {
  readonly #kv: TableStorage["kv"];
  /** The databases for new rows. */
  readonly #databases: readonly string[];
  #all: readonly Placement[];

  constructor(kv: TableStorage["kv"], databases: readonly string[]) {
    this.#kv = kv;
    this.#databases = databases;
    this.#all = stored.parse(kv.get(KEY));
  }

  get all(): readonly Placement[] {
    return this.#all;
  }

  /** Returns the field of an execution's seed that names the database of its row. */
  ofRow(executionId: string): Pick<ExecutionSeed, "rowDatabase"> {
    const rowDatabase = databaseOf(this.#all, executionId);
    return rowDatabase === CONTROL_DATABASE ? {} : { rowDatabase };
  }

  /** Chooses the database of a new account. `random` is in [0, 1). */
  open(random: number): void {
    this.#save(firstPlacements({ databases: this.#databases, random }));
  }

  /** Chooses another database for later executions if the current one is full or takes no new rows. */
  renew({ isFull, now, random }: { isFull: boolean; now: number; random: number }): void {
    const next = nextPlacement(this.#all, { databases: this.#databases, now, random }, isFull);
    if (next !== null) this.#save([...this.#all, next]);
  }

  #save(placements: readonly Placement[]): void {
    if (placements.length > 0) this.#kv.put(KEY, placements);
    this.#all = placements;
  }
}
