import * as z from "zod";
import { type JsonObject, jsonObject } from "../contract/json.ts";
import type {
  FoundPage,
  LoggedRequest,
  LogPosition,
  LogQuery,
  ReceivedRequest,
} from "../contract/webhooks/inbox.ts";
import type { LogEntry, LoggedRoute, RequestStatus } from "../contract/webhooks/log.ts";
import { STAGES } from "../contract/webhooks/payload.ts";
import type { RouteMatch } from "../contract/webhooks/routing.ts";
import { Tables } from "../durable/rows.ts";
import type { Configs } from "./configs.ts";
import { type Chunks, EXCERPT_BYTES, type RequestLog } from "./log.ts";
import { inputsOf, type Starts } from "./starts.ts";
import { BY_STATUS, type EntryRow, READY_ITSELF } from "./tables.ts";

/** Bytes of bodies in one result; a call between objects carries 32 MiB. */
const ANSWER_BYTES = 8 * 1_048_576;

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

type Range = Pick<LogQuery, "cursor" | "duplicate" | "receivedAfter" | "receivedBefore" | "limit">;

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
  /** What the payload contains, in any case; null for anything. */
  text: string | null;
}

const payloadRow = z.object({
  query: z.string(),
  body: z.instanceof(ArrayBuffer).nullable(),
  body_chunked: z.int(),
});

interface ReaderComponents {
  configs: Configs;
  log: RequestLog;
  sql: SqlStorage;
  chunks: Chunks;
  starts: Starts;
}

/** Reads pages, entries and requests of the log. */
export class LogReader extends Tables {
  readonly #components: ReaderComponents;

  constructor(components: ReaderComponents) {
    super(components.sql);
    this.#components = components;
  }

  /** Returns the positions of a page of the log, newest first. */
  find(query: LogQuery): FoundPage {
    const { statuses, limit, eventId, eventType, text } = query;
    const isSearch = eventId !== null || eventType !== null || text !== null;
    // Most requests succeed: the index by status leaves them out.
    if (!isSearch && !statuses.includes("succeeded")) {
      const found =
        statuses.length === 0
          ? this.#placesIn(query, "TRUE")
          : statuses.flatMap((status) => this.#placesOf(query, status));
      return pageOf(found.sort(newestFirst), limit);
    }
    return this.#scan(query, {
      fits: `(?1 IS NULL OR event_id = ?1) AND (?2 IS NULL OR facts ->> '$.eventType' = ?2)
        AND (?3 = '[]' OR status IN (SELECT value FROM json_each(?3)))`,
      values: [eventId, eventType, JSON.stringify(statuses)],
      text,
    });
  }

  /** Returns a page of entries. */
  list(query: LogQuery): { entries: LogEntry[]; next: LogPosition | null } {
    const { positions, next } = this.find(query);
    return { entries: this.entries(positions.map(({ requestId }) => requestId)), next };
  }

  /** Returns the entries of these requests as lists show them. */
  entries(requestIds: readonly string[]): LogEntry[] {
    return requestIds
      .flatMap((requestId) => this.#components.log.byId(requestId) ?? [])
      .map((row) => this.#listed(row));
  }

  entry(requestId: string): LoggedRequest | null {
    const row = this.#components.log.byId(requestId);
    if (row === null) return null;
    const entry = { ...this.#listed(row), mappedInputs: this.inputs(row) };
    return { entry, request: this.request(row) };
  }

  /**
   * Returns the newest requests from after a place on that were looked into and are whole: not those that were
   * refused before their payload was read, and no handshakes, which are answered and start nothing.
   */
  recent(
    limit: number,
    after: LogPosition | null,
  ): { requests: LoggedRequest[]; next: LogPosition | null } {
    const all = { duplicate: null, receivedAfter: null, receivedBefore: null };
    const { positions, next } = this.#scan(
      { ...all, limit, cursor: after },
      {
        fits: `body_truncated = 0 AND NOT (status = 'succeeded' AND execution_id IS NULL)
          AND (status <> 'rejected' OR outcome ->> '$.errors[0].stage' IN
            (SELECT value FROM json_each(?1)))`,
        values: [JSON.stringify(AFTER_PARSE)],
        text: null,
      },
    );
    const requests: LoggedRequest[] = [];
    let bytes = 0;
    let last = after;
    for (const position of positions) {
      const one = this.entry(position.requestId);
      if (one === null) continue;
      bytes += one.request.body?.byteLength ?? 0;
      if (requests.length > 0 && bytes > ANSWER_BYTES) return { requests, next: last };
      requests.push(one);
      last = position;
    }
    return { requests, next };
  }

  /** Returns the entry for lists: with the beginning of its body, and without long inputs. */
  #listed(row: EntryRow): LogEntry {
    const { contentType: _, receipt: __, v: ___, eventKey: ____, ...rest } = row.facts;
    const { routes, releasedAt: _____, ...facts } = rest;
    const body = row.bodyChunked
      ? this.#components.chunks.beginning(row.seq, "body", EXCERPT_BYTES)
      : bytesOf(row.body);
    const { requestId, status, eventId, duplicate, executionId, drifted } = row;
    const { firstId: duplicateOf, toStart, toCompletion } = row;
    return {
      ...facts,
      ...row.outcome,
      requestId,
      status,
      eventId,
      duplicate,
      duplicateOf,
      executionId,
      drifted,
      endpointId: this.#components.configs.current.endpointId,
      body: textOf(body),
      bodyTruncated: row.bodyTruncated || row.bodyChunked,
      receivedAt: new Date(row.receivedAt).toISOString(),
      latencyMs: { toStart, toCompletion },
      mappedInputs: row.inputs === null ? null : jsonObject.parse(JSON.parse(row.inputs)),
      routes: this.#routes(row, routes),
    };
  }

  #routes(row: EntryRow, matches: RouteMatch[]): LoggedRoute[] {
    if (matches.length === 0) return [];
    const starts = this.#components.starts.of(row);
    return matches.map((match) => {
      const start = starts.find(({ route }) => route === match.name);
      return {
        ...match,
        executionId: start?.executionId ?? null,
        status: start?.status ?? null,
        mappedInputs: start === undefined ? null : inputsOf(start),
      };
    });
  }

  /** Returns the mapped inputs of the request; null while it is not mapped. */
  inputs(row: EntryRow): JsonObject | null {
    const text = row.inputsChunked
      ? new TextDecoder().decode(this.#components.chunks.read(row.seq, "inputs"))
      : row.inputs;
    return text === null ? null : jsonObject.parse(JSON.parse(text));
  }

  /** Returns the request at this place in the order of arrival, or null if it is gone. */
  requestAt(seq: number): ReceivedRequest | null {
    const row = this.#components.log.at(seq);
    return row && this.request(row);
  }

  /** Returns the request with its whole body. */
  request(row: EntryRow): ReceivedRequest {
    const { requestId, receivedAt, bodyTruncated } = row;
    const { method, path, query, headers, contentType, sourceIp, replayOf, edited } = row.facts;
    const sent = { method, path, query, headers, contentType, sourceIp, replayOf, edited };
    const body = row.bodyChunked
      ? this.#components.chunks.read(row.seq, "body")
      : bytesOf(row.body);
    return { ...sent, requestId, receivedAt, body, bodyTruncated };
  }

  /** Returns the places of one status: of its index, and of the queued ones that this leaves out. */
  #placesOf(query: Range, status: RequestStatus): LogPosition[] {
    const indexed = this.#placesIn(query, `status = '${status}' AND ${BY_STATUS}`);
    return status === "queued" ? [...indexed, ...this.#placesIn(query, READY_ITSELF)] : indexed;
  }

  /** Returns the places that meet a further condition: one more than a page has. */
  #placesIn(query: Range, condition: string): LogPosition[] {
    const { conditions, values } = conditionsOf(query);
    return this.rows(
      placeRow,
      `SELECT ${PLACE} FROM requests WHERE ${conditions} AND ${condition}
       ${NEWEST_FIRST} LIMIT ?`,
      ...values,
      query.limit + 1,
    );
  }

  /**
   * Looks at entries, newest first, for those that fit. It looks at a part of the log: the page may then be
   * short, and goes on from its last look.
   */
  #scan(query: Range, { fits: condition, values: given, text }: Wanted): FoundPage {
    const { conditions, values } = conditionsOf(query);
    const entries = this.#components.sql.exec(
      `SELECT seq, ${PLACE}, ${condition} AS fits FROM requests WHERE ${conditions} ${NEWEST_FIRST}`,
      ...given,
      ...values,
    );
    const sought = text?.toLowerCase() ?? "";
    const found: LogPosition[] = [];
    let [looked, bytes] = [0, 0];
    for (const raw of entries) {
      const { seq, fits, ...place } = scannedRow.parse(raw);
      const payload = fits === 1 && text !== null ? this.#payloadText(seq) : "";
      if (fits === 1 && payload.toLowerCase().includes(sought)) found.push(place);
      if (found.length > query.limit) break;
      looked += 1;
      bytes += payload.length;
      if (looked >= MOST_ENTRIES || bytes >= MOST_BYTES) return { positions: found, next: place };
    }
    return pageOf(found, query.limit);
  }

  /** Returns what a payload is searched in: its query, and the beginning of its body. */
  #payloadText(seq: number): string {
    const found = this.sql.exec(
      "SELECT facts ->> '$.query' AS query, body, body_chunked FROM requests WHERE seq = ?",
      seq,
    );
    const { query, body, body_chunked } = payloadRow.parse(found.one());
    const { chunks } = this.#components;
    const bytes = body_chunked === 1 ? chunks.beginning(seq, "body", SEARCHED_BYTES) : body;
    const text = bytes === null ? "" : new TextDecoder().decode(bytes);
    return query === "{}" ? text : `${query}\n${text}`;
  }
}

/** Returns the entry with its whole body, which would be too long to be sent twice between objects. */
export function wholeEntry({ entry, request }: LoggedRequest): LogEntry {
  return { ...entry, body: textOf(request.body), bodyTruncated: request.bodyTruncated };
}

function bytesOf(buffer: ArrayBuffer | null): Uint8Array | null {
  return buffer === null ? null : new Uint8Array(buffer);
}

/** Decodes bytes as text. Omits a character at the end that is cut off. */
function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder().decode(bytes, { stream: true });
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
