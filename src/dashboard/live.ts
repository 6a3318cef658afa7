import { PrompthookError } from "../client/error.ts";
import type { Prompthook } from "../client/prompthook.ts";
import { sleep } from "../lib/async.ts";
import { sha256Hex } from "../lib/encoding.ts";
import type { Page } from "./context.ts";

/** A request can make 1,000 calls to objects; a read makes a few, and twice as many when it is retried. */
const MAX_READS = 150;
/** Pauses between changes grow to this: constant change need not be followed closely. */
const MAX_PAUSE_MS = 1_000;
const PAUSE_MS = 100;
/** How often a page without a long poll is looked at. */
const POLL_MS = 2_000;
/** Every how many quiet looks the executions that wait for a person are counted. */
const QUIET_LOOKS = 3;
/** The most executions that are counted. */
const MAX_WAITING = 100;

/** What a page shows, as a short text that changes with it; `isOver` once it can no longer change. */
export interface Seen {
  seen: string;
  isOver: boolean;
}

/** How a stream learns of changes. */
export interface Watch {
  /** Returns what there is to see once it differs from `seen`, or unchanged after a while; null when it is gone. */
  next(seen: string): Promise<Seen | null>;
  /** Counts the executions that wait for a person. */
  waiting(): Promise<number>;
  pause(ms: number): Promise<void>;
}

/** Returns the path of a page's stream; `seen` is what the page shows. */
export function livePath(path: string, seen: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}seen=${encodeURIComponent(seen)}`;
}

/** Returns the path of a list's stream; null for its older pages, which do not change by themselves. */
export async function listLivePath(
  list: string,
  cursor: string | undefined,
  shown: unknown,
): Promise<string | null> {
  return cursor === undefined ? livePath(`${list}/live`, await fingerprint(shown)) : null;
}

/** Returns a short text that differs when what a page shows differs. */
export async function fingerprint(shown: unknown): Promise<string> {
  return (await sha256Hex(JSON.stringify(shown))).slice(0, 16);
}

/** Answers with a stream that reports when a page shows something else. */
export function streamChanges(http: Page, next: Watch["next"]): Response {
  // A browser that reconnects names the last event that it received.
  const seen = http.req.header("Last-Event-ID") || (http.req.query("seen") ?? "");
  const waiting = () => countWaiting(http.get("api"));
  return http.body(liveStream(seen, { next, waiting, pause: sleep }), 200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "X-Accel-Buffering": "no",
  });
}

/** Answers with a stream that loads what a page shows, every two seconds or as often as `pauseMs` says. */
export function streamPolled(
  http: Page,
  load: () => Promise<unknown>,
  pauseMs = POLL_MS,
): Response {
  let isFirst = true;
  return streamChanges(http, async (seen) => {
    // What changed since the page was loaded is reported at once.
    if (!isFirst) await sleep(pauseMs);
    isFirst = false;
    const loaded = await orGone(load());
    return loaded === null
      ? null
      : { seen: loaded === SAME ? seen : await fingerprint(loaded), isOver: false };
  });
}

/** Returns an answer, or null for what can no longer be read, as after the key was revoked. */
export async function orGone<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PrompthookError && error.status < 429) return null;
    throw error;
  }
}

/** Stands for a page that never changes; its stream only counts what waits. */
export const SAME = Symbol("same");

/** Counts the executions that wait for a person, up to 100; zero where the key may not read them. */
export async function countWaiting(api: Prompthook): Promise<number> {
  const page = await orGone(
    api.executions.list({ status: ["waiting_for_input"], limit: MAX_WAITING }),
  );
  return page?.executions.length ?? 0;
}

/**
 * Streams server-sent events: `changed` when the page shows something else, `waiting` with the number of
 * executions that wait for a person, and `ended` after the last change, upon which the page closes the
 * stream. A browser reconnects a stream that breaks before.
 */
export function liveStream(seen: string, watch: Watch): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const frames = framesSince(seen, watch);
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
  first: string,
  { next, waiting, pause }: Watch,
): AsyncGenerator<string, void, void> {
  let seen = first;
  let changes = 0;
  let waits: number | null = null;
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    if (reads % QUIET_LOOKS === 0) {
      const count = await waiting();
      if (count !== waits) yield `event: waiting\ndata: ${count}\n\n`;
      waits = count;
    }
    const now = await next(seen);
    if (now === null || now.seen !== seen) yield changed(now?.seen ?? seen);
    if (now === null || now.isOver) {
      yield "event: ended\ndata:\n\n";
      return;
    }
    if (now.seen === seen) {
      // A comment keeps proxies from closing the stream, and detects a reader who has gone.
      yield ": nothing new\n\n";
      continue;
    }
    seen = now.seen;
    changes += 1;
    await pause(Math.min(changes * PAUSE_MS, MAX_PAUSE_MS));
  }
}

function changed(seen: string): string {
  return `id: ${seen}\nevent: changed\ndata: ${seen}\n\n`;
}
