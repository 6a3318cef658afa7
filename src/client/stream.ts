import { createParser } from "eventsource-parser";
import type { ExecutionEvent } from "../contract/events.ts";
import { EVENT_TYPES, isFinal } from "../contract/words.ts";
import { unlessAborted, within } from "../lib/async.ts";
import { ConnectionError, UnexpectedResponseError } from "./error.ts";
import { type CallOptions, pauseAfter, type Transport } from "./transport.ts";

export interface StreamOptions extends CallOptions {
  /** Skips events up to this sequence number. */
  after?: number | undefined;
  /** Receives each piece of what the model is writing. Pieces from before the stream opened are not sent. */
  onText?: ((text: string) => void) | undefined;
}

/**
 * Streams an execution's events until the final one. After a broken connection it resumes behind the
 * last event received, so none is missed or repeated.
 */
export async function* follow(
  transport: Transport,
  path: string,
  { after = 0, onText = () => {}, signal = new AbortController().signal }: StreamOptions,
): AsyncGenerator<ExecutionEvent, void, void> {
  const { maxRetries, runtime, timeoutMs } = transport.options;
  let position = after;
  let broken = 0;
  for (;;) {
    const response = await transport.send({
      method: "GET",
      path,
      headers: { Accept: "text/event-stream", "Last-Event-ID": String(position) },
      signal,
    });
    // The service has no events after that one.
    if (response.status === 204 || response.body === null) return;
    try {
      for await (const chunk of chunksOf(response.body, { timeoutMs, signal, onText })) {
        broken = 0;
        for (const event of chunk) {
          position = event.seq;
          yield event;
          if (event.type === "status" && isFinal(event.data.status)) return;
        }
      }
      // The service closes long streams in good order before a platform limit would cut them.
      throw new ConnectionError("The event stream ended before the execution did.");
    } catch (error) {
      signal.throwIfAborted();
      broken += 1;
      const pauseMs = broken > maxRetries ? null : pauseAfter(error, broken, runtime.random);
      if (pauseMs === null) throw error;
      await runtime.sleep(pauseMs, signal);
    }
  }
}

type Reading = { timeoutMs: number; signal: AbortSignal; onText(text: string): void };

/** Yields the events of each chunk; a keep-alive chunk yields an empty list. */
async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  { timeoutMs, signal, onText }: Reading,
): AsyncGenerator<ExecutionEvent[], void, void> {
  let events: ExecutionEvent[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      // A newer service may add types of events.
      const isKnown = event === undefined || EVENT_TYPES.some((known) => known === event);
      if (event === "text") onText(parsed<{ text: string }>(data).text);
      else if (isKnown) events.push(eventIn(data));
    },
  });
  const decoder = new TextDecoder();
  // Not every browser supports iterating a stream.
  const reader = body.getReader();
  const read = () => within("The event stream", timeoutMs, reader.read());
  try {
    for (;;) {
      const { done, value } = await unlessAborted(signal, read).catch((cause) => {
        throw new ConnectionError("The event stream has broken off.", { cause });
      });
      if (done) return;
      events = [];
      parser.feed(decoder.decode(value, { stream: true }));
      yield events;
    }
  } finally {
    // Releases the connection when the caller stops early. Cancelling a failed stream rejects.
    reader.cancel().catch(() => undefined);
  }
}

function eventIn(data: string): ExecutionEvent {
  const event = parsed<ExecutionEvent>(data);
  if (typeof event.seq === "number") return event;
  // The stream would be resumed behind it.
  throw new UnexpectedResponseError("An event of the stream has no number.", { status: 200 });
}

function parsed<Value>(data: string): Value {
  try {
    return JSON.parse(data);
  } catch (cause) {
    const message = "An event of the stream is not JSON.";
    throw new UnexpectedResponseError(message, { status: 200, cause });
  }
}
