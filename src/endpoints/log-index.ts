import * as z from "zod";
import type { FoundPage, LogPosition, LogQuery } from "../contract/webhooks/inbox.ts";
import type { RequestStatus } from "../contract/webhooks/log.ts";
import { STAGES } from "../contract/webhooks/payload.ts";
import { rowsOf } from "../durable/rows.ts";
import type { Chunks } from "./log.ts";

const PLACE = "received_at AS receivedAt, request_id AS requestId";
const NEWEST_FIRST = "ORDER BY received_at DESC, request_id DESC";
const placeRow = z.object({ receivedAt: z.int(), requestId: z.string() });
/** The stages that see a parsed payload. */
const AFTER_PARSE = STAGES.slice(STAGES.indexOf("parse") + 1);
/** Bytes of a payload that can be searched. */
const SEARCHED_BYTES = 65_536;
/** Entries, and bytes of their payloads, that one page of a search looks at. */
const MOST_ENTRIES = 5_000;
const MOST_BYTES = 33_554_432;

/** Returns the positions of a page of the log, newest first. */
export function findEntries(sql: SqlStorage, chunks: Chunks, query: LogQuery): FoundPage {
  const { statuses, limit, eventId, eventType, text } = query;
  if (eventId === null && eventType === null && text === null) {
    const each = statuses.length === 0 ? [null] : statuses;
    const found = each.flatMap((status) => placesIn(sql, query, status));
    return pageOf(found.sort(newestFirst), limit);
  }
  return scan(sql, query, {
    fits: `(?1 IS NULL OR event_id = ?1) AND (?2 IS NULL OR facts ->> '$.eventType' = ?2)
      AND (?3 = '[]' OR status IN (SELECT value FROM json_each(?3)))`,
    values: [eventId, eventType, JSON.stringify(statuses)],
    text: text?.toLowerCase() ?? "",
    textAt: (seq) => (text === null ? "" : payloadText(sql, chunks, seq)),
  });
}

/**
 * Returns the newest entries from after a place on that were looked into and are whole: not those that were
 * refused before their payload was read, and no challenges, which are answered and start nothing.
 */
export function recentEntries(
  sql: SqlStorage,
  limit: number,
  cursor: LogPosition | null,
): FoundPage {
  const all = { duplicate: null, receivedAfter: null, receivedBefore: null };
  return scan(
    sql,
    { ...all, limit, cursor },
    {
      fits: `body_truncated = 0 AND NOT (status = 'succeeded' AND execution_id IS NULL)
      AND (status <> 'rejected' OR outcome ->> '$.errors[0].stage' IN
        (SELECT value FROM json_each(?1)))`,
      values: [JSON.stringify(AFTER_PARSE)],
    },
  );
}

type Range = Pick<LogQuery, "cursor" | "duplicate" | "receivedAfter" | "receivedBefore" | "limit">;

/** Returns the places of one status, or of all, in an index alone: one more than a page has. */
function placesIn(sql: SqlStorage, query: Range, status: RequestStatus | null): LogPosition[] {
  const { conditions, values } = conditionsOf(query);
  const ofStatus = status === null ? "" : "AND status = ?";
  return rowsOf(
    sql,
    placeRow,
    `SELECT ${PLACE} FROM requests WHERE ${conditions} ${ofStatus} ${NEWEST_FIRST} LIMIT ?`,
    ...values,
    ...(status === null ? [] : [status]),
    query.limit + 1,
  );
}

/** Returns what a query asks of the columns that all indexes have, in SQL. */
function conditionsOf(query: Range): { conditions: string; values: (string | number)[] } {
  const { cursor, duplicate, receivedAfter, receivedBefore } = query;
  const conditions = ["(received_at, request_id) < (?, ?)", "received_at > ?", "received_at < ?"];
  // As a literal, since only so the index of duplicates is used.
  if (duplicate !== null) conditions.push(`duplicate = ${duplicate ? 1 : 0}`);
  const values = [
    cursor?.receivedAt ?? Number.MAX_SAFE_INTEGER,
    cursor?.requestId ?? "",
    receivedAfter ?? -1,
    receivedBefore ?? Number.MAX_SAFE_INTEGER,
  ];
  return { conditions: conditions.join(" AND "), values };
}

/** Returns the first of these positions as a page; there are more of them if it is not the last one. */
function pageOf(found: LogPosition[], limit: number): FoundPage {
  const positions = found.slice(0, limit);
  return { positions, next: found.length > limit ? (positions.at(-1) ?? null) : null };
}

const scannedRow = placeRow.extend({
  seq: z.int(),
  /** Null where a value that is asked for is not known. */
  fits: z.int().nullable(),
});

/** What a scan looks for. */
interface Wanted {
  /** A condition in SQL with numbered parameters, and their values. */
  fits: string;
  values: (string | null)[];
  /** What the text at a place contains, in lower case. */
  text?: string;
  textAt?(seq: number): string;
}

/**
 * Looks at entries, newest first, for those that fit. It looks at a part of the log: the page may then be short,
 * and goes on from its last look.
 */
function scan(
  sql: SqlStorage,
  query: Range,
  { fits: condition, values: given, text = "", textAt = () => "" }: Wanted,
): FoundPage {
  const { conditions, values } = conditionsOf(query);
  const entries = sql.exec(
    `SELECT seq, ${PLACE}, ${condition} AS fits FROM requests WHERE ${conditions} ${NEWEST_FIRST}`,
    ...given,
    ...values,
  );
  const found: LogPosition[] = [];
  let [looked, bytes] = [0, 0];
  for (const raw of entries) {
    const { seq, fits, ...place } = scannedRow.parse(raw);
    const payload = fits === 1 ? textAt(seq) : "";
    if (fits === 1 && payload.toLowerCase().includes(text)) found.push(place);
    if (found.length > query.limit) break;
    looked += 1;
    bytes += payload.length;
    if (looked >= MOST_ENTRIES || bytes >= MOST_BYTES) return { positions: found, next: place };
  }
  return pageOf(found, query.limit);
}

const payloadRow = z.object({
  query: z.string(),
  body: z.instanceof(ArrayBuffer).nullable(),
  body_chunked: z.int(),
});

/** Returns what a payload is searched in: its query, and the beginning of its body. */
function payloadText(sql: SqlStorage, chunks: Chunks, seq: number): string {
  const found = sql.exec(
    "SELECT facts ->> '$.query' AS query, body, body_chunked FROM requests WHERE seq = ?",
    seq,
  );
  const { query, body, body_chunked } = payloadRow.parse(found.one());
  const bytes = body_chunked === 1 ? chunks.beginning(seq, "body", SEARCHED_BYTES) : body;
  const text = bytes === null ? "" : new TextDecoder().decode(bytes);
  return query === "{}" ? text : `${query}\n${text}`;
}

/** A page of one endpoint's log. */
interface EndpointPage extends FoundPage {
  endpointId: string;
}

type EndpointPosition = LogPosition & Pick<EndpointPage, "endpointId">;

/**
 * Merges the pages of several logs to one of `limit` positions. Beyond the first `next` of a log, positions
 * of that log may be missing, so the merged page ends there.
 */
export function mergedPage(
  pages: readonly EndpointPage[],
  limit: number,
): { positions: EndpointPosition[]; next: LogPosition | null } {
  const end = pages
    .flatMap(({ next }) => next ?? [])
    .sort(newestFirst)
    .at(0);
  const all = pages
    .flatMap(({ endpointId, positions }) => positions.map((each) => ({ ...each, endpointId })))
    .filter((each) => end === undefined || newestFirst(each, end) <= 0)
    .sort(newestFirst);
  const positions = all.slice(0, limit);
  const last = all.length > limit ? positions.at(-1) : end;
  const next = last && { receivedAt: last.receivedAt, requestId: last.requestId };
  return { positions, next: next ?? null };
}

function newestFirst(a: LogPosition, b: LogPosition): number {
  if (a.receivedAt !== b.receivedAt) return b.receivedAt - a.receivedAt;
  return a.requestId === b.requestId ? 0 : a.requestId < b.requestId ? 1 : -1;
}
