import { type ExecutionState, isFinal } from "../../../contract/execution.ts";

/** A request may make 1,000 calls to objects; a read makes two, and four when it is tried again. */
const MOST_READS = 200;
/** Pauses between changes grow to this: what changes all the time is not worth looking at all the time. */
const LONGEST_PAUSE_MS = 1_000;
const PAUSE_MS = 100;

/** How the stream learns of changes. */
export interface Watch {
  /** The run once its version has passed this one, or as it is after a while. Null when it is gone. */
  next(sinceVersion: number): Promise<Pick<ExecutionState, "status" | "version"> | null>;
  pause(ms: number): Promise<void>;
}

/**
 * Server-sent events that tell when a run has changed, and nothing more: the page then asks for what it
 * does not show. `ended` is the last one, for the page to close the line; a line that is cut before it
 * is taken up by the browser, which names the last version that it heard of.
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
    // Nothing is asked ahead of the reader: who has gone costs nothing further.
    { highWaterMark: 0 },
  );
}

async function* framesSince(
  since: number,
  { next, pause }: Watch,
): AsyncGenerator<string, void, void> {
  let version = since;
  let changes = 0;
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const state = await next(version);
    if (state !== null && state.version <= version && !isFinal(state.status)) {
      // A comment: it keeps proxies from cutting the line, and shows when the reader has gone.
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
    await pause(Math.min(changes * PAUSE_MS, LONGEST_PAUSE_MS));
  }
}

function changed(version: number): string {
  return `id: ${version}\nevent: changed\ndata: ${version}\n\n`;
}
