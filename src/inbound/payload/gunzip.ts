import { BrokenStreamError, readUpTo } from "../../lib/read-up-to.ts";

/**
 * Compressed bytes that are inflated at a time. The runtime inflates a piece whole before anybody can
 * stop it, up to a thousandfold: so a piece becomes 4 MiB at most.
 */
const PIECE_BYTES = 4_096;

export interface Gunzipped {
  /** `cut`: there is more than the limit; `broken`: not one whole gzip stream and nothing else. */
  kind: "whole" | "cut" | "broken";
  /** As much as could be inflated, within the limit. */
  bytes: Uint8Array;
}

/** Inflates a gzip stream (RFC 1952) up to `limit` bytes. */
export async function gunzip(zipped: Uint8Array, limit: number): Promise<Gunzipped> {
  const { readable, writable } = new DecompressionStream("gzip");
  // What fails here fails for the reader as well.
  inPieces(zipped)
    .pipeTo(writable)
    .catch(() => {});
  try {
    const { bytes, cut } = await readUpTo(readable, limit);
    return { kind: cut ? "cut" : "whole", bytes };
  } catch (error) {
    if (error instanceof BrokenStreamError) return { kind: "broken", bytes: error.bytes };
    throw error;
  }
}

function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at < bytes.length) controller.enqueue(bytes.slice(at, at + PIECE_BYTES));
        else controller.close();
        at += PIECE_BYTES;
      },
    },
    { highWaterMark: 0 },
  );
}
