import * as z from "zod";
import type {
  LoggedRequest,
  LogPosition,
  LogQuery,
  ReceivedRequest,
} from "../../contract/inbound/inbox.ts";
import type { LogEntry, LoggedRoute, RequestStatus } from "../../contract/inbound/log.ts";
import { STAGES } from "../../contract/inbound/payload.ts";
import type { RouteMatch } from "../../contract/inbound/routing.ts";
import { type JsonObject, jsonObject } from "../../contract/json.ts";
import type { Configs } from "./configs.ts";
import { type Chunks, EXCERPT_BYTES, type RequestLog } from "./log.ts";
import type { Starts } from "./starts.ts";
import type { EntryRow } from "./tables.ts";

/** Bytes of bodies in one result; a call between objects carries 32 MiB. */
const ANSWER_BYTES = 8 * 1_048_576;

/** Reads pages and entries of the log. */
export class LogReader {
  readonly #configs: Configs;
  readonly #log: RequestLog;
  readonly #listing: LogIndex;
  readonly #view: EntryView;

  constructor(configs: Configs, log: RequestLog, listing: LogIndex, view: EntryView) {
    this.#configs = configs;
    this.#log = log;
    this.#listing = listing;
    this.#view = view;
  }

  list(query: LogQuery): { entries: LogEntry[]; next: LogPosition | null } {
    const { endpointId } = this.#configs.current;
    const { seqs, next } = this.#listing.page(query);
    const entries = seqs.flatMap((seq) => {
      const row = this.#log.at(seq);
      return row === null ? [] : [this.#view.listed(endpointId, row)];
    });
    return { entries, next };
  }

  entry(requestId: string): LoggedRequest | null {
    const row = this.#log.byId(requestId);
    return row === null ? null : this.#view.logged(this.#configs.current.endpointId, row);
  }

  recent(
    limit: number,
    after: LogPosition | null,
  ): { requests: LoggedRequest[]; next: LogPosition | null } {
    const { endpointId } = this.#configs.current;
    const { places, next } = this.#listing.recent(limit, after);
    const requests: LoggedRequest[] = [];
    let bytes = 0;
    let last = after;
    for (const place of places) {
      const row = this.#log.at(place.seq);
      if (row === null) continue;
      const one = this.#view.logged(endpointId, row);
      bytes += one.request.body?.byteLength ?? 0;
      if (requests.length > 0 && bytes > ANSWER_BYTES) return { requests, next: last };
      requests.push(one);
      last = positionOf(place);
    }
    return { requests, next };
  }
}

const placeRow = z.object({ seq: z.int(), received_at: z.int(), request_id: z.string() });
/** How many entries `recent` looks at. */
const PORTION = 5_000;
/** The stages that see a parsed payload. */
const AFTER_PARSE = STAGES.slice(STAGES.indexOf("parse") + 1);

type Place = z.infer<typeof placeRow>;

/** Finds the entries of a page, newest first, in indexes alone. */
export class LogIndex {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  page(query: LogQuery): { seqs: number[]; next: LogPosition | null } {
    const statuses = query.statuses.length === 0 ? [null] : query.statuses;
    const found = statuses.flatMap((status) => this.#places(query, status)).sort(newestFirst);
    const page = found.slice(0, query.limit);
    const last = found.length > query.limit ? page.at(-1) : undefined;
    return {
      seqs: page.map(({ seq }) => seq),
      next:
        last === undefined ? null : { receivedAt: last.received_at, requestId: last.request_id },
    };
  }

  /**
   * The newest ones from after a place on that were looked into and are whole: not what was refused
   * before its payload was read, and no challenges, which are answered and start nothing. It looks at
   * a portion of the log; null for `next` when that was the rest of it.
   */
  recent(limit: number, after: LogPosition | null): { places: Place[]; next: LogPosition | null } {
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

  #endOfPortion(position: (string | number)[]): Place | undefined {
    return this.#rows(
      `SELECT seq, received_at, request_id FROM requests WHERE (received_at, request_id) < (?, ?)
       ORDER BY received_at DESC, request_id DESC LIMIT 1 OFFSET ?`,
      ...position,
      PORTION - 1,
    )[0];
  }

  /** One more than asked for, so that it is known whether there is a next page. */
  #places(query: LogQuery, status: RequestStatus | null): Place[] {
    const { cursor, duplicate, receivedAfter, receivedBefore } = query;
    const conditions = ["(received_at, request_id) < (?, ?)", "received_at > ?", "received_at < ?"];
    const values: (string | number)[] = [
      cursor?.receivedAt ?? Number.MAX_SAFE_INTEGER,
      cursor?.requestId ?? "",
      receivedAfter ?? -1,
      receivedBefore ?? Number.MAX_SAFE_INTEGER,
    ];
    // As a literal, since only so the index of duplicates is used.
    if (duplicate !== null) conditions.push(`duplicate = ${duplicate ? 1 : 0}`);
    if (status !== null) {
      conditions.push("status = ?");
      values.push(status);
    }
    return this.#rows(
      `SELECT seq, received_at, request_id FROM requests WHERE ${conditions.join(" AND ")}
       ORDER BY received_at DESC, request_id DESC LIMIT ?`,
      ...values,
      query.limit + 1,
    );
  }

  #rows(query: string, ...values: (string | number)[]): Place[] {
    return this.#sql
      .exec(query, ...values)
      .toArray()
      .map((row) => placeRow.parse(row));
  }
}

/** The place of an entry in the log. */
function positionOf({ received_at, request_id }: Place): LogPosition {
  return { receivedAt: received_at, requestId: request_id };
}

function newestFirst(a: Place, b: Place): number {
  return b.received_at - a.received_at || (a.request_id < b.request_id ? 1 : -1);
}

/** Turns rows of the log into entries and requests. */
export class EntryView {
  readonly #chunks: Chunks;
  readonly #starts: Starts;

  constructor(chunks: Chunks, starts: Starts) {
    this.#chunks = chunks;
    this.#starts = starts;
  }

  /** Returns the entry for lists: with the beginning of its body, and without long inputs. */
  listed(endpointId: string, row: EntryRow): LogEntry {
    const { contentType: _, receipt: __, v: ___, eventKey: ____, routes, ...facts } = row.facts;
    const body = row.body_chunked
      ? this.#chunks.beginning(row.seq, "body", EXCERPT_BYTES)
      : bytesOf(row.body);
    return {
      ...facts,
      ...row.outcome,
      requestId: row.request_id,
      endpointId,
      body: textOf(body),
      bodyTruncated: row.body_truncated || row.body_chunked,
      receivedAt: new Date(row.received_at).toISOString(),
      status: row.status,
      eventId: row.event_id,
      duplicate: row.duplicate,
      duplicateOf: row.first_id,
      differences: null,
      executionId: row.execution_id,
      drifted: row.drifted,
      latencyMs: { toStart: row.to_start, toCompletion: row.to_completion },
      mappedInputs: row.inputs === null ? null : jsonObject.parse(JSON.parse(row.inputs)),
      routes: this.#routes(row.seq, routes),
    };
  }

  #routes(seq: number, matches: RouteMatch[]): LoggedRoute[] {
    if (matches.length === 0) return [];
    const starts = new Map(this.#starts.of(seq).map((start) => [start.route, start]));
    return matches.map((match) => {
      const start = starts.get(match.name);
      return {
        ...match,
        executionId: start?.execution_id ?? null,
        status: start?.status ?? null,
        mappedInputs: start?.inputs ?? null,
      };
    });
  }

  logged(endpointId: string, row: EntryRow): LoggedRequest {
    const entry = { ...this.listed(endpointId, row), mappedInputs: this.inputs(row) };
    return { entry, request: this.request(row) };
  }

  /** Returns the mapped inputs of the request; null while it is not mapped. */
  inputs(row: EntryRow): JsonObject | null {
    const text = row.inputs_chunked
      ? new TextDecoder().decode(this.#chunks.read(row.seq, "inputs"))
      : row.inputs;
    return text === null ? null : jsonObject.parse(JSON.parse(text));
  }

  /** Returns the request with its whole body. */
  request(row: EntryRow): ReceivedRequest {
    const { method, path, query, headers, contentType, sourceIp, replayOf, edited } = row.facts;
    return {
      requestId: row.request_id,
      method,
      path,
      query,
      headers,
      contentType,
      body: row.body_chunked ? this.#chunks.read(row.seq, "body") : bytesOf(row.body),
      bodyTruncated: row.body_truncated,
      sourceIp,
      receivedAt: row.received_at,
      replayOf,
      edited,
    };
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
