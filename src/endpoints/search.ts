import * as z from "zod";
import type { LogQuery } from "../contract/webhooks/inbox.ts";
import type { Chunks } from "./log.ts";
import { conditionsOf, type EntryPage, type EntryPlace, positionOf } from "./log-index.ts";

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
