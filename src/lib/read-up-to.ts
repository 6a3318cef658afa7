/** The beginning of a stream; `cut` says that there is more. */
interface Beginning {
  bytes: Uint8Array;
  cut: boolean;
}

/** A stream failed: its sender broke off, or sent malformed chunks. */
export class BrokenStreamError extends Error {}

/**
 * Reads the first `limit` bytes of a stream, counted as they arrive. Leaves the rest unread, and the
 * stream unlocked. Throws a `BrokenStreamError` when the stream fails.
 */
export async function readUpTo(
  stream: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Beginning> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      length += next.value.length;
      if (length > limit) return { bytes: concatBytes(chunks, limit), cut: true };
    }
  } catch (error) {
    throw new BrokenStreamError("the stream broke off", { cause: error });
  } finally {
    reader.releaseLock();
  }
  return { bytes: concatBytes(chunks, length), cut: false };
}

/** Joins the first `length` bytes of chunks. */
export function concatBytes(chunks: Uint8Array[], length: number): Uint8Array {
  const [only, ...others] = chunks;
  if (only?.length === length && others.length === 0) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk.subarray(0, length - at), at);
    at += chunk.length;
  }
  return whole;
}
