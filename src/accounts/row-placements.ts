import * as z from "zod";
import { CONTROL_DATABASE, type Placement, placement } from "../contract/placement.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { TableStorage } from "../durable/storage.ts";
import { databaseOf, firstPlacements, nextPlacement } from "../records/placement.ts";

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
