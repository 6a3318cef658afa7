import * as z from "zod";
import type { Claim } from "./acceptance.ts";

const claimRow = z.object({
  seq: z.int(),
  request_id: z.string(),
  execution_id: z.string().nullable(),
});

/**
 * Who came first with an event id. The claim is a unique column of the log's entry, so it is made with
 * the entry and goes with it. It outlasts a start that failed: a sender that repeats the event has been
 * answered that it was taken, and what failed is replayed from the log.
 */
export class Claims {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  of(eventId: string): Claim | null {
    const row = this.#sql
      .exec("SELECT seq, request_id, execution_id FROM requests WHERE claim = ?", eventId)
      .toArray()[0];
    if (row === undefined) return null;
    const { seq, request_id: requestId, execution_id: executionId } = claimRow.parse(row);
    return { seq, requestId, executionId };
  }
}
