import * as z from "zod";
import type { AddRefusal } from "../contract/connections.ts";
import type { TableSql } from "../durable/storage.ts";

/** Something of an account with a name and a secret. `rule` is all that is not secret. */
export interface SealedRecord<Rule> {
  id: string;
  name: string;
  rule: Rule;
  sealedValue: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

interface TableOf<Rule> {
  table: string;
  idColumn: string;
  rule: z.ZodType<Rule>;
  /** The most that an account may have. */
  limit: number;
}

/** A table of an account's object whose rows have a name of their own and a sealed secret. */
export class SealedRecords<Rule> {
  readonly #sql: TableSql;
  readonly #of: TableOf<Rule>;
  readonly #row: z.ZodType<SealedRecord<Rule>>;

  constructor(sql: TableSql, of: TableOf<Rule>) {
    this.#sql = sql;
    this.#of = of;
    this.#row = z
      .object({
        id: z.string(),
        name: z.string(),
        rule: z.string().transform((text) => of.rule.parse(JSON.parse(text))),
        sealed_value: z.string(),
        created_at: z.number(),
      })
      .transform(({ sealed_value, created_at, ...row }) => ({
        ...row,
        sealedValue: sealed_value,
        createdAt: created_at,
      }));
  }

  /** Adds a record. Returns why not, if its name is taken or there are too many. */
  add({ id, name, rule, sealedValue, createdAt }: SealedRecord<Rule>): AddRefusal | null {
    const { table, idColumn, limit } = this.#of;
    const known = this.all();
    if (known.some((each) => each.name === name)) return { kind: "name_taken" };
    if (known.length >= limit) return { kind: "full", limit };
    this.#sql.exec(
      `INSERT INTO ${table} (${idColumn}, name, rule, sealed_value, created_at)
       VALUES (?, ?, ?, ?, ?)`,
      id,
      name,
      JSON.stringify(rule),
      sealedValue,
      createdAt,
    );
    return null;
  }

  all(): SealedRecord<Rule>[] {
    const { table, idColumn } = this.#of;
    return this.#sql
      .exec(`SELECT *, ${idColumn} AS id FROM ${table} ORDER BY created_at, ${idColumn}`)
      .toArray()
      .map((stored) => this.#row.parse(stored));
  }

  /** Replaces what is not secret of a record and, if given, its secret. */
  change(id: string, rule: Rule, sealedValue: string | null): void {
    const { table, idColumn } = this.#of;
    this.#sql.exec(
      `UPDATE ${table} SET rule = ?, sealed_value = coalesce(?, sealed_value) WHERE ${idColumn} = ?`,
      JSON.stringify(rule),
      sealedValue,
      id,
    );
  }

  /** Removes a record. Returns false if there is none with that id. */
  remove(id: string): boolean {
    const { table, idColumn } = this.#of;
    const removed = this.#sql
      .exec(`DELETE FROM ${table} WHERE ${idColumn} = ? RETURNING 1`, id)
      .toArray();
    return removed.length > 0;
  }

  /** Replaces a sealed value that is still the same. */
  reseal(id: string, before: string, after: string): void {
    const { table, idColumn } = this.#of;
    this.#sql.exec(
      `UPDATE ${table} SET sealed_value = ? WHERE ${idColumn} = ? AND sealed_value = ?`,
      after,
      id,
      before,
    );
  }
}
