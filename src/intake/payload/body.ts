import { readUpTo } from "../../lib/read-up-to.ts";

/** What the log keeps of a body that is too large. */
const BEGINNING_BYTES = 16_384;

const NONE = /^(?:identity)?$/i;

/** A body that was read to its end, within the endpoint's limit. */
export interface WholeBody {
  kind: "whole";
  bytes: Uint8Array;
}

/** A body as it was received. */
export type ReceivedBody =
  | WholeBody
  /** More than `limit` bytes. `beginning` is for the log. */
  | { kind: "too_large"; limit: number; beginning: Uint8Array }
  /** A body with a Content-Encoding, in which the log could not find a secret to redact. */
  | { kind: "unsupported"; detail: string };

/** Returns a body of these bytes. */
export function plainBody(bytes: Uint8Array): WholeBody {
  return { kind: "whole", bytes };
}

/**
 * Reads a request's body up to `limit` bytes, counted as they arrive: Content-Length is a claim, not a
 * fact. Throws when the sender breaks off.
 */
export async function readBody(request: Request, limit: number): Promise<ReceivedBody> {
  const encoding = request.headers.get("Content-Encoding")?.trim() ?? "";
  const { bytes, cut } =
    request.body === null
      ? { bytes: new Uint8Array(), cut: false }
      : await readUpTo(request.body, limit);
  if (!NONE.test(encoding)) {
    const detail = `The Content-Encoding ${quoted(encoding)} is not supported. Send the body without one.`;
    return { kind: "unsupported", detail };
  }
  // A copy, so that the whole body can be collected.
  return cut
    ? { kind: "too_large", limit, beginning: bytes.slice(0, BEGINNING_BYTES) }
    : plainBody(bytes);
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));
