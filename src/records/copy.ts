import * as z from "zod";
import type { TableRows } from "../contract/backup.ts";
import { allDatabases, databaseNamed, OWNED } from "./databases.ts";

const ROWS = 1_000;

const cursorText = z.object({ table: z.string(), after: z.array(z.string()) });
const row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** Returns the rows of an account after a cursor: those of one table of one database. */
export async function copyRows(
  env: object,
  accountId: string,
  from: string | null,
): Promise<{ tables: TableRows[]; next: string | null }> {
  const all = allDatabases(env).flatMap((database) =>
    OWNED.map((table) => ({ ...table, database, id: `${database}.${table.name}` })),
  );
  const cursor = from === null ? null : cursorText.parse(JSON.parse(from));
  const index = cursor === null ? 0 : all.findIndex(({ id }) => id === cursor.table);
  const table = all[index];
  if (table === undefined) return { tables: [], next: null };
  const { database, id, name, columns, key } = table;
  const after = cursor?.after ?? [];
  const place = after.length === 0 ? "" : `AND (${key.join()}) > (${key.map(() => "?").join()})`;
  const { results } = await databaseNamed(env, database)
    .prepare(
      `SELECT ${columns.join()} FROM ${name} WHERE account_id = ? ${place} ORDER BY ${key.join()} LIMIT ${ROWS}`,
    )
    .bind(accountId, ...after)
    .all();
  const found = results.map((each) => row.parse(each));
  const last = found.length < ROWS ? undefined : found.at(-1);
  const following = all[index + 1];
  const next = last
    ? { table: id, after: key.map((column) => String(last[column])) }
    : following && { table: following.id, after: [] };
  const rows = found.map((each) => columns.map((column) => each[column] ?? null));
  return {
    tables: rows.length === 0 ? [] : [{ table: id, columns, rows }],
    next: next === undefined ? null : JSON.stringify(next),
  };
}

/** Why rows are not stored, in words that continue "`page.tables` ...". */
export class RowsRefusedError extends Error {
  override name = "RowsRefusedError";
}

/**
 * Stores rows of an account. Those that are there already stay as they are. Throws `RowsRefusedError` for rows
 * of another account, of a database that is not bound, and for a path that another endpoint has.
 */
export async function storeRecords(
  env: object,
  accountId: string,
  tables: readonly TableRows[],
): Promise<void> {
  for (const { table, columns, rows } of tables) {
    const [database = "", name = ""] = table.split(".");
    const isBound = allDatabases(env).includes(database);
    if (!isBound) throw new RowsRefusedError(`need the database ${database}, which is not bound`);
    const known = OWNED.find((each) => each.name === name);
    const owner = columns.indexOf("account_id");
    const isOwn = known !== undefined && rows.every((each) => each[owner] === accountId);
    if (!isOwn) throw new RowsRefusedError(`may have rows of ${accountId} only`);
    const db = databaseNamed(env, database);
    const names = columns.filter((column) => known.columns.includes(column));
    const statement = db.prepare(
      `INSERT INTO ${name} (${names.join()}) VALUES (${names.map(() => "?").join()})
       ON CONFLICT (${known.key.join()}) DO NOTHING`,
    );
    const places = names.map((column) => columns.indexOf(column));
    const statements = rows.map((each) =>
      statement.bind(...places.map((place) => each[place] ?? null)),
    );
    if (statements.length > 0) await db.batch(statements).catch(refuseTaken);
  }
}

function refuseTaken(error: unknown): never {
  const isTaken = error instanceof Error && /UNIQUE constraint failed/.test(error.message);
  throw isTaken ? new RowsRefusedError("have a path that another endpoint has") : error;
}
