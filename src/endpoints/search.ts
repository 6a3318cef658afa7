import * as z from "zod";
import type { LogPosition, LogQuery } from "../contract/webhooks/inbox.ts";
import type { Chunks } from "./log.ts";
import { type EntryPage, type EntryPlace, newestFirst, positionOf } from "./log-index.ts";

const KEY = "searched";
/** Entries of one portion: requests wait behind it. */
const PORTION = 100;
const PORTION_BYTES = 1_048_576;
/** Portions that a search indexes before it reads, so that it finds the newest entries. */
const PORTIONS_AT_ONCE = 20;
/** Bytes of a payload that can be searched. */
const SEARCHED_BYTES = 65_536;
/** Entries and bytes that one search compares with the text that it looks for. */
const MOST_CANDIDATES = 5_000;
const MOST_BYTES = 33_554_432;
/** Groups of three characters that a search asks the index for; the text itself is compared after. */
const MOST_GRAMS = 12;
/** The longest time between the receipt of a request and its arrival here. */
const LONGEST_WAY_MS = 60_000;
/** How far the clock of the Worker that received a request may be ahead. */
const SKEW_MS = 1_000;
/** Mark the beginning and the end of a whole value, also of a short one. */
const [BEGIN, END] = ["\x02", "\x03"];

const NEWEST: LogPosition = { receivedAt: Number.MAX_SAFE_INTEGER, requestId: "" };

const searchedRow = z.object({
  seq: z.int(),
  event_id: z.string().nullable(),
  event_type: z.string().nullable(),
  query: z.string(),
  body: z.instanceof(ArrayBuffer).nullable(),
  body_chunked: z.int(),
});
type SearchedRow = z.infer<typeof searchedRow>;
const SEARCHED = `seq, event_id, facts ->> '$.eventType' AS event_type, facts ->> '$.query' AS query,
  body, body_chunked`;

const candidateRow = z.object({
  seq: z.int(),
  received_at: z.int(),
  request_id: z.string(),
  arrived_at: z.int(),
  fits: z.int().nullable(),
});

const seqRow = z.object({ seq: z.int() });
const mark = z.object({ v: z.literal(1), upTo: z.int() });

/**
 * Finds entries by their payload, event id and event type, over an index of all groups of three characters.
 * The index lags behind the log; a search first indexes what has arrived.
 */
export class LogSearch {
  readonly #storage: DurableObjectStorage;
  readonly #chunks: Chunks;

  constructor(storage: DurableObjectStorage, chunks: Chunks) {
    this.#storage = storage;
    this.#chunks = chunks;
  }

  /** Indexes the next entries. Returns true if there may be more. */
  advance(): boolean {
    const { sql, kv } = this.#storage;
    const { upTo: before } = this.#mark();
    return this.#storage.transactionSync(() => {
      let [upTo, bytes] = [before, 0];
      const seqs = sql
        .exec("SELECT seq FROM requests WHERE seq > ? ORDER BY seq LIMIT ?", before, PORTION)
        .toArray();
      for (const found of seqs) {
        if (bytes > PORTION_BYTES) break;
        upTo = seqRow.parse(found).seq;
        const row = this.#row(upTo);
        const text = this.#textOf(row);
        bytes += text.length;
        sql.exec(
          "INSERT INTO search (rowid, payload, event_id, event_type) VALUES (?, ?, ?, ?)",
          upTo,
          text,
          whole(row.event_id),
          whole(row.event_type),
        );
      }
      if (upTo > before) kv.put(KEY, { v: 1, upTo } satisfies z.infer<typeof mark>);
      return upTo > before;
    });
  }

  /** Returns a page of places. It is empty and ends where it began while the index is too far behind. */
  page(query: LogQuery): EntryPage {
    let isBehind = true;
    for (let n = 0; isBehind && n < PORTIONS_AT_ONCE; n += 1) isBehind = this.advance();
    if (isBehind) return { places: [], next: query.cursor ?? NEWEST };
    const { limit, text } = query;
    const upper = Math.min(
      query.cursor?.receivedAt ?? Number.MAX_SAFE_INTEGER,
      query.receivedBefore ?? Number.MAX_SAFE_INTEGER,
    );
    let found: EntryPlace[] = [];
    let [looked, bytes] = [0, 0];
    for (const raw of this.#candidates(query, upper)) {
      const row = candidateRow.parse(raw);
      // The rows that follow arrived before this one, and were received before they arrived.
      const newestLeft = row.arrived_at + SKEW_MS;
      const last = found[limit];
      if (last !== undefined && newestLeft < last.received_at) break;
      if (query.receivedAfter !== null && newestLeft <= query.receivedAfter) break;
      const isInTime = row.received_at <= upper;
      const isFull = looked >= MOST_CANDIDATES || bytes >= MOST_BYTES;
      if (isFull && newestLeft + 1 < upper) return upTo(found, limit, newestLeft);
      if (isInTime) looked += 1;
      if (row.fits !== 1 || (last !== undefined && row.received_at < last.received_at)) continue;
      if (text !== null) {
        const searched = this.#textOf(this.#row(row.seq));
        bytes += searched.length;
        if (!searched.toLowerCase().includes(text.toLowerCase())) continue;
      }
      found = [...found, row].sort(newestFirst).slice(0, limit + 1);
    }
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { places: found.slice(0, limit), next: last === undefined ? null : positionOf(last) };
  }

  /** Forgets an entry. */
  remove(seq: number): void {
    this.#storage.sql.exec("DELETE FROM search WHERE rowid = ?", seq);
  }

  /** The entries that contain the groups of characters, the newest arrival first. */
  #candidates(query: LogQuery, upper: number) {
    const { cursor, statuses, duplicate, receivedAfter, receivedBefore, eventId, eventType } =
      query;
    return this.#storage.sql.exec(
      `SELECT requests.seq, received_at, request_id, arrived_at,
         (received_at, request_id) < (?, ?) AND received_at > ? AND received_at < ?
         AND (? IS NULL OR requests.event_id = ?) AND (? IS NULL OR facts ->> '$.eventType' = ?)
         AND (? IS NULL OR duplicate = ?)
         AND (? = '[]' OR status IN (SELECT value FROM json_each(?))) AS fits
       FROM search JOIN requests ON requests.seq = search.rowid
       WHERE search MATCH ? AND search.rowid < ? ORDER BY search.rowid DESC`,
      cursor?.receivedAt ?? Number.MAX_SAFE_INTEGER,
      cursor?.requestId ?? "",
      receivedAfter ?? -1,
      receivedBefore ?? Number.MAX_SAFE_INTEGER,
      eventId,
      eventId,
      eventType,
      eventType,
      duplicate === null ? null : Number(duplicate),
      duplicate === null ? null : Number(duplicate),
      JSON.stringify(statuses),
      JSON.stringify(statuses),
      matchOf(query),
      this.#firstAfter(upper),
    );
  }

  /** Returns a place that every entry received up to this time comes before. */
  #firstAfter(time: number): number {
    const row = this.#storage.sql
      .exec(
        "SELECT seq FROM requests WHERE received_at > ? ORDER BY received_at LIMIT 1",
        Math.min(time + LONGEST_WAY_MS, Number.MAX_SAFE_INTEGER),
      )
      .toArray()[0];
    return row === undefined ? Number.MAX_SAFE_INTEGER : seqRow.parse(row).seq;
  }

  #row(seq: number): SearchedRow {
    return searchedRow.parse(
      this.#storage.sql.exec(`SELECT ${SEARCHED} FROM requests WHERE seq = ?`, seq).one(),
    );
  }

  #textOf({ seq, query, body, body_chunked }: SearchedRow): string {
    const bytes =
      body_chunked === 1 ? this.#chunks.beginning(seq, "body", SEARCHED_BYTES) : (body ?? "");
    const text = typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
    return query === "{}" ? text : `${query}\n${text}`;
  }

  #mark(): z.infer<typeof mark> {
    const stored = this.#storage.kv.get(KEY);
    return stored === undefined ? { v: 1, upTo: 0 } : mark.parse(stored);
  }
}

/** Whether a query needs this index. */
export function isTextQuery({ eventId, eventType, text }: LogQuery): boolean {
  return eventId !== null || eventType !== null || text !== null;
}

/** The page of a search that stopped where only entries up to `newestLeft` are left. */
function upTo(found: EntryPlace[], limit: number, newestLeft: number): EntryPage {
  const places = found.filter(({ received_at }) => received_at > newestLeft).slice(0, limit);
  const next: LogPosition = { receivedAt: newestLeft + 1, requestId: "" };
  return { places, next };
}

const whole = (value: string | null): string | null =>
  value === null ? null : `${BEGIN}${value}${END}`;

/** Writes the groups of characters in the query language of FTS5. */
function matchOf({ eventId, eventType, text }: LogQuery): string {
  const columns = { payload: text, event_id: whole(eventId), event_type: whole(eventType) };
  return Object.entries(columns)
    .flatMap(([column, value]) =>
      value === null ? [] : grams(value).map((gram) => `${column}:"${gram.replaceAll('"', '""')}"`),
    )
    .join(" AND ");
}

/** Returns groups of three characters of a text, spread evenly. */
function grams(text: string): string[] {
  const characters = [...text];
  const count = Math.max(1, characters.length - 2);
  const all = Array.from({ length: count }, (_, at) => characters.slice(at, at + 3).join(""));
  const step = Math.max(1, count / MOST_GRAMS);
  const chosen = Array.from(
    { length: Math.min(count, MOST_GRAMS) },
    (_, n) => all[Math.floor(n * step)],
  );
  return [...new Set(chosen.filter((gram) => gram !== undefined))];
}
