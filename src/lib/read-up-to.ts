/** The beginning of a stream; `cut` says that there was more. */
export interface Beginning {
  bytes: Uint8Array;
  cut: boolean;
}

/** A stream broke off; `bytes` are what came before, within the limit. */
export class BrokenStreamError extends Error {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, cause: unknown) {
    super("the stream broke off", { cause });
    this.name = "BrokenStreamError";
    this.bytes = bytes;
  }
}

/**
 * The first `limit` bytes of a stream, counted as they come; what comes after them is cancelled. Throws
 * a `BrokenStreamError` when the stream fails.
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
      if (length > limit) {
        await reader.cancel();
        return { bytes: joined(chunks, limit), cut: true };
      }
    }
  } catch (error) {
    throw new BrokenStreamError(joined(chunks, Math.min(length, limit)), error);
  }
  return { bytes: joined(chunks, length), cut: false };
}

function joined(chunks: Uint8Array[], length: number): Uint8Array {
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
