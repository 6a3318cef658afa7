import * as z from "zod";

/** The request that holds the claim on an event. */
export interface Claim {
  seq: number;
  requestId: string;
  executionId: string | null;
}

const claimRow = z.object({
  seq: z.int(),
  request_id: z.string(),
  execution_id: z.string().nullable(),
});

/**
 * Finds the first request of an event. The claim is a unique column of the log entry, so it is stored
 * and deleted with the entry. It outlasts a failed start: the sender got a 2xx and repeats in vain, and the
 * failed request is replayed from the log.
 */
export class Claims {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  of(eventKey: string): Claim | null {
    const row = this.#sql
      .exec("SELECT seq, request_id, execution_id FROM requests WHERE claim = ?", eventKey)
      .toArray()[0];
    if (row === undefined) return null;
    const { seq, request_id: requestId, execution_id: executionId } = claimRow.parse(row);
    return { seq, requestId, executionId };
  }
}
