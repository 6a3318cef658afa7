import type { LogEntry } from "../../../contract/inbound/log.ts";
import type { PayloadValue } from "../../../contract/inbound/payload.ts";
import type { Json } from "../../../contract/json.ts";
import { loggedAddress } from "../../../inbound/logged-address.ts";
import { type Media, mediaOf } from "../../../inbound/payload/media.ts";
import { parsePayload } from "../../../inbound/payload/parse.ts";

/** A logged body as it can be shown and edited. */
export interface RequestBody {
  /** As it was sent; null for none. */
  text: string | null;
  isTruncated: boolean;
  /** Whether some of it is no text: its bytes are not in the log's entry then. */
  isBinary: boolean;
  media: Media | null;
  /** What the endpoint reads in it, or in a GET's query; undefined where it reads nothing. */
  payload: PayloadValue | undefined;
}

/** Reads the body of an entry as its endpoint does. */
export async function requestBodyOf(entry: LogEntry): Promise<RequestBody> {
  const { method, query, headers, body: text, bodyTruncated: isTruncated } = entry;
  const contentType = headers["content-type"] ?? null;
  const bytes = new TextEncoder().encode(text ?? "");
  const url = loggedAddress({ query });
  const parsed = isTruncated ? null : await parsePayload({ method, url, contentType, bytes });
  return {
    text,
    isTruncated,
    isBinary: text !== null && /[\0\ufffd]/.test(text),
    media: mediaOf(contentType),
    payload: parsed?.ok ? parsed.payload : undefined,
  };
}

/** A payload for somebody to read and change; the digits of long numbers stay as they are. */
export function payloadText(payload: PayloadValue): string {
  const exact = (_: string, value: unknown) =>
    typeof value === "bigint" ? JSON.rawJSON(String(value)) : value;
  return JSON.stringify(payload, exact, 2);
}

/** A payload to be sent as JSON, with the digits of its long numbers. */
export function sendable(value: PayloadValue): Json {
  if (typeof value === "bigint") return JSON.rawJSON(String(value));
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sendable);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, sendable(item)]));
}

declare global {
  interface JSON {
    /** A number that is written as its text says (ECMA-262, JSON.parse source text access). */
    rawJSON(text: string): { rawJSON: string };
  }
}
