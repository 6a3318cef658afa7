import * as z from "zod";
import { type ExecutionSeed, executionSeed } from "../contract/session.ts";

/** The inputs of executions whose sessions may not have them yet. */
export class UnstartedSeeds {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Ids of executions that wait for their start, the oldest first. */
  ids(limit: number): string[] {
    return this.#sql
      .exec(
        "SELECT execution_id FROM executions WHERE seed IS NOT NULL ORDER BY created_at LIMIT ?",
        limit,
      )
      .toArray()
      .map((row) => z.object({ execution_id: z.string() }).parse(row).execution_id);
  }

  /** The input of an execution, until its session has it; else null. */
  get(executionId: string): ExecutionSeed | null {
    const row = this.#sql
      .exec("SELECT seed FROM executions WHERE execution_id = ? AND seed IS NOT NULL", executionId)
      .toArray()[0];
    if (row === undefined) return null;
    return executionSeed.parse(JSON.parse(z.object({ seed: z.string() }).parse(row).seed));
  }

  /** The sessions have their inputs. */
  started(executionIds: readonly string[]): void {
    this.#sql.exec(
      "UPDATE executions SET seed = NULL WHERE execution_id IN (SELECT value FROM json_each(?))",
      JSON.stringify(executionIds),
    );
  }
}
