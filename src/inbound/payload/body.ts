import { readUpTo } from "../../lib/read-up-to.ts";
import type { ReceivedBody } from "../types.ts";
import { gunzip } from "./gunzip.ts";

/** What the log keeps of a body that was not taken. */
const BEGINNING_BYTES = 16_384;

const GZIP = /^(?:x-)?gzip$/i;
const NONE = /^(?:identity)?$/i;

/**
 * Reads a request's body, counted as it comes: Content-Length is a claim, not a fact. What is gzipped is
 * inflated, and held to the same `limit` in bytes. Throws when the sender breaks off.
 */
export async function readBody(request: Request, limit: number): Promise<ReceivedBody> {
  const encoding = request.headers.get("Content-Encoding")?.trim() ?? "";
  const zipped = GZIP.test(encoding);
  const { bytes: raw, cut } =
    request.body === null
      ? { bytes: new Uint8Array(), cut: false }
      : await readUpTo(request.body, limit);
  if (!zipped && !NONE.test(encoding)) {
    const detail = `The Content-Encoding ${quoted(encoding)} is not supported: send gzip, or none.`;
    return { kind: "not_decoded", detail, beginning: beginningOf(raw) };
  }
  if (cut) {
    const shown = zipped ? (await gunzip(raw, BEGINNING_BYTES)).bytes : raw;
    return { kind: "too_large", limit, beginning: beginningOf(shown) };
  }
  return zipped && raw.length > 0 ? inflated(raw, limit) : { kind: "whole", raw, bytes: raw };
}

async function inflated(raw: Uint8Array, limit: number): Promise<ReceivedBody> {
  const { kind, bytes } = await gunzip(raw, limit);
  switch (kind) {
    case "whole":
      return { kind, raw, bytes };
    case "cut":
      return { kind: "too_large", limit, beginning: beginningOf(bytes) };
    case "broken":
      return {
        kind: "not_decoded",
        detail: "The Content-Encoding says gzip, but the body is not one whole gzip stream.",
        beginning: beginningOf(raw),
      };
  }
}

/** A copy, so that the whole body is not kept for its sake. */
const beginningOf = (bytes: Uint8Array): Uint8Array => bytes.slice(0, BEGINNING_BYTES);

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));
