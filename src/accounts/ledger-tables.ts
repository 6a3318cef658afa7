import * as z from "zod";
import { type TriggerAccepted, triggerAccepted } from "../contract/account.ts";
import type { Idempotency } from "../contract/session.ts";
import { jsonColumn, rowShape, Tables } from "../durable/rows.ts";

const grantRow = z.object({ amount: z.number(), note: z.string() });

/** The credits that an account was granted. */
export class CreditGrants extends Tables {
  /** Compares a grant with the one that has its id. */
  compare(grantId: string, amount: number, note: string): "new" | "repeated" | "reused" {
    const known = this.first(
      grantRow,
      "SELECT amount, note FROM grants WHERE grant_id = ?",
      grantId,
    );
    if (known === null) return "new";
    return known.amount === amount && known.note === note ? "repeated" : "reused";
  }

  add(grantId: string, amount: number, note: string, now: number): void {
    this.insert("grants", { grantId, amount, note, at: now });
  }
}

/** Keys are promised for 24 hours; the extra hour covers the time between two prunes. */
const KEPT_MS = 25 * 3_600_000;

const keyRow = rowShape({ bodyHash: z.string(), reply: jsonColumn(triggerAccepted) });

/** The idempotency keys of accepted triggers, each with its reply. */
export class IdempotencyKeys extends Tables {
  /** Returns the reply under a key, `reused` if it belongs to another body, or null for a new key. */
  reply({ key, bodyHash }: Idempotency): TriggerAccepted | "reused" | null {
    const found = this.first(keyRow, "SELECT * FROM idempotency WHERE key = ?", key);
    if (found === null) return null;
    return found.bodyHash === bodyHash ? found.reply : "reused";
  }

  /** Stores the reply under a new key. Called within the transaction that accepts the execution. */
  add({ key, bodyHash }: Idempotency, reply: TriggerAccepted, now: number): void {
    this.insert("idempotency", { key, bodyHash, reply, at: now });
  }

  /** Deletes expired keys. */
  prune(now: number): void {
    this.sql.exec("DELETE FROM idempotency WHERE at < ?", now - KEPT_MS);
  }
}
