import { createParser } from "eventsource-parser";
import { EVENT_TYPES, type ExecutionEvent, executionEvent } from "../contract/events.ts";
import { executionStatus, isFinal } from "../contract/execution.ts";
import { within } from "../lib/deadline.ts";
import { unlessAborted } from "../lib/unless-aborted.ts";
import { ConnectionError, UnexpectedAnswerError } from "./error.ts";
import type { Abortable } from "./paging.ts";
import type { Transport } from "./transport.ts";
import { pauseAfter } from "./transport.ts";

export interface Streaming extends Abortable {
  /** Entries up to this one are left out. */
  after?: number | undefined;
}

/**
 * The log of an execution as it grows, to its last entry. When the connection breaks, it is taken up
 * after the entry that came last: none is missed, none comes twice.
 */
export async function* follow(
  transport: Transport,
  path: string,
  { after = 0, signal = new AbortController().signal }: Streaming,
): AsyncGenerator<ExecutionEvent, void, void> {
  const { maxRetries, surroundings, timeoutMs } = transport.options;
  let position = after;
  let broken = 0;
  for (;;) {
    const response = await transport.send({
      method: "GET",
      path,
      headers: { Accept: "text/event-stream", "Last-Event-ID": String(position) },
      signal,
    });
    // Nothing follows that entry.
    if (response.status === 204 || response.body === null) return;
    try {
      for await (const chunk of chunksOf(response.body, timeoutMs, signal)) {
        broken = 0;
        for (const event of chunk) {
          position = event.seq;
          yield event;
          if (isLast(event)) return;
        }
      }
      // Also a stream that was not broken ends now and then, before what bounds a request does.
      throw new ConnectionError("The event stream ended before the execution did.");
    } catch (error) {
      signal.throwIfAborted();
      broken += 1;
      const pauseMs = broken > maxRetries ? null : pauseAfter(error, broken, surroundings.random);
      if (pauseMs === null) throw error;
      await surroundings.sleep(pauseMs, signal);
    }
  }
}

/** What each chunk of a stream brings; one that only keeps the line open brings nothing. */
async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  timeoutMs: number,
  signal: AbortSignal,
): AsyncGenerator<ExecutionEvent[], void, void> {
  let events: ExecutionEvent[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      if (isKnown(event)) events.push(eventIn(data));
    },
  });
  const decoder = new TextDecoder();
  // Not all browsers can iterate over a stream.
  const reader = body.getReader();
  const read = () => within("The event stream", timeoutMs, reader.read());
  try {
    for (;;) {
      const { done, value } = await unlessAborted(signal, read).catch(lost);
      if (done) return;
      events = [];
      parser.feed(decoder.decode(value, { stream: true }));
      yield events;
    }
  } finally {
    // Whoever reads no further costs nothing further. A stream that has failed cannot be cancelled.
    reader.cancel().catch(() => undefined);
  }
}

/** A newer service may tell of more than this client knows of. */
function isKnown(type: string | undefined): boolean {
  return type === undefined || EVENT_TYPES.some((known) => known === type);
}

function eventIn(data: string): ExecutionEvent {
  try {
    return executionEvent.parse(JSON.parse(data));
  } catch (cause) {
    const message = "An entry of the event stream is not of the expected form.";
    throw new UnexpectedAnswerError(message, { status: 200, cause });
  }
}

function lost(cause: unknown): never {
  throw new ConnectionError("The event stream has broken off.", { cause });
}

/** The status that an execution ends in is the last entry of its log. */
function isLast({ type, data }: ExecutionEvent): boolean {
  if (type !== "status") return false;
  const status = executionStatus.safeParse(data.status);
  return status.success && isFinal(status.data);
}
