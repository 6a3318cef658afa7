import { PrompthookError } from "../client/error.ts";
import type { AccountState } from "../http/account.ts";
import { sleep } from "../lib/async.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { logError } from "../lib/log.ts";
import type { Page } from "./context.ts";
import { unless } from "./lookups.ts";

/** A request can make 1,000 calls to objects; a look makes a few, and twice as many when it is retried. */
const MAX_LOOKS = 150;
/** How long the account's object waits for a change: a stream that is silent for a minute is closed by proxies. */
export const WAIT_MS = 45_000;
/** A page is loaded again so often although its account has not changed: for what no object tells, such as held requests. */
const LOOK_MS = 120_000;
/** Pauses between changes grow to this: constant change need not be followed closely. */
const MAX_PAUSE_MS = 3_000;
const PAUSE_MS = 100;
/** The pause after a failure that does not say how long it lasts, and the longest. */
const RETRY_SECONDS = 15;
const MAX_RETRY_SECONDS = 60;

/** What a page shows, as a short text that changes with it; `isOver` once it can no longer change. */
export interface Seen {
  seen: string;
  isOver: boolean;
}

/** How a stream learns of changes. */
export interface Watch {
  /** Returns the account's state, once it has changed or after a while. */
  account(): Promise<AccountState>;
  /** Returns what there is to see; null when it is gone. */
  look(seen: string): Promise<Seen | null>;
  /** Whether `look` itself waits until something differs from `seen`. */
  waits: boolean;
  pause(ms: number): Promise<void>;
  /** Epoch milliseconds. */
  now(): number;
}

/** Follows what a model is writing, until the signal aborts; a page does without the text where it fails. */
type Write = (onText: (text: string) => void, signal: AbortSignal) => Promise<void>;

/** Returns the path of a page's stream; `seen` is what the page shows. */
export function livePath(path: string, seen: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}seen=${encodeURIComponent(seen)}`;
}

/** Returns a short text that differs when what a page shows differs. */
export async function fingerprint(shown: unknown): Promise<string> {
  return (await sha256Hex(JSON.stringify(shown))).slice(0, 16);
}

/**
 * Answers with a stream that reports when a page shows something else; `look` waits for that. It also has what
 * `write` follows, if given.
 */
export function streamChanges(http: Page, look: Watch["look"], write?: Write): Response {
  const follow = http.get("follow")();
  return stream(http, { account: () => follow(0), look, waits: true }, write);
}

/**
 * Answers with a stream that loads what a page shows when its account has changed, or the endpoint that it
 * belongs to.
 */
export function streamFollowed(
  http: Page,
  load: () => Promise<unknown>,
  endpointId: string | null = null,
): Response {
  const follow = http.get("follow")(endpointId);
  const look = async (seen: string) => {
    const loaded = await orGone(load());
    if (loaded === null) return null;
    return { seen: loaded === SAME ? seen : await fingerprint(loaded), isOver: false };
  };
  return stream(http, { account: () => follow(WAIT_MS), look, waits: false });
}

function stream(
  http: Page,
  watch: Pick<Watch, "account" | "look" | "waits">,
  write?: Write,
): Response {
  // A browser that reconnects names the last event that it received.
  const seen = http.req.header("Last-Event-ID") || (http.req.query("seen") ?? "");
  return http.body(liveStream(seen, { ...watch, pause: sleep, now: Date.now }, write), 200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "X-Accel-Buffering": "no",
  });
}

/** Returns an answer, or null for what can no longer be read, as after the key was revoked. */
export const orGone = <Value>(answer: Promise<Value>) => unless(answer, isGone);

const isGone = (error: unknown) => error instanceof PrompthookError && error.status < 429;

/** Stands for a page that never changes; its stream only counts what waits. */
export const SAME = Symbol("same");

/**
 * Streams server-sent events: `changed` when the page shows something else, `waiting` with the number of
 * executions that wait for a person, `paused` while the service refuses or fails and `resumed` after that,
 * and `ended` after the last change, upon which the page closes the stream. A browser reconnects a stream
 * that breaks before. What `write` follows comes as events of the type `text` with a JSON string.
 */
export function liveStream(
  seen: string,
  watch: Watch,
  write: Write = async () => {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const frames = framesSince(seen, watch);
  const end = new AbortController();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const onText = (text: string) => {
          if (end.signal.aborted) return;
          controller.enqueue(encoder.encode(event("text", JSON.stringify(text))));
        };
        write(onText, end.signal).catch(() => undefined);
      },
      async pull(controller) {
        const { value, done } = await frames.next();
        if (done !== true) return controller.enqueue(encoder.encode(value));
        end.abort();
        controller.close();
      },
      async cancel() {
        end.abort();
        await frames.return();
      },
    },
    // No read runs ahead of the reader: a reader who has gone costs nothing.
    { highWaterMark: 0 },
  );
}

/** What came of one look. */
type Round =
  | { kind: "seen"; seen: string; isNew: boolean; isOver: boolean; waiting: number }
  | { kind: "gone"; seen: string }
  | { kind: "failed"; retrySeconds: number };

async function* framesSince(first: string, watch: Watch): AsyncGenerator<string, void, void> {
  const look = lookerFrom(first, watch);
  let changes = 0;
  let waits: number | null = null;
  let isPaused = false;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const round = await look();
    if (round.kind === "failed") {
      // A repeated comment detects a reader who has gone.
      yield isPaused ? ": paused\n\n" : event("paused");
      isPaused = true;
      await watch.pause(round.retrySeconds * 1_000);
      continue;
    }
    if (round.kind === "gone") {
      yield changed(round.seen) + event("ended");
      return;
    }
    if (isPaused) yield event("resumed");
    isPaused = false;
    if (round.waiting !== waits) yield event("waiting", String(round.waiting));
    waits = round.waiting;
    if (round.isNew) yield changed(round.seen);
    if (round.isOver) {
      yield event("ended");
      return;
    }
    changes = round.isNew ? changes + 1 : 0;
    // A comment keeps proxies from closing the stream, and detects a reader who has gone.
    if (!round.isNew) yield ": nothing new\n\n";
    else await watch.pause(Math.min(changes * PAUSE_MS, MAX_PAUSE_MS));
  }
}

/** Returns a function that looks at the account, and at the page if that may have changed. */
function lookerFrom(first: string, watch: Watch): () => Promise<Round> {
  let seen = first;
  let isStale = true;
  let lookedAt = watch.now();
  let account: AccountState | null = null;
  let askedAt = 0;
  return async () => {
    try {
      // A look that waits itself is not to wait for the account as well, which only counts what waits.
      if (account === null || !watch.waits || watch.now() - askedAt >= WAIT_MS) {
        askedAt = watch.now();
        account = await watch.account();
      }
      const { isChanged, waiting } = account;
      isStale ||= isChanged || watch.waits || watch.now() - lookedAt >= LOOK_MS;
      if (!isStale) return { kind: "seen", seen, isNew: false, isOver: false, waiting };
      const found = await watch.look(seen);
      if (found === null) return { kind: "gone", seen };
      isStale = false;
      lookedAt = watch.now();
      const isNew = found.seen !== seen;
      seen = found.seen;
      return { kind: "seen", seen, isNew, isOver: found.isOver, waiting };
    } catch (error) {
      if (isGone(error)) return { kind: "gone", seen };
      return { kind: "failed", retrySeconds: retrySecondsOf(error) };
    }
  };
}

/** A reader keeps what the page shows, whatever fails. */
function retrySecondsOf(error: unknown): number {
  if (!(error instanceof PrompthookError)) logError("page not followed", {}, error);
  const { retryAfterSeconds = null } = error instanceof PrompthookError ? error : {};
  return Math.min(retryAfterSeconds ?? RETRY_SECONDS, MAX_RETRY_SECONDS);
}

function changed(seen: string): string {
  return `id: ${seen}\n${event("changed", seen)}`;
}

function event(name: string, data = ""): string {
  return `event: ${name}\ndata:${data && ` ${data}`}\n\n`;
}

/** The number of no event: a stream behind it has what a model is writing, and nothing else. */
export const NO_EVENT = 10 ** 15 - 1;
