import type { ExecutionEvent } from "../contract/events.ts";
import { sleep } from "../lib/async.ts";
import { ChangeNotifier } from "../lib/change-notifier.ts";

/** A silent stream sends a comment this often, which keeps proxies from closing it. */
const HEARTBEAT_MS = 15_000;
/** Pieces of text that arrive within this time are sent together. */
const GATHER_MS = 50;
/** Events that are read at once. */
const PAGE = 100;

/** Events from some point on. `closed` means that none follow. */
export interface EventPage {
  events: ExecutionEvent[];
  closed: boolean;
}

/** What streams read of an execution. */
interface EventLog {
  /** Returns at most `limit` events after the event `after`. */
  page(after: number, limit: number): EventPage;
  /** The number of the last event. */
  last(): number;
}

/** A text that the model wrote after the event `after`. */
interface Piece {
  after: number;
  text: string;
}

/**
 * The open event streams of one execution. They send its events, and what its model is writing while it
 * does: that is never stored, and a stream that opens later does not get it.
 */
export class EventStreams {
  readonly #log: EventLog;
  readonly #changes = new ChangeNotifier();
  readonly #open = new Set<{ pieces: Piece[] }>();
  #isEnded = false;

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Whether nobody follows the execution. */
  get isQuiet(): boolean {
    return this.#open.size === 0;
  }

  /** Sends the events that were stored since. */
  notify(): void {
    this.#changes.notify();
  }

  /** Sends a piece of what the model is writing. */
  write(text: string): void {
    if (this.isQuiet) return;
    const after = this.#log.last();
    for (const { pieces } of this.#open) {
      const last = pieces.at(-1);
      if (last?.after === after) last.text += text;
      else pieces.push({ after, text });
    }
    this.#changes.notify();
  }

  /** Ends all streams: there is nothing left to read. */
  end(): void {
    this.#isEnded = true;
    this.#changes.notify();
  }

  /** Opens a stream of server-sent events after the event `after`, until the log closes. */
  open(after: number): ReadableStream<Uint8Array> {
    const follower = { pieces: [] };
    const next = this.#reader(follower.pieces, after);
    return new ReadableStream(
      {
        // Only streams of bytes can be sent from an object to the request that asked for them.
        type: "bytes",
        start: () => void this.#open.add(follower),
        pull: async (controller) => {
          const { frames, closed } = await next();
          if (!this.#open.has(follower)) return;
          if (frames !== "") controller.enqueue(new TextEncoder().encode(frames));
          if (!closed) return;
          this.#open.delete(follower);
          controller.close();
          controller.byobRequest?.respond(0);
        },
        cancel: () => void this.#open.delete(follower),
      },
      // Nothing is read ahead of the client.
      { highWaterMark: 0 },
    );
  }

  /** Returns a function that waits for something to send. */
  #reader(pieces: Piece[], after: number) {
    let position = after;
    let isFirst = true;
    const read = () =>
      this.#isEnded ? { events: [], closed: true } : this.#log.page(position, PAGE);
    return async (): Promise<{ frames: string; closed: boolean }> => {
      let page = read();
      if (page.events.length + pieces.length === 0 && !page.closed && !isFirst) {
        await this.#changes.settled(HEARTBEAT_MS);
        if (pieces.length > 0) await sleep(GATHER_MS);
        page = read();
      }
      isFirst = false;
      const { events, closed } = page;
      position = events.at(-1)?.seq ?? position;
      // Behind a full page more events may come before the text.
      const said = events.length < PAGE ? pieces.splice(0) : [];
      if (events.length + said.length > 0) return { frames: inOrder(events, said), closed };
      return { frames: closed ? "" : ": nothing new\n\n", closed };
    };
  }
}

/** Writes events and texts as they came. */
function inOrder(events: readonly ExecutionEvent[], pieces: Piece[]): string {
  const frames: string[] = [];
  let next = 0;
  const say = (before: number) => {
    for (; (pieces[next]?.after ?? before) < before; next += 1) {
      frames.push(`event: text\ndata: ${JSON.stringify({ text: pieces[next]?.text })}\n\n`);
    }
  };
  for (const event of events) {
    say(event.seq);
    frames.push(`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  say(Number.POSITIVE_INFINITY);
  return frames.join("");
}
