import * as z from "zod";
import type { CreditGrant } from "../contract/operators.ts";
import type { TableSql } from "../durable/storage.ts";

const grantRow = z
  .object({ grant_id: z.string(), amount: z.number(), note: z.string(), at: z.number() })
  .transform(({ grant_id: grantId, amount, note, at }) => ({
    grantId,
    amount,
    note,
    grantedAt: new Date(at).toISOString(),
  }));

/** The credits that an account was granted. */
export class CreditGrants {
  readonly #sql: TableSql;

  constructor(sql: TableSql) {
    this.#sql = sql;
  }

  /** Compares a grant with the one that has its id. */
  compare(grantId: string, amount: number, note: string): "new" | "repeated" | "reused" {
    const [known] = this.#rows("WHERE grant_id = ?", grantId);
    if (known === undefined) return "new";
    return known.amount === amount && known.note === note ? "repeated" : "reused";
  }

  add(grantId: string, amount: number, note: string, now: number): void {
    this.#sql.exec(
      "INSERT INTO grants (grant_id, amount, note, at) VALUES (?, ?, ?, ?)",
      grantId,
      amount,
      note,
      now,
    );
  }

  /** Returns all grants, the oldest first. */
  list(): CreditGrant[] {
    return this.#rows("ORDER BY at, grant_id");
  }

  #rows(clause: string, ...values: string[]): CreditGrant[] {
    return this.#sql
      .exec(`SELECT * FROM grants ${clause}`, ...values)
      .toArray()
      .map((row) => grantRow.parse(row));
  }
}
