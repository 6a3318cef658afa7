import * as z from "zod";
import type {
  BackupPage,
  CopyReply,
  GoBackReply,
  KeptEffect,
  RestoreReply,
  StoredValue,
  TableRows,
} from "../contract/backup.ts";
import { fromBase64, toBase64 } from "../lib/encoding.ts";
import { isInitialised, putVersion, versionOf } from "./schema.ts";

/** The length of a page, which the caller receives in one piece. */
const PAGE_LENGTH = 4_000_000;
/** The name of the table of values by key. */
const VALUES = "values";
const RESTORING = "restoring";
/** The version of the tables, how far earlier versions had indexed the log, and the mark of a restore. */
const DERIVED_KEYS = new Set(["schema_version", "searched", RESTORING]);
/** SQLite's table of the last numbers that tables have given. */
const NUMBERS = "sqlite_sequence";
/** Tables of the platform, and the search index of earlier versions, which nothing reads. */
const DERIVED_TABLES = /^(?:_cf_|search)/;

const cursorText = z.object({
  mark: z.string(),
  table: z.string(),
  after: z.array(z.union([z.string(), z.number()])).nullable(),
});
type Cursor = z.infer<typeof cursorText>;
const tableRow = z.object({ name: z.string() });
const columnRow = z.object({ name: z.string(), pk: z.int() });
const restoring = z.object({ backupId: z.string(), schema: z.int() });

/** SQLite's words for rows that its tables do not take. */
const UNFIT = /SQLITE_(?:CONSTRAINT|ERROR)/;

/** Numbers for the processes of objects: SQLite counts changes from zero in each. */
const processes = new WeakMap<object, string>();

/**
 * Returns the stored rows after a cursor, about 4 MB of them. A cursor holds a mark of the storage: the pages of
 * an object are of one moment, or the copy has to begin again.
 */
export function copyPage(storage: DurableObjectStorage, from: string | null): CopyReply {
  const schema = versionOf(storage);
  if (schema === 0) return { kind: "page", schema, tables: [], next: null };
  const mark = markOf(storage);
  const cursor = from === null ? null : cursorText.parse(JSON.parse(from));
  if (cursor !== null && cursor.mark !== mark) return { kind: "changed" };
  const found: TableRows[] = [];
  let length = 0;
  for (const table of tablesFrom(storage, cursor)) {
    let rows: StoredValue[][] | null = null;
    const after = cursor?.table === table ? cursor.after : null;
    for (const { columns, key, row } of rowsAfter(storage, table, after)) {
      if (rows === null) {
        rows = [];
        found.push({ table, columns, rows });
      }
      rows.push(row);
      length += JSON.stringify(row).length;
      if (length < PAGE_LENGTH) continue;
      const next = JSON.stringify({ mark, table, after: key } satisfies Cursor);
      return { kind: "page", schema, tables: found, next };
    }
  }
  return { kind: "page", schema, tables: found, next: null };
}

/**
 * Stores a page in an object that has nothing else, whose schema has these steps. Until `openCopy` the object
 * counts as one that never stored anything, so that half of a backup does nothing. A repeat changes nothing;
 * a page of another backup replaces the pages that are there.
 */
export async function storePage(
  storage: DurableObjectStorage,
  steps: readonly string[],
  backupId: string,
  { schema, tables }: Pick<BackupPage, "schema" | "tables">,
): Promise<RestoreReply> {
  if (isInitialised(storage)) return "in_use";
  if (schema > steps.length) return "newer";
  const known = restoring.safeParse(storage.kv.get(RESTORING));
  const isBegun = known.success && known.data.backupId === backupId;
  if (!isBegun) await storage.deleteAll();
  try {
    storage.transactionSync(() => {
      if (!isBegun) {
        for (const step of steps.slice(0, schema)) storage.sql.exec(step);
        storage.kv.put(RESTORING, { backupId, schema });
      }
      for (const each of tables) storeRows(storage, each);
    });
  } catch (error) {
    if (error instanceof Error && UNFIT.test(error.message)) return "unfit";
    throw error;
  }
  return "restored";
}

/** Makes the restored rows the object's own. Returns whether there was something to open. */
export function openCopy(storage: DurableObjectStorage): boolean {
  const known = restoring.safeParse(storage.kv.get(RESTORING));
  if (!known.success) return false;
  storage.kv.delete(RESTORING);
  putVersion(storage, known.data.schema);
  return true;
}

function markOf(storage: DurableObjectStorage): string {
  const process = processes.get(storage) ?? crypto.randomUUID();
  processes.set(storage, process);
  return `${process} ${storage.sql.exec("SELECT total_changes() AS count").one().count}`;
}

function tablesFrom({ sql }: DurableObjectStorage, cursor: Cursor | null): string[] {
  const tables = sql
    .exec("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .toArray()
    .map((row) => tableRow.parse(row).name)
    .filter((name) => !DERIVED_TABLES.test(name));
  const all = [...tables, VALUES];
  return cursor === null ? all : all.slice(all.indexOf(cursor.table));
}

interface KeyedRow {
  columns: string[];
  key: (string | number)[];
  row: StoredValue[];
}

function* rowsAfter(
  storage: DurableObjectStorage,
  table: string,
  after: Cursor["after"],
): Generator<KeyedRow> {
  if (table === VALUES) {
    const [startAfter] = after ?? [];
    const range = typeof startAfter === "string" ? { startAfter } : {};
    for (const [key, value] of storage.kv.list(range)) {
      if (DERIVED_KEYS.has(key)) continue;
      yield { columns: ["key", "value"], key: [key], row: [key, JSON.stringify(value)] };
    }
    return;
  }
  const columns = storage.sql
    .exec(`SELECT name, pk FROM pragma_table_info('${table}') ORDER BY cid`)
    .toArray()
    .map((row) => columnRow.parse(row))
    .map((column) => (table === NUMBERS && column.name === "name" ? { ...column, pk: 1 } : column));
  const names = columns.map(({ name }) => name);
  const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const order = keys.map(({ name }) => name).join();
  const marks = keys.map(() => "?").join();
  const where = after === null ? "" : `WHERE (${order}) > (${marks})`;
  const query = `SELECT ${names.join()} FROM ${table} ${where} ORDER BY ${order}`;
  for (const found of storage.sql.exec(query, ...(after ?? []))) {
    const key = keys.map(({ name }) => z.union([z.string(), z.number()]).parse(found[name]));
    yield { columns: names, key, row: names.map((name) => readable(found[name] ?? null)) };
  }
}

function storeRows({ sql, kv }: DurableObjectStorage, { table, columns, rows }: TableRows): void {
  if (table === VALUES) {
    for (const [key, value] of rows) kv.put(z.string().parse(key), JSON.parse(`${value}`));
    return;
  }
  // It has no key, and SQLite has made rows in it.
  const replaced = table === NUMBERS ? rows : [];
  for (const [name] of replaced) sql.exec(`DELETE FROM ${NUMBERS} WHERE name = ?`, `${name}`);
  const query = `INSERT OR REPLACE INTO "${table}" (${columns.join()}) VALUES (${columns.map(() => "?").join()})`;
  for (const row of rows) sql.exec(query, ...row.map(storable));
}

function readable(value: SqlStorageValue): StoredValue {
  return value instanceof ArrayBuffer ? { base64: toBase64(new Uint8Array(value)) } : value;
}

function storable(value: StoredValue): SqlStorageValue {
  if (typeof value !== "object" || value === null) return value;
  return fromBase64(value.base64)?.buffer ?? null;
}

/** Why the calls to an object fail that goes back in time. */
const WENT_BACK = "The object went back in time.";

/** The part of an object's state that going back needs. */
export interface TravellingObject
  extends Pick<DurableObjectState, "blockConcurrencyWhile" | "abort"> {
  storage: Pick<DurableObjectStorage, "getBookmarkForTime" | "onNextSessionRestoreBookmark">;
}

/** The effects that an object had after a time, and the place that keeps them. */
interface Effects {
  found(): KeptEffect[];
  keep(effects: KeptEffect[]): Promise<void>;
}

const NO_EFFECTS: Effects = { found: () => [], keep: async () => {} };

/**
 * Sets an object back to a time (epoch milliseconds) and restarts it. Nothing else happens in the object
 * meanwhile, so no effect is confirmed that is not kept.
 */
export function goBack(
  object: TravellingObject,
  to: number,
  { dryRun }: { dryRun: boolean },
  { found, keep } = NO_EFFECTS,
): Promise<GoBackReply> {
  const { storage } = object;
  return object.blockConcurrencyWhile(async (): Promise<GoBackReply> => {
    try {
      const bookmark = await storage.getBookmarkForTime(to);
      const effects = found();
      if (dryRun) return { kind: "ready", effects };
      // Kept first: a list of what was not undone changes nothing, but an effect that is missing is repeated.
      await keep(effects);
      await storage.onNextSessionRestoreBookmark(bookmark);
    } catch (error) {
      return { kind: "refused", reason: error instanceof Error ? error.message : String(error) };
    }
    object.abort(WENT_BACK);
    throw new Error(WENT_BACK);
  });
}

/** Whether a call failed because its object went back in time. Only the message comes over from the object. */
export function wentBack(error: unknown): boolean {
  return error instanceof Error && error.message.includes(WENT_BACK);
}
