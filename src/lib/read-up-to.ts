import { DeadlineError, within } from "./async.ts";

/** The time in which a sender has to send its whole body: one that trickles would hold a place for ever. */
export const BODY_DEADLINE_MS = 30_000;

/** The beginning of a stream; `cut` says that there is more. */
interface Beginning {
  bytes: Uint8Array;
  cut: boolean;
}

/** A stream failed: its sender broke off, sent malformed chunks, or took too long. */
export class BrokenStreamError extends Error {
  readonly isLate: boolean;

  constructor(cause: unknown) {
    super("the stream broke off", { cause });
    this.isLate = cause instanceof DeadlineError;
  }
}

/**
 * Reads the first `limit` bytes of a stream, counted as they arrive. Leaves the rest unread, and the
 * stream unlocked. Throws a `BrokenStreamError` when the stream fails or lasts longer than a body may, or
 * when `onBytes` throws, which the stream waits for.
 */
export async function readUpTo(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  onBytes?: (bytes: Uint8Array) => Promise<void>,
): Promise<Beginning> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader();
  try {
    return await within("the sender", BODY_DEADLINE_MS, beginningOf(reader, limit, onBytes));
  } catch (error) {
    // The runtime closes the connection of a body that nobody reads any more.
    reader.cancel().catch(() => undefined);
    throw new BrokenStreamError(error);
  } finally {
    reader.releaseLock();
  }
}

/**
 * Reads a body up to `limit` bytes, counted as they arrive (decompressed), and cancels the rest, so that
 * neither a false Content-Length nor an endless stream costs more than the limit. Throws the signal's reason
 * when it aborts. `onBytes` receives the bytes as they arrive.
 */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  signal: AbortSignal,
  onBytes: (bytes: Uint8Array) => void = () => {},
): Promise<Beginning> {
  if (!body) return { bytes: new Uint8Array(0), cut: false };
  const reader = body.getReader();
  // Some runtimes do not end a body in progress when the request's signal aborts.
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    signal.throwIfAborted();
    const beginning = await beginningOf(reader, limit, onBytes);
    signal.throwIfAborted();
    return beginning;
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

async function beginningOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limit: number,
  onBytes: (bytes: Uint8Array) => Promise<void> | void = () => {},
): Promise<Beginning> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    await onBytes(next.value);
    length += next.value.length;
    if (length > limit) return { bytes: concatBytes(chunks, limit), cut: true };
  }
  return { bytes: concatBytes(chunks, length), cut: false };
}

/** Joins chunks, or the first `length` bytes of them. */
export function concatBytes(
  chunks: readonly Uint8Array[],
  length = chunks.reduce((sum, chunk) => sum + chunk.length, 0),
): Uint8Array {
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
