import * as z from "zod";
import { type ExecutionSeed, executionSeed } from "../contract/session.ts";
import { isLong, LongTexts } from "../durable/long-texts.ts";

const idRow = z.object({ execution_id: z.string() });
const seedRow = z.object({ seed: z.string() });

/** Stands in the column of a seed that is too long for one. */
const KEPT_ASIDE = "";

/** The inputs of executions whose sessions may not have them yet. */
export class UnstartedSeeds {
  readonly #sql: SqlStorage;
  readonly #long: LongTexts;

  constructor({ sql, kv }: Pick<DurableObjectStorage, "sql" | "kv">) {
    this.#sql = sql;
    this.#long = new LongTexts(kv);
  }

  /** What the seed's column is to hold. To be called within the transaction that stores the row. */
  columnOf(seed: ExecutionSeed): string {
    const text = JSON.stringify(seed);
    if (!isLong(text)) return text;
    this.#long.put(nameOf(seed.executionId), text);
    return KEPT_ASIDE;
  }

  /** Ids of executions that wait for their start, the oldest first. */
  ids(limit: number): string[] {
    return this.#sql
      .exec(
        "SELECT execution_id FROM executions WHERE seed IS NOT NULL ORDER BY created_at LIMIT ?",
        limit,
      )
      .toArray()
      .map((row) => idRow.parse(row).execution_id);
  }

  /** The input of an execution, until its session has it; else null. */
  get(executionId: string): ExecutionSeed | null {
    const row = this.#sql
      .exec("SELECT seed FROM executions WHERE execution_id = ? AND seed IS NOT NULL", executionId)
      .toArray()[0];
    if (row === undefined) return null;
    const { seed } = seedRow.parse(row);
    const text = seed === KEPT_ASIDE ? this.#long.get(nameOf(executionId)) : seed;
    return text === null ? null : executionSeed.parse(JSON.parse(text));
  }

  /** The sessions have their inputs. */
  started(executionIds: readonly string[]): void {
    const ids = JSON.stringify(executionIds);
    const aside = this.#sql
      .exec(
        `SELECT execution_id FROM executions
         WHERE execution_id IN (SELECT value FROM json_each(?)) AND seed = ?`,
        ids,
        KEPT_ASIDE,
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
