import * as z from "zod";
import { type TriggerAccepted, triggerAccepted } from "../contract/account.ts";
import type { Idempotency } from "../contract/session.ts";
import type { TableSql } from "../durable/storage.ts";

/** Keys are promised for 24 hours; the extra hour covers the time between two prunes. */
const KEPT_MS = 25 * 3_600_000;

const keyRow = z.object({ body_hash: z.string(), reply: z.string() });

/** The idempotency keys of accepted triggers, each with its reply. */
export class IdempotencyKeys {
  readonly #sql: TableSql;

  constructor(sql: TableSql) {
    this.#sql = sql;
  }

  /** Returns the reply under a key, `reused` if it belongs to another body, or null for a new key. */
  reply({ key, bodyHash }: Idempotency): TriggerAccepted | "reused" | null {
    const [found] = this.#sql
      .exec("SELECT body_hash, reply FROM idempotency WHERE key = ?", key)
      .toArray();
    if (found === undefined) return null;
    const { body_hash, reply } = keyRow.parse(found);
    return body_hash === bodyHash ? triggerAccepted.parse(JSON.parse(reply)) : "reused";
  }

  /** Stores the reply under a new key. Called within the transaction that accepts the execution. */
  add({ key, bodyHash }: Idempotency, reply: TriggerAccepted, now: number): void {
    this.#sql.exec(
      "INSERT INTO idempotency (key, body_hash, reply, at) VALUES (?, ?, ?, ?)",
      key,
      bodyHash,
      JSON.stringify(reply),
      now,
    );
  }

  /** Deletes expired keys. */
  prune(now: number): void {
    this.#sql.exec("DELETE FROM idempotency WHERE at < ?", now - KEPT_MS);
  }
}
