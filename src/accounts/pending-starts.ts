import { type ExecutionSeed, executionSeed } from "../contract/session.ts";
import { isLong, LongTexts } from "../durable/long-texts.ts";
import { type TableSql, type TableStorage, textsOf } from "../durable/rows.ts";
import { callFailure } from "../durable/stubs.ts";
import { backoffMs, sleep, within } from "../lib/async.ts";
import { slotOf } from "../lib/execution-id.ts";
import { logWarning } from "../lib/log.ts";

/** Seeds that are kept in memory until their session has them, and the length of each: most start at once. */
const KEPT_SEEDS = 256;
const KEPT_LENGTH = 16_384;

/** The column's value for a seed that is too long for one. */
const STORED_ASIDE = "";

/** Executions that one call to their host starts. */
const CALL_SEEDS = 16;
/** Executions that start in one turn of the event loop while others arrive. */
const ARRIVAL_STARTS = 4;
/** More that arrive without a pause are the usual load: what is accepted must be started at the same rate. */
const LARGEST_BURST = 5_000;
/** A pause between arrivals that ends a burst. */
const PAUSE_MS = 1_000;
/** Attempts in a row to start an execution. */
const ATTEMPTS = 3;
/** Frees the place of a session that does not answer; starting it again does no harm. */
const START_TIMEOUT_MS = 10_000;

/**
 * The seeds of accepted executions, each until its session has it. That a session has its seed is known in
 * memory only, since to store it would be a row more for each execution: after a restart, executions that
 * never reported are started again, which changes nothing.
 */
export class PendingStarts {
  readonly #sql: TableSql;
  readonly #long: LongTexts;
  /** The executions that wait for their start, the oldest first. */
  readonly #waiting: Set<string>;
  /** Stored seeds, to start without reading them. */
  readonly #kept = new Map<string, ExecutionSeed>();

  constructor({ sql, kv }: Pick<TableStorage, "sql" | "kv">) {
    this.#sql = sql;
    this.#long = new LongTexts(kv);
    this.#waiting = new Set(this.stored());
  }

  /** The number of executions that wait for their start. */
  get count(): number {
    return this.#waiting.size;
  }

  /** Whether an execution waits for its start. */
  has(executionId: string): boolean {
    return this.#waiting.has(executionId);
  }

  /** Returns the value of the seed's column. Called within the transaction that stores the row. */
  columnOf(seed: ExecutionSeed): string {
    const text = JSON.stringify(seed);
    if (text.length <= KEPT_LENGTH && this.#kept.size < KEPT_SEEDS) {
      this.#kept.set(seed.executionId, seed);
    }
    if (!isLong(text)) return text;
    this.#long.put(nameOf(seed.executionId), text);
    return STORED_ASIDE;
  }

  /** Notes that an execution was stored and waits for its start. */
  add(executionId: string): void {
    this.#waiting.add(executionId);
  }

  /** Notes that the session has its seed. */
  started(executionId: string): void {
    this.#waiting.delete(executionId);
    this.#kept.delete(executionId);
  }

  /** Returns the ids of executions that wait for their start, the oldest first. */
  ids(): string[] {
    return [...this.#waiting];
  }

  /** Returns the ids of executions whose seed is stored: those that wait, and those that never reported. */
  stored(): string[] {
    const query =
      "SELECT execution_id FROM executions WHERE seed IS NOT NULL ORDER BY execution_id";
    return textsOf(this.#sql, query);
  }

  /** Returns the seed of an execution, or null once its session has it. */
  get(executionId: string): ExecutionSeed | null {
    if (!this.#waiting.has(executionId)) return null;
    return this.#kept.get(executionId) ?? this.seed(executionId);
  }

  /** Whether the seed of an execution is short enough to travel with others. */
  isShort(executionId: string): boolean {
    return this.#kept.has(executionId);
  }

  /** Returns the stored seed of an execution, or null. */
  seed(executionId: string): ExecutionSeed | null {
    const query = "SELECT seed FROM executions WHERE execution_id = ? AND seed IS NOT NULL";
    const [seed] = textsOf(this.#sql, query, executionId);
    if (seed === undefined) return null;
    const text = seed === STORED_ASIDE ? this.#long.get(nameOf(executionId)) : seed;
    return text === null ? null : executionSeed.parse(JSON.parse(text));
  }

  /** Replaces a text in the seed of an execution, in which it occurs once. */
  replaceInSeed(executionId: string, before: string, after: string): void {
    this.#kept.delete(executionId);
    const change = "UPDATE executions SET seed = replace(seed, ?, ?) WHERE execution_id = ?";
    this.#sql.exec(change, before, after, executionId);
    const long = this.#long.get(nameOf(executionId));
    if (long !== null) this.#long.put(nameOf(executionId), long.replace(before, after));
  }

  /** Deletes what is stored outside of the column. Called within the transaction that empties it. */
  release(executionId: string, column: string | null): void {
    if (column === STORED_ASIDE) this.#long.delete(nameOf(executionId));
  }
}

function nameOf(executionId: string): string {
  return `seed/${executionId}`;
}

interface Queued {
  executionId: string;
  /** How often an overloaded object refused it. */
  refusals: number;
}

/** How executions are started. */
interface StartHost {
  /**
   * Calls the host of these executions, each time by a new stub: one is broken after an error. Returns how
   * many of them, the first ones, it has started.
   */
  call(seeds: [ExecutionSeed, ...ExecutionSeed[]]): Promise<number>;
  /** Whether an execution may start now; one that may not stays pending, until it is dispatched again. */
  mayStart(seed: ExecutionSeed): boolean;
  /** Returns how many of the pending executions may be active. */
  room(): number;
}

type Pending = Pick<PendingStarts, "get" | "ids" | "isShort" | "started">;

/**
 * Dispatches accepted executions to their sessions, as many at once as their hosts take and as may be
 * active, those of one host together. Starting is idempotent, so after a crash the same executions are
 * dispatched again.
 *
 * Hosts may share a thread with those who ask for executions, so a few start and then all that is ready runs:
 * what arrives is accepted first. Once 5,000 came without a pause, twice as many start as arrive. Once half of
 * the free places are promised, none is held back.
 */
export class StartDispatcher {
  readonly #pending: Pending;
  readonly #host: StartHost;
  readonly #limit = new ConcurrencyLimit();
  /** What waits for each host, by its slot. */
  readonly #queues = new Map<number, Queued[]>();
  readonly #known = new Set<string>();
  #running = 0;
  /** Executions that may start before all that is ready has run. */
  #left = CALL_SEEDS;
  /** Executions that arrived since. */
  #arrived = 0;
  /** Executions that arrived since the last pause. */
  #burst = 0;
  /** When the newest of them arrived, epoch milliseconds. */
  #arrivedAt = 0;
  #isYielding = false;

  constructor(pending: Pending, host: StartHost) {
    this.#pending = pending;
    this.#host = host;
  }

  /** Starts executions as soon as there are free places. */
  dispatch(executionIds: readonly string[]): void {
    const unknown = executionIds.filter((executionId) => !this.#known.has(executionId));
    if (unknown.length > 0) this.#noteArrival(unknown.length, Date.now());
    for (const executionId of unknown) this.#known.add(executionId);
    this.#enqueue(unknown.map((executionId) => ({ executionId, refusals: 0 })));
  }

  #noteArrival(count: number, now: number): void {
    this.#arrived += count;
    this.#burst = count + (now - this.#arrivedAt > PAUSE_MS ? 0 : this.#burst);
    this.#arrivedAt = now;
  }

  /** Whether calls to hosts are under way. */
  get isStarting(): boolean {
    return this.#running > 0;
  }

  /** Dispatches all pending starts, such as an earlier process left; false if there are none. */
  resume(): boolean {
    const waiting = this.#pending.ids();
    this.dispatch(waiting);
    return waiting.length > 0;
  }

  #enqueue(queued: readonly Queued[]): void {
    for (const each of queued) {
      const slot = slotOf(each.executionId);
      const others = this.#queues.get(slot);
      if (others === undefined) this.#queues.set(slot, [each]);
      else others.push(each);
    }
    this.fill();
  }

  /** Starts what waits, as far as there are free places: more of them may be free now. */
  fill(): void {
    for (;;) {
      const room = this.#host.room();
      const left = this.#known.size < room / 2 ? this.#left : CALL_SEEDS;
      const free = Math.min(left, Math.min(this.#limit.value, room) - this.#running);
      const batch = free < 1 ? [] : this.#next(free);
      if (batch.length === 0) return;
      this.#left -= batch.length;
      void this.#yield();
      this.#running += batch.length;
      void this.#start(batch).then((again) => {
        this.#running -= batch.length;
        this.#enqueue(again);
      });
    }
  }

  /** Lets all that is ready run, and starts others then. */
  async #yield(): Promise<void> {
    if (this.#isYielding) return;
    this.#isYielding = true;
    await sleep(0);
    this.#isYielding = false;
    const few = this.#arrived > 0 ? ARRIVAL_STARTS : CALL_SEEDS;
    // What was held back starts little by little: all at once, it would keep the next arrivals for seconds.
    const more = Math.min(2 * CALL_SEEDS, Math.max(CALL_SEEDS, 2 * this.#arrived));
    this.#left = this.#burst > LARGEST_BURST ? more : few;
    this.#arrived = 0;
    this.fill();
  }

  /** Takes what one call starts: some of one host, since the next host has its turn then. */
  #next(most: number): Queued[] {
    const [slot, queue] = this.#queues.entries().next().value ?? [0, []];
    this.#queues.delete(slot);
    const long = queue.findIndex(({ executionId }) => !this.#pending.isShort(executionId));
    const short = long === -1 ? queue.length : Math.max(1, long);
    const batch = queue.splice(0, Math.min(most, short, CALL_SEEDS));
    if (queue.length > 0) this.#queues.set(slot, queue);
    return batch;
  }

  /** Starts executions of one host. Returns those that are to be tried again. It never throws. */
  async #start(batch: Queued[]): Promise<Queued[]> {
    let open = batch;
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = Date.now();
      try {
        const seeds = new Map<Queued, ExecutionSeed>();
        for (const each of batch) {
          const seed = this.#pending.get(each.executionId);
          if (seed === null) this.#started(each);
          else if (this.#host.mayStart(seed)) seeds.set(each, seed);
          else this.#known.delete(each.executionId);
        }
        open = [...seeds.keys()];
        const [first, ...others] = seeds.values();
        if (first === undefined) return [];
        const call = this.#host.call([first, ...others]);
        const count = await within("the session", START_TIMEOUT_MS, call);
        this.#limit.answered(startedAt, Date.now());
        for (const each of open.slice(0, count)) this.#started(each);
        return open.slice(count);
      } catch (error) {
        const { isOverloaded, isRetryable } = callFailure(error);
        if (isRetryable && attempt < ATTEMPTS) continue;
        const [first, ...others] = open;
        logWarning("session not started", { executionId: first?.executionId }, error);
        if (isOverloaded) {
          this.#limit.refused(startedAt, Date.now());
          const refusals = (first?.refusals ?? 0) + 1;
          const refused = open.map(({ executionId }) => ({ executionId, refusals }));
          const pause = backoffMs(refusals) * (1 + Math.random());
          setTimeout(() => this.#enqueue(refused), pause);
          return [];
        }
        this.#limit.answered(startedAt, Date.now());
        // The wake-up that was armed with the acceptance dispatches it again; the others may be well.
        if (first !== undefined) this.#known.delete(first.executionId);
        return others;
      }
    }
  }

  #started({ executionId }: Queued): void {
    this.#pending.started(executionId);
    this.#known.delete(executionId);
  }
}

const FIRST = 8;
const FEWEST = 4;
const MOST = 256;
/** Calls that are added after a quick round. */
const INCREASE = 2;
/** The median time of a quick call. */
const QUICK_MS = 50;

/**
 * Adapts how many calls run at once to what the callee takes: a few more after each round of quick calls,
 * half as many after a slow round or a refusal (additive increase, multiplicative decrease, as TCP does
 * in RFC 5681 §3.1). A round is as many calls as may run at once; its median decides, so that a single
 * slow object among many does not.
 */
export class ConcurrencyLimit {
  #limit = FIRST;
  #round: number[] = [];
  /** Calls that began before this time ran under a higher limit; epoch milliseconds. */
  #lowered = Number.NEGATIVE_INFINITY;

  /** The number of calls that may run at once. */
  get value(): number {
    return this.#limit;
  }

  /** Records a call that was answered. Times are epoch milliseconds. */
  answered(startedAt: number, now: number): void {
    if (startedAt < this.#lowered) return;
    this.#round.push(now - startedAt);
    if (this.#round.length < this.#limit) return;
    const median = this.#round.sort((a, b) => a - b)[this.#round.length >> 1] ?? 0;
    this.#round = [];
    if (median >= QUICK_MS) this.#lower(now);
    else this.#limit = Math.min(this.#limit + INCREASE, MOST);
  }

  /** Records a call that the callee refused because it is overloaded. Times are epoch milliseconds. */
  refused(startedAt: number, now: number): void {
    if (startedAt >= this.#lowered) this.#lower(now);
  }

  #lower(now: number): void {
    this.#limit = Math.max(Math.floor(this.#limit / 2), FEWEST);
    this.#lowered = now;
    this.#round = [];
  }
}
