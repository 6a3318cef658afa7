import { type ExecutionState, isFinal } from "../../../contract/execution.ts";

/** A request can make 1,000 calls to objects; a read makes two, and four when it is retried. */
const MAX_READS = 200;
/** Pauses between changes grow to this: constant change need not be followed closely. */
const MAX_PAUSE_MS = 1_000;
const PAUSE_MS = 100;

/** How the stream learns of changes. */
export interface Watch {
  /** Returns the execution once its version has passed this one, or unchanged after a while; null when it is gone. */
  next(sinceVersion: number): Promise<Pick<ExecutionState, "status" | "version"> | null>;
  pause(ms: number): Promise<void>;
}

/**
 * Streams server-sent events that report changes of an execution; the page then asks for what it does
 * not show. After the last event, `ended`, the page closes the stream. A browser reconnects a stream
 * that breaks before, and names the last version that it received.
 */
export function liveStream(since: number, watch: Watch): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const frames = framesSince(since, watch);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await frames.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await frames.return();
      },
    },
    // No read runs ahead of the reader: a reader who has gone costs nothing.
    { highWaterMark: 0 },
  );
}

async function* framesSince(
  since: number,
  { next, pause }: Watch,
): AsyncGenerator<string, void, void> {
  let version = since;
  let changes = 0;
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const state = await next(version);
    if (state !== null && state.version <= version && !isFinal(state.status)) {
      // A comment keeps proxies from closing the stream, and detects a reader who has gone.
      yield ": nothing new\n\n";
      continue;
    }
    if (state === null || state.version > version) yield changed(state?.version ?? version);
    if (state === null || isFinal(state.status)) {
      yield "event: ended\ndata:\n\n";
      return;
    }
    version = state.version;
    changes += 1;
    await pause(Math.min(changes * PAUSE_MS, MAX_PAUSE_MS));
  }
}

function changed(version: number): string {
  return `id: ${version}\nevent: changed\ndata: ${version}\n\n`;
}
