import type { LoggedRequest, ReceivedRequest } from "../../contract/inbound/inbox.ts";
import type { LogEntry } from "../../contract/inbound/log.ts";
import { type JsonObject, jsonObject } from "../../contract/json.ts";
import type { Chunks } from "./chunks.ts";
import type { EntryRow } from "./entry.ts";
import { EXCERPT_BYTES } from "./log.ts";

/** Reads rows of the log as what others see of them. */
export class View {
  readonly #chunks: Chunks;

  constructor(chunks: Chunks) {
    this.#chunks = chunks;
  }

  /** The entry as lists show it: with the beginning of its body, and without long inputs. */
  listed(endpointId: string, row: EntryRow): LogEntry {
    const { contentType: _, receipt: __, v: ___, ...facts } = row.facts;
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
      executionId: row.execution_id,
      drifted: row.drifted,
      latencyMs: { toStart: row.to_start, toCompletion: row.to_completion },
      mappedInputs: row.inputs === null ? null : jsonObject.parse(JSON.parse(row.inputs)),
    };
  }

  logged(endpointId: string, row: EntryRow): LoggedRequest {
    const entry = { ...this.listed(endpointId, row), mappedInputs: this.inputs(row) };
    return { entry, request: this.request(row) };
  }

  /** What the request was mapped to; null while it is not. */
  inputs(row: EntryRow): JsonObject | null {
    const text = row.inputs_chunked
      ? new TextDecoder().decode(this.#chunks.read(row.seq, "inputs"))
      : row.inputs;
    return text === null ? null : jsonObject.parse(JSON.parse(text));
  }

  /** The request as it came in, with its whole body. */
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

/** The entry with all of its body, which would be too much to be sent twice between objects. */
export function wholeEntry({ entry, request }: LoggedRequest): LogEntry {
  return { ...entry, body: textOf(request.body), bodyTruncated: request.bodyTruncated };
}

function bytesOf(buffer: ArrayBuffer | null): Uint8Array | null {
  return buffer === null ? null : new Uint8Array(buffer);
}

/** Bytes as text. A character that a cut went through is left out. */
function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder().decode(bytes, { stream: true });
}
