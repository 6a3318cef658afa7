import { type JsonObject, jsonObject } from "../contract/json.ts";
import type {
  FoundPage,
  LoggedRequest,
  LogPosition,
  LogQuery,
  ReceivedRequest,
} from "../contract/webhooks/inbox.ts";
import type { LogEntry, LoggedRoute } from "../contract/webhooks/log.ts";
import type { RouteMatch } from "../contract/webhooks/routing.ts";
import type { Configs } from "./configs.ts";
import { type Chunks, EXCERPT_BYTES, type RequestLog } from "./log.ts";
import { findEntries, recentEntries } from "./log-index.ts";
import { inputsOf, type Starts } from "./starts.ts";
import type { EntryRow } from "./tables.ts";

/** Bytes of bodies in one result; a call between objects carries 32 MiB. */
const ANSWER_BYTES = 8 * 1_048_576;

interface ReaderComponents {
  configs: Configs;
  log: RequestLog;
  sql: SqlStorage;
  chunks: Chunks;
  starts: Starts;
}

/** Reads pages, entries and requests of the log. */
export class LogReader {
  readonly #components: ReaderComponents;

  constructor(components: ReaderComponents) {
    this.#components = components;
  }

  /** Returns the positions of a page. */
  find(query: LogQuery): FoundPage {
    const { sql, chunks } = this.#components;
    return findEntries(sql, chunks, query);
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

  recent(
    limit: number,
    after: LogPosition | null,
  ): { requests: LoggedRequest[]; next: LogPosition | null } {
    const { positions, next } = recentEntries(this.#components.sql, limit, after);
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
      ...{ requestId, status, eventId, duplicate, duplicateOf, executionId, drifted },
      endpointId: this.#components.configs.current.endpointId,
      body: textOf(body),
      bodyTruncated: row.bodyTruncated || row.bodyChunked,
      receivedAt: new Date(row.receivedAt).toISOString(),
      latencyMs: { toStart, toCompletion },
      mappedInputs: row.inputs === null ? null : jsonObject.parse(JSON.parse(row.inputs)),
      routes: this.#routes(row.seq, routes),
    };
  }

  #routes(seq: number, matches: RouteMatch[]): LoggedRoute[] {
    if (matches.length === 0) return [];
    const starts = this.#components.starts.of(seq);
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
