import * as z from "zod";
import type { FoundPage, LogPosition, LogQuery } from "../contract/webhooks/inbox.ts";
import type { RequestStatus } from "../contract/webhooks/log.ts";
import { STAGES } from "../contract/webhooks/payload.ts";
import { Tables } from "../durable/rows.ts";
import type { Chunks } from "./log.ts";

const placeRow = z.object({ seq: z.int(), received_at: z.int(), request_id: z.string() });
/** How many entries `recent` looks at. */
const PORTION = 5_000;
/** The stages that see a parsed payload. */
const AFTER_PARSE = STAGES.slice(STAGES.indexOf("parse") + 1);

export type EntryPlace = z.infer<typeof placeRow>;

/** Places from the newest to the oldest. Before `next` there are no others. */
export interface EntryPage {
  places: EntryPlace[];
  next: LogPosition | null;
}

/** Finds the entries of a page, newest first, in indexes alone. */
export class LogIndex extends Tables {
  page(query: LogQuery): EntryPage {
    const statuses = query.statuses.length === 0 ? [null] : query.statuses;
    const found = statuses.flatMap((status) => this.#places(query, status)).sort(newestFirst);
    const places = found.slice(0, query.limit);
    const last = found.length > query.limit ? places.at(-1) : undefined;
    return { places, next: last === undefined ? null : positionOf(last) };
  }

  /**
   * The newest ones from after a place on that were looked into and are whole: not what was refused
   * before its payload was read, and no challenges, which are answered and start nothing. It looks at
   * a portion of the log; null for `next` when that was the rest of it.
   */
  recent(
    limit: number,
    after: LogPosition | null,
  ): { places: EntryPlace[]; next: LogPosition | null } {
    const position = [after?.receivedAt ?? Number.MAX_SAFE_INTEGER, after?.requestId ?? ""];
    const places = this.#rows(
      `SELECT seq, received_at, request_id FROM requests WHERE seq IN
         (SELECT seq FROM requests WHERE (received_at, request_id) < (?, ?)
          ORDER BY received_at DESC, request_id DESC LIMIT ?)
         AND body_truncated = 0 AND NOT (status = 'succeeded' AND execution_id IS NULL)
         AND (status <> 'rejected' OR outcome ->> '$.errors[0].stage' IN
           (SELECT value FROM json_each(?)))
       ORDER BY received_at DESC, request_id DESC LIMIT ?`,
      ...position,
      PORTION,
      JSON.stringify(AFTER_PARSE),
      limit,
    );
    const last = places.length === limit ? places.at(-1) : this.#endOfPortion(position);
    return { places, next: last === undefined ? null : positionOf(last) };
  }

  #endOfPortion(position: (string | number)[]): EntryPlace | undefined {
    return this.#rows(
      `SELECT seq, received_at, request_id FROM requests WHERE (received_at, request_id) < (?, ?)
       ORDER BY received_at DESC, request_id DESC LIMIT 1 OFFSET ?`,
      ...position,
      PORTION - 1,
    )[0];
  }

  /** One more than asked for, so that it is known whether there is a next page. */
  #places(query: LogQuery, status: RequestStatus | null): EntryPlace[] {
    const { conditions, values } = conditionsOf(query);
    return this.#rows(
      `SELECT seq, received_at, request_id FROM requests
       WHERE ${conditions}${status === null ? "" : " AND status = ?"}
       ORDER BY received_at DESC, request_id DESC LIMIT ?`,
      ...values,
      ...(status === null ? [] : [status]),
      query.limit + 1,
    );
  }

  #rows(query: string, ...values: (string | number)[]): EntryPlace[] {
    return this.rows(placeRow, query, ...values);
  }
}

/** Returns what a query asks of the columns that all indexes have, in SQL. */
function conditionsOf(query: LogQuery): { conditions: string; values: (string | number)[] } {
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

/** The place of an entry in the log. */
export function positionOf({ received_at, request_id }: EntryPlace): LogPosition {
  return { receivedAt: received_at, requestId: request_id };
}

function newestFirst(a: EntryPlace, b: EntryPlace): number {
  return b.received_at - a.received_at || (a.request_id < b.request_id ? 1 : -1);
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
    .sort(newestPosition)
    .at(0);
  const all = pages
    .flatMap(({ endpointId, positions }) => positions.map((each) => ({ ...each, endpointId })))
    .filter((each) => end === undefined || newestPosition(each, end) <= 0)
    .sort(newestPosition);
  const positions = all.slice(0, limit);
  const last = all.length > limit ? positions.at(-1) : end;
  const next = last && { receivedAt: last.receivedAt, requestId: last.requestId };
  return { positions, next: next ?? null };
}

function newestPosition(a: LogPosition, b: LogPosition): number {
  if (a.receivedAt !== b.receivedAt) return b.receivedAt - a.receivedAt;
  return a.requestId === b.requestId ? 0 : a.requestId < b.requestId ? 1 : -1;
}

/** Bytes of a payload that can be searched. */
const SEARCHED_BYTES = 65_536;
/** Entries, and bytes of their payloads, that one page looks at. */
const MOST_ENTRIES = 5_000;
const MOST_BYTES = 33_554_432;

const searchedRow = z.object({
  seq: z.int(),
  received_at: z.int(),
  request_id: z.string(),
  /** Null where the event's type is not known. */
  fits: z.int().nullable(),
});
const payloadRow = z.object({
  query: z.string(),
  body: z.instanceof(ArrayBuffer).nullable(),
  body_chunked: z.int(),
});

/** Whether a query asks for more than the indexes of the log know. */
export function isSearch({ eventId, eventType, text }: LogQuery): boolean {
  return eventId !== null || eventType !== null || text !== null;
}

/**
 * Finds entries by their event id, event type and payload, newest first. It looks at a part of the log: the page
 * may then be short, and goes on from its last look.
 */
export function searchLog(sql: SqlStorage, chunks: Chunks, query: LogQuery): EntryPage {
  const { eventId, eventType, statuses, limit } = query;
  const { conditions, values } = conditionsOf(query);
  const entries = sql.exec(
    `SELECT seq, received_at, request_id,
       (?1 IS NULL OR event_id = ?1) AND (?2 IS NULL OR facts ->> '$.eventType' = ?2)
         AND (?3 = '[]' OR status IN (SELECT value FROM json_each(?3))) AS fits
     FROM requests WHERE ${conditions} ORDER BY received_at DESC, request_id DESC`,
    eventId,
    eventType,
    JSON.stringify(statuses),
    ...values,
  );
  const places: EntryPlace[] = [];
  let [looked, bytes] = [0, 0];
  for (const raw of entries) {
    const { fits, ...place } = searchedRow.parse(raw);
    const text = fits === 1 && query.text !== null ? payloadText(sql, chunks, place.seq) : "";
    const wanted = query.text?.toLowerCase() ?? "";
    if (fits === 1 && text.toLowerCase().includes(wanted)) places.push(place);
    if (places.length > limit) break;
    looked += 1;
    bytes += text.length;
    if (looked >= MOST_ENTRIES || bytes >= MOST_BYTES) return { places, next: positionOf(place) };
  }
  const last = places.length > limit ? places[limit - 1] : undefined;
  return { places: places.slice(0, limit), next: last === undefined ? null : positionOf(last) };
}

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
