import { gunzipSync } from "node:zlib";
import { readUpTo } from "../../lib/read-up-to.ts";

/** What the log keeps of a body that is too large or that cannot be decoded. */
const BEGINNING_BYTES = 16_384;

const GZIP = /^(?:x-)?gzip$/i;
const NONE = /^(?:identity)?$/i;

/** A body without its Content-Encoding. */
type BodyContent =
  | { kind: "whole"; bytes: Uint8Array }
  | { kind: "too_large"; limit: number }
  | { kind: "corrupt"; detail: string };

/** A body that was read to its end, within the endpoint's limit. */
export interface WholeBody {
  kind: "whole";
  /** The bytes on the wire, which signatures cover. */
  raw: Uint8Array;
  /** Null for a compressed body until `content` was asked for: to look here costs no inflation. */
  readonly decoded: BodyContent | null;
  /** Decodes the body, once. Call it only for a request that has passed the checks before. */
  content(): BodyContent;
}

/** A body as it was received, still compressed. */
export type ReceivedBody =
  | WholeBody
  /** More than `limit` bytes on the wire. `beginning` is for the log; null where it is compressed. */
  | { kind: "too_large"; limit: number; beginning: Uint8Array | null }
  /** A Content-Encoding that is not supported. */
  | { kind: "unsupported"; detail: string; beginning: Uint8Array };

/** A body without a Content-Encoding. */
export function plainBody(raw: Uint8Array): WholeBody {
  const decoded = { kind: "whole", bytes: raw } as const;
  return { kind: "whole", raw, decoded, content: () => decoded };
}

/** A gzip body that may inflate to `limit` bytes. */
export function gzipBody(raw: Uint8Array, limit: number): WholeBody {
  let decoded: BodyContent | null = null;
  return {
    kind: "whole",
    raw,
    get decoded() {
      return decoded;
    },
    content() {
      decoded ??= inflated(raw, limit);
      return decoded;
    },
  };
}

/** RFC 1952, section 2.3: a header of ten bytes, an empty block of two, a trailer of eight. */
const SHORTEST_GZIP = 20;

/**
 * Inflates a gzip body of one member. The last four bytes declare the inflated length: a body that declares
 * more than `limit` is refused before any work, and one that inflates to more than it declares is stopped
 * there. So a body never costs more time or memory than an honest one of `limit` bytes, some 20 ms for 10 MiB.
 * `DecompressionStream` cannot promise this: it runs ahead of its reader.
 */
function inflated(wire: Uint8Array, limit: number): BodyContent {
  if (wire.length < SHORTEST_GZIP || wire[0] !== 0x1f || wire[1] !== 0x8b) return CORRUPT;
  const length = new DataView(wire.buffer, wire.byteOffset).getUint32(wire.length - 4, true);
  // DEFLATE shortens at most 1,032 times: what declares more was cut off.
  if (length > limit) return length > wire.length * 1_032 ? CORRUPT : { kind: "too_large", limit };
  try {
    const bytes = gunzipSync(wire, { maxOutputLength: Math.max(1, length) });
    // What follows the first member changes what is declared. The copy has no memory that others use.
    return bytes.length === length ? { kind: "whole", bytes: new Uint8Array(bytes) } : CORRUPT;
  } catch {
    return CORRUPT;
  }
}

const CORRUPT: BodyContent = {
  kind: "corrupt",
  detail: "The body is not one complete gzip stream.",
};

/**
 * Reads a request's body up to `limit` bytes, counted as they arrive: Content-Length is a claim, not a
 * fact. Throws when the sender breaks off.
 */
export async function readBody(request: Request, limit: number): Promise<ReceivedBody> {
  const encoding = request.headers.get("Content-Encoding")?.trim() ?? "";
  const isGzip = GZIP.test(encoding);
  const { bytes: raw, cut } =
    request.body === null
      ? { bytes: new Uint8Array(), cut: false }
      : await readUpTo(request.body, limit);
  if (!isGzip && !NONE.test(encoding)) {
    const named = JSON.stringify(encoding.slice(0, 100));
    const detail = `The Content-Encoding ${named} is not supported. Send gzip or none.`;
    return { kind: "unsupported", detail, beginning: beginningOf(raw) };
  }
  if (cut) return { kind: "too_large", limit, beginning: isGzip ? null : beginningOf(raw) };
  return isGzip && raw.length > 0 ? gzipBody(raw, limit) : plainBody(raw);
}

/** A copy, so that the whole body can be collected. */
const beginningOf = (bytes: Uint8Array): Uint8Array => bytes.slice(0, BEGINNING_BYTES);
