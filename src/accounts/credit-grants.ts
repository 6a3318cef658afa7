import * as z from "zod";
import type { CreditGrant } from "../contract/operators.ts";
import { Tables } from "../durable/rows.ts";

const grantRow = z
  .object({ grant_id: z.string(), amount: z.number(), note: z.string(), at: z.number() })
  .transform(({ grant_id: grantId, amount, note, at }) => ({
    grantId,
    amount,
    note,
    grantedAt: new Date(at).toISOString(),
  }));

/** The credits that an account was granted. */
export class CreditGrants extends Tables {
  /** Compares a grant with the one that has its id. */
  compare(grantId: string, amount: number, note: string): "new" | "repeated" | "reused" {
    const known = this.first(grantRow, "SELECT * FROM grants WHERE grant_id = ?", grantId);
    if (known === null) return "new";
    return known.amount === amount && known.note === note ? "repeated" : "reused";
  }

  add(grantId: string, amount: number, note: string, now: number): void {
    this.insert("grants", { grant_id: grantId, amount, note, at: now });
  }

  /** Returns all grants, the oldest first. */
  list(): CreditGrant[] {
    return this.rows(grantRow, "SELECT * FROM grants ORDER BY at, grant_id");
  }
}
