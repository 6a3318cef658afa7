import * as z from "zod";
import { Tables } from "../durable/rows.ts";

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
    this.insert("grants", { grant_id: grantId, amount, note, at: now });
  }
}
