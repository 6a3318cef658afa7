import * as z from "zod";
import type { AddReply } from "../contract/connections.ts";
import { KnownTable, type Row } from "../durable/rows.ts";

/** The columns that every table of named records has, under the names of their fields. */
export const namedRow = z.object({
  id: z.string(),
  name: z.string(),
  /** Null for a record without a secret. */
  sealedValue: z.string().nullable(),
  /** Epoch milliseconds. */
  createdAt: z.number(),
});

interface TableOf<Named, Shown> {
  table: string;
  idColumn: string;
  sealedColumn: string;
  row: z.ZodType<Named>;
  /** Returns the columns that only this table has. */
  own(record: Named): Row;
  /** The most that an account may have. */
  limit: number;
  /** Returns a record as the API shows it, without its secret. */
  shown(record: Named): Shown;
}

/** A table of an account's object whose records have a name of their own and a sealed secret. */
export abstract class NamedRecords<
  Named extends z.infer<typeof namedRow>,
  Shown,
> extends KnownTable<Named> {
  protected abstract readonly of: TableOf<Named, Shown>;

  list(): Shown[] {
    return this.all().map(this.of.shown);
  }

  /** Adds a record, unless its name is taken or there are too many. */
  protected put(record: Named): AddReply<Shown> {
    const { table, idColumn, sealedColumn, limit, own, shown } = this.of;
    const { id, name, sealedValue, createdAt } = record;
    if (this.all().some((each) => each.name === name)) return { kind: "name_taken" };
    if (this.all().length >= limit) return { kind: "full", limit };
    const secret = { [sealedColumn]: sealedValue, createdAt };
    this.insert(table, { [idColumn]: id, name, ...own(record), ...secret });
    this.forget();
    return { kind: "added", record: shown(record) };
  }

  protected override read(): Named[] {
    const { table, idColumn, sealedColumn, row } = this.of;
    const named = `${idColumn} AS id, ${sealedColumn} AS sealedValue, created_at AS createdAt`;
    return this.rows(row, `SELECT *, ${named} FROM ${table} ORDER BY created_at, ${idColumn}`);
  }

  find(id: string): Named | null {
    return this.all().find((each) => each.id === id) ?? null;
  }

  /** Returns these records, except those that were removed. */
  protected among(ids: readonly string[]): Named[] {
    return this.all().filter(({ id }) => ids.includes(id));
  }

  /** Changes a record's own columns and, if given, its secret. */
  protected replace(record: Named, sealedValue: string | null): void {
    const { table, idColumn, sealedColumn, own } = this.of;
    const secret = sealedValue === null ? {} : { [sealedColumn]: sealedValue };
    this.update(table, { ...own(record), ...secret }, `${idColumn} = ?`, record.id);
    this.forget();
  }

  /** Removes a record. Returns false if there is none with that id. */
  remove(id: string): boolean {
    const { table, idColumn } = this.of;
    const isRemoved = this.exists(`DELETE FROM ${table} WHERE ${idColumn} = ? RETURNING 1`, id);
    this.forget();
    return isRemoved;
  }

  /** Replaces a secret that is still the same. */
  reseal(id: string, before: string, after: string): void {
    const { table, idColumn, sealedColumn } = this.of;
    const isSame = `${idColumn} = ? AND ${sealedColumn} = ?`;
    this.update(table, { [sealedColumn]: after }, isSame, id, before);
    this.forget();
  }
}
