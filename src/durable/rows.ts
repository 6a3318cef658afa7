import * as z from "zod";
import { logError } from "../lib/log.ts";
import { readableRows } from "../lib/readable-rows.ts";

type Value = SqlStorageValue | Uint8Array;
/** Values by their columns, or by the names of fields. Lists and objects are stored as JSON. */
export type Row = Readonly<Record<string, Value | boolean | object | undefined>>;

/** Returns the rows of a query, as the shape says. */
export function rowsOf<Shape>(
  sql: TableSql,
  shape: z.ZodType<Shape>,
  query: string,
  ...values: Value[]
): Shape[] {
  return sql
    .exec(query, ...values)
    .toArray()
    .map((row) => shape.parse(row));
}

const numberRow = z
  .record(z.string(), z.int().nullable())
  .transform((row) => Object.values(row)[0] ?? null);

const textRow = z
  .record(z.string(), z.string())
  .transform((row) => Object.values(row))
  .pipe(z.tuple([z.string()]));

/** Returns the texts in the only column of a query. */
export function textsOf(sql: TableSql, query: string, ...values: Value[]): string[] {
  return rowsOf(sql, textRow, query, ...values).map(([text]) => text);
}

/** Returns the shape of a row by the names of its fields: `createdAt` is the column `created_at`. */
export function rowShape<Fields extends z.ZodRawShape>(fields: Fields) {
  const columns = Object.keys(fields).map((field) => [field, columnOf(field)] as const);
  return z
    .record(z.string(), z.unknown())
    .transform((row) => Object.fromEntries(columns.map(([field, name]) => [field, row[name]])))
    .pipe(z.object(fields));
}

/** Returns the column of a field. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function storedValues(row: Row): Value[] {
  return Object.values(row).map((value) => {
    if (typeof value === "boolean") return Number(value);
    if (value === undefined || value === null || typeof value !== "object") return value ?? null;
    return value instanceof ArrayBuffer || value instanceof Uint8Array
      ? value
      : JSON.stringify(value);
  });
}

/** Returns the shape of a column that holds a value as JSON. */
export function jsonColumn<Shape>(shape: z.ZodType<Shape>): z.ZodType<Shape, string> {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(shape);
}

/** Tables of an object that belong together. */
export abstract class Tables {
  protected readonly sql: TableSql;

  constructor(sql: TableSql) {
    this.sql = sql;
  }

  protected rows<Shape>(shape: z.ZodType<Shape>, query: string, ...values: Value[]): Shape[] {
    return rowsOf(this.sql, shape, query, ...values);
  }

  protected first<Shape>(shape: z.ZodType<Shape>, query: string, ...values: Value[]): Shape | null {
    return this.rows(shape, query, ...values)[0] ?? null;
  }

  /** Returns the rows that this code can read. Others, such as those of newer code, are logged and skipped. */
  protected readable<Shape>(
    { shape, what, id }: { shape: z.ZodType<Shape>; what: string; id: string },
    query: string,
    ...values: Value[]
  ): Shape[] {
    return readableRows(
      this.sql.exec(query, ...values).toArray(),
      (row) => shape.parse(row),
      (row, error) => logError(`${what} not readable`, { id: String(row[id]) }, error),
    );
  }

  /** Returns the numbers in the only column of a query, without nulls. */
  protected numbers(query: string, ...values: Value[]): number[] {
    return this.rows(numberRow, query, ...values).flatMap((value) => value ?? []);
  }

  protected number(query: string, ...values: Value[]): number | null {
    return this.numbers(query, ...values)[0] ?? null;
  }

  protected texts(query: string, ...values: Value[]): string[] {
    return textsOf(this.sql, query, ...values);
  }

  protected exists(query: string, ...values: Value[]): boolean {
    return this.sql.exec(query, ...values).toArray().length > 0;
  }

  /** Inserts a row. `rest` follows the values, such as `ON CONFLICT (seq) DO NOTHING`. */
  protected insert(table: string, row: Row, rest = "") {
    const columns = Object.keys(row).map(columnOf);
    const marks = columns.map(() => "?");
    const statement = `INSERT INTO ${table} (${columns.join()}) VALUES (${marks.join()}) ${rest}`;
    return this.sql.exec(statement, ...storedValues(row));
  }

  /** Inserts a row, or changes the row of its key, which is in the named columns. */
  protected upsert(table: string, key: string, row: Row): void {
    const set = Object.keys(row).map((field) => `${columnOf(field)} = excluded.${columnOf(field)}`);
    this.insert(table, row, `ON CONFLICT (${key}) DO UPDATE SET ${set.join()}`);
  }

  /** Changes columns of the rows that meet a condition. */
  protected update(table: string, changes: Row, condition: string, ...values: Value[]) {
    const set = Object.keys(changes).map((field) => `${columnOf(field)} = ?`);
    const statement = `UPDATE ${table} SET ${set.join()} WHERE ${condition}`;
    return this.sql.exec(statement, ...storedValues(changes), ...values);
  }
}

/** A table that is small and often read: all of it is in memory. `Key` is the field that identifies a row. */
export abstract class KnownTable<
  Key extends string,
  Known extends Readonly<Record<Key, string>>,
> extends Tables {
  protected abstract readonly table: string;
  protected abstract readonly key: Key;
  #known: readonly Known[] | null = null;

  /** Reads the rows. */
  protected abstract read(): readonly Known[];

  all(): readonly Known[] {
    this.#known ??= this.read();
    return this.#known;
  }

  find(id: string): Known | null {
    return this.all().find((row) => row[this.key] === id) ?? null;
  }

  /** Deletes a row. Returns false if there is none with that id. */
  delete(id: string): boolean {
    const isDeleted = this.exists(
      `DELETE FROM ${this.table} WHERE ${columnOf(this.key)} = ? RETURNING 1`,
      id,
    );
    this.forget();
    return isDeleted;
  }

  /** Inserts a row, and returns it as it is read. */
  protected added(row: Row & Readonly<Record<Key, string>>): Known {
    this.insert(this.table, row);
    return this.stored(row[this.key]);
  }

  /** Changes columns of a row, and returns it as it is read. */
  protected changed(id: string, changes: Row): Known {
    this.update(this.table, changes, `${columnOf(this.key)} = ?`, id);
    return this.stored(id);
  }

  /** Returns a row that was just stored. */
  protected stored(id: string): Known {
    this.forget();
    const row = this.find(id);
    if (row === null) throw new Error(`What was just stored in ${this.table} is missing.`);
    return row;
  }

  /** Drops what is in memory: a change was made, or undone. */
  forget(): void {
    this.#known = null;
  }
}

/** The SQL of an object, as far as tables need it. */
export interface TableSql {
  exec(
    query: string,
    ...bindings: (SqlStorageValue | Uint8Array)[]
  ): {
    toArray(): Record<string, SqlStorageValue>[];
    one(): Record<string, SqlStorageValue>;
  };
}

/** The part of an object's storage that its tables and keys need. */
export interface TableStorage {
  sql: TableSql;
  kv: {
    get(key: string): unknown;
    put(key: string, value: unknown): void;
    delete(key: string): unknown;
  };
  transactionSync<T>(change: () => T): T;
}
