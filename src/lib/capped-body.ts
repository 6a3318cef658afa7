import { concatBytes } from "./read-up-to.ts";

/** The bytes read from a body; `cut` means that it had more. */
export interface CappedBody {
  bytes: Uint8Array;
  cut: boolean;
}

/**
 * Reads a body up to `maxBytes`, counted as they arrive (decompressed), and cancels the rest, so
 * that neither a false Content-Length nor an endless stream costs more than the cap. Throws the
 * signal's reason when it aborts. `onBytes` receives the bytes as they arrive.
 */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
  onBytes: (bytes: Uint8Array) => void = () => {},
): Promise<CappedBody> {
  if (!body) return { bytes: new Uint8Array(0), cut: false };
  const reader = body.getReader();
  // Some runtimes do not end a body in progress when the request's signal aborts.
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await readUntil(reader, maxBytes, signal, onBytes);
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
  onBytes: (bytes: Uint8Array) => void,
): Promise<CappedBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (true) {
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    onBytes(value);
    size += value.byteLength;
    if (size > maxBytes) break;
  }
  signal.throwIfAborted();
  return { bytes: concatBytes(chunks, Math.min(size, maxBytes)), cut: size > maxBytes };
}
