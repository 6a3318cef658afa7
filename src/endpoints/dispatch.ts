import type { InboundMessage } from "../contract/webhooks/inbox.ts";
import { backoffMs, sleep, within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import type { ReadyRow, Work } from "./work.ts";

/** Requests of one message, which a consumer starts in one call. */
const MESSAGE_ITEMS = 100;
/** Requests of one call to the queue, in ten messages. */
const BATCH_ITEMS = 10 * MESSAGE_ITEMS;
/** Requests in the queue at a time; the others wait in the inbox. */
const MAX_IN_FLIGHT = 10_000;
const SEND_TIMEOUT_MS = 5_000;
/** Time after which unacknowledged work is sent again. */
const LEASE_MS = 30_000;
const LONGEST_LEASE_MS = 600_000;
/** Time after which work that this process was about to send is checked again. */
const BACKUP_MS = 3_000;

/** What is sent while a burst arrives: 40 a second, a part of what one thread can start. */
const BURST_ITEMS = 10;
const BURST_PAUSE_MS = 250;
/** A burst that lasts longer is the usual load: what is accepted must be started at the same rate. */
const LONGEST_BURST_MS = 10_000;

interface DispatcherDeps {
  work: Pick<Work, "hasReady" | "hasReleased" | "readyAfter" | "readyAmong">;
  endpointId(): string;
  send(messages: InboundMessage[]): Promise<void>;
  /** Schedules a call of `resume` at this time (epoch milliseconds) or before. */
  wakeAt(at: number): void;
  now(): number;
  /** Whether requests arrive faster than executions can start. */
  isBurst(now: number): boolean;
}

/**
 * Sends ready work to the queue. What is on its way is known in memory only: a lost note costs one
 * message more, and a repeated message does no harm, since a batch holds what is not acknowledged yet.
 * Released work goes out one message at a time, in order, and what came after it waits. While a burst
 * arrives, accepting has the right of way, since senders time out in seconds and executions do not.
 */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  /** By place: when the acknowledgement is due (epoch milliseconds). */
  readonly #inFlight = new Map<number, number>();
  /** All ready work up to this place is sent. */
  #sentUpTo = 0;
  /** Ready work, some of which may be before that place. */
  readonly #readied = new Set<number>();
  #wanted = false;
  #draining = false;
  #failures = 0;
  #notBefore = 0;
  #leaseMs = LEASE_MS;
  /** When the burst began that still arrives. */
  #burstSince: number | null = null;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  /** Dispatches ready work, together with that of the requests that arrive at the same time. */
  soon(): void {
    if (this.#deps.now() < this.#notBefore) return;
    this.#wanted = true;
    if (!this.#draining) void this.#drain();
  }

  /** Sends overdue work again. Returns when to call next, or null if no work is ready. */
  resume(): number | null {
    if (!this.#deps.work.hasReady()) return null;
    const now = this.#deps.now();
    this.#expire(now);
    if (now < this.#notBefore) return this.#notBefore;
    this.soon();
    const leases = [...this.#inFlight.values()];
    return leases.length === 0 ? now + BACKUP_MS : Math.max(now + BACKUP_MS, Math.min(...leases));
  }

  /** Sends work of requests that were sent before and have more to start. */
  readied(seqs: readonly number[]): void {
    if (seqs.length === 0) return;
    for (const seq of seqs) this.#readied.add(seq);
    this.soon();
  }

  /** Notes that work is started or failed, and dispatches what waited for it. */
  acknowledged(seqs: readonly number[]): void {
    const waited = seqs.filter((seq) => this.#inFlight.delete(seq));
    if (waited.length === 0) return;
    this.#leaseMs = LEASE_MS;
    this.soon();
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    try {
      while (this.#wanted) {
        await sleep(0);
        if (this.#mustYield()) await sleep(BURST_PAUSE_MS);
        this.#wanted = false;
        await this.#sendAll();
      }
    } catch (error) {
      this.#pause();
      logWarning("work not sent", { failures: this.#failures }, error);
    }
    this.#draining = false;
  }

  #pause(): void {
    this.#failures += 1;
    this.#notBefore = this.#deps.now() + backoffMs(this.#failures);
    this.#deps.wakeAt(this.#notBefore);
  }

  #mustYield(): boolean {
    const now = this.#deps.now();
    if (!this.#deps.isBurst(now)) {
      this.#burstSince = null;
      return false;
    }
    this.#burstSince ??= now;
    return now - this.#burstSince < LONGEST_BURST_MS;
  }

  /** Sends all work that has gathered, or a little of it while a burst arrives. */
  async #sendAll(): Promise<void> {
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) {
      await this.#send(batch);
      if (batch.length === BATCH_ITEMS || this.#readied.size > 0) continue;
      this.#wanted = true;
      return;
    }
  }

  #next(): ReadyRow[] {
    const { work } = this.#deps;
    if (work.hasReleased()) {
      return this.#inFlight.size > 0 ? [] : this.#upTo(work.readyAfter(0, MESSAGE_ITEMS));
    }
    if (this.#readied.size > 0) {
      const seqs = [...this.#readied].slice(0, MESSAGE_ITEMS);
      for (const seq of seqs) this.#readied.delete(seq);
      const again = work.readyAmong(seqs);
      // Other work before it may be unsent: all that an earlier process left, for one.
      if (again.length > 0) return again;
    }
    const room = MAX_IN_FLIGHT - this.#inFlight.size;
    const limit = Math.min(room, this.#mustYield() ? BURST_ITEMS : BATCH_ITEMS);
    const ready = work.readyAfter(this.#sentUpTo, limit);
    return this.#upTo(ready.filter(({ seq }) => !this.#inFlight.has(seq)));
  }

  /** Notes that all ready work up to the end of this batch is being sent. */
  #upTo(batch: ReadyRow[]): ReadyRow[] {
    this.#sentUpTo = Math.max(this.#sentUpTo, batch.at(-1)?.seq ?? 0);
    return batch;
  }

  async #send(batch: ReadyRow[]): Promise<void> {
    const endpointId = this.#deps.endpointId();
    const messages: InboundMessage[] = [];
    for (let at = 0; at < batch.length; at += MESSAGE_ITEMS) {
      const requestIds = batch.slice(at, at + MESSAGE_ITEMS).map(({ requestId }) => requestId);
      messages.push({ v: 1, endpointId, requestIds });
    }
    // Noted first, because the consumer may acknowledge before the queue has answered.
    const until = this.#deps.now() + this.#leaseMs;
    for (const { seq } of batch) this.#inFlight.set(seq, until);
    try {
      await within("the queue", SEND_TIMEOUT_MS, this.#deps.send(messages));
      this.#failures = 0;
    } catch (error) {
      this.#takeBack(batch.map(({ seq }) => seq));
      throw error;
    }
  }

  #expire(now: number): void {
    const late = [...this.#inFlight].filter(([, until]) => until <= now).map(([seq]) => seq);
    if (late.length === 0) return;
    this.#takeBack(late);
    // If nothing is acknowledged, more copies of the same messages do not help.
    this.#leaseMs = Math.min(this.#leaseMs * 2, LONGEST_LEASE_MS);
  }

  #takeBack(seqs: readonly number[]): void {
    for (const seq of seqs) this.#inFlight.delete(seq);
    for (const seq of seqs) this.#sentUpTo = Math.min(this.#sentUpTo, seq - 1);
  }
}
