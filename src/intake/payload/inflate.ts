import { Inflate } from "pako";
import { sleep } from "../../lib/async.ts";

/** Inflations that run at a time in an isolate: the others hold nothing but their bytes on the wire. */
const AT_ONCE = 2;
/** Compressed bytes that are fed between two looks at the length. Deflate makes at most 1,032 of each. */
const PIECE_BYTES = 1_024;
/** Inflated bytes after which other requests get their turn; some 5 ms of work. */
const SLICE_BYTES = 524_288;
const OUTPUT_BYTES = 65_536;
/** RFC 1952, section 2.3: a header of ten bytes, an empty block of two, a trailer of eight. */
const SHORTEST_GZIP = 20;
const WAIT_MS = 10_000;
const POLL_MS = 5;
/** A request whose client has gone stops without a word: its ticket is void after this. */
const SILENT_MS = 1_000;

export type Inflated =
  | { kind: "whole"; bytes: Uint8Array }
  | { kind: "too_large" }
  /** Not exactly one complete gzip member. */
  | { kind: "corrupt" };

/** Too many bodies are being inflated in this isolate. Nothing was accepted; the sender can retry. */
export class InflationBusyError extends Error {
  constructor() {
    super("too many bodies are being inflated");
    this.name = "InflationBusyError";
  }
}

/**
 * Inflates a gzip body (RFC 1952) of one member, in slices between which other requests are served.
 *
 * The last four bytes declare the inflated length: a body that declares more than `limit` is refused
 * before any work, and one that inflates to more than it declares is stopped there. So a body never costs
 * more time or memory than an honest one of `limit` bytes. `DecompressionStream` cannot promise this: it
 * runs ahead of its reader.
 */
export async function inflate(wire: Uint8Array, limit: number): Promise<Inflated> {
  if (wire.length < SHORTEST_GZIP || wire[0] !== 0x1f || wire[1] !== 0x8b) {
    return { kind: "corrupt" };
  }
  const length = new DataView(wire.buffer, wire.byteOffset).getUint32(wire.length - 4, true);
  if (length > limit) return { kind: "too_large" };
  const ticket = new Ticket();
  try {
    await ticket.turn();
    return await inflateTo(length, wire, ticket);
  } finally {
    ticket.giveBack();
  }
}

/** Inflates a body that declares this length. */
async function inflateTo(length: number, wire: Uint8Array, ticket: Ticket): Promise<Inflated> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  let overflown = false;
  // 16 asks for gzip's header and trailer, 15 for the window of 32 KiB.
  const stream = new Inflate({ windowBits: 16 + 15, chunkSize: OUTPUT_BYTES });
  stream.onData = (chunk) => {
    overflown ||= filled + chunk.length > length;
    if (!overflown) bytes.set(chunk, filled);
    filled += chunk.length;
  };
  let sliceEnd = SLICE_BYTES;
  for (let at = 0; at < wire.length; at += PIECE_BYTES) {
    const isLast = at + PIECE_BYTES >= wire.length;
    const isGood = stream.push(wire.subarray(at, at + PIECE_BYTES), isLast);
    if (!isGood || overflown) return { kind: "corrupt" };
    if (filled < sliceEnd) continue;
    sliceEnd = filled + SLICE_BYTES;
    await ticket.pause();
  }
  // What follows the first member is not read as a part of it, and so changes what is declared.
  return filled === length ? { kind: "whole", bytes } : { kind: "corrupt" };
}

/** When each ticket was last known to be alive (epoch milliseconds), in the order of arrival. */
const queue = new Map<Ticket, number>();

/** A place in the queue of an isolate's inflations. */
class Ticket {
  constructor() {
    queue.set(this, Date.now());
  }

  /** Waits for its turn. Throws an `InflationBusyError` when that takes too long. */
  async turn(): Promise<void> {
    const end = Date.now() + WAIT_MS;
    while (!this.#isNext()) {
      if (Date.now() >= end) throw new InflationBusyError();
      await sleep(POLL_MS);
      queue.set(this, Date.now());
    }
  }

  /** Lets others have the thread. */
  async pause(): Promise<void> {
    await sleep(0);
    queue.set(this, Date.now());
  }

  giveBack(): void {
    queue.delete(this);
  }

  #isNext(): boolean {
    const silentSince = Date.now() - SILENT_MS;
    for (const [ticket, aliveAt] of queue) if (aliveAt < silentSince) queue.delete(ticket);
    return [...queue.keys()].indexOf(this) < AT_ONCE;
  }
}
