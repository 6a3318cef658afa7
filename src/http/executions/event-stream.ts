import type { ExecutionEvent } from "../../contract/events.ts";

/** Entries of a log from some point on. `closed` means that nothing follows them. */
export interface EventPage {
  events: ExecutionEvent[];
  closed: boolean;
}

const encoder = new TextEncoder();

/**
 * The log as server-sent events: `first`, then what `read` brings, until the log is closed or the
 * client has gone. A read that brings nothing becomes a comment, which keeps proxies from cutting the
 * line. After `maxReads` the stream ends and the client comes back with Last-Event-ID: a request may
 * call objects only so many times.
 */
export function eventStream(
  first: EventPage,
  after: number,
  read: (after: number) => Promise<EventPage>,
  maxReads: number,
): ReadableStream<Uint8Array> {
  let position = after;
  let reads = 0;

  function write(page: EventPage, controller: ReadableStreamDefaultController<Uint8Array>): void {
    controller.enqueue(encoder.encode(frames(page.events)));
    position = page.events.at(-1)?.seq ?? position;
    if (page.closed) controller.close();
  }

  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => write(first, controller),
      async pull(controller) {
        reads += 1;
        if (reads > maxReads) return controller.close();
        write(await read(position), controller);
      },
    },
    // Nothing is read ahead of the client: who reads no further costs nothing further.
    { highWaterMark: 0 },
  );
}

function frames(events: ExecutionEvent[]): string {
  if (events.length === 0) return ": nothing new\n\n";
  return events
    .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}
