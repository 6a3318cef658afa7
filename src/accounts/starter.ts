import type { Crowd } from "../durable/crowd.ts";
import { sessionStub } from "../durable/stubs.ts";
import { sleep, within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import type { UnstartedSeeds } from "./unstarted.ts";

/** Sessions that are started at once; more would only take the time that accepting needs. */
const CONCURRENCY = 3;
/** Starts wait for a quiet moment, but no longer than this. */
const PATIENCE_MS = 5_000;
/** Acknowledgements are written together: each write of its own would cost the accept path a sync. */
const ACKNOWLEDGE_MS = 25;
/** A session that does not answer must not keep its place for ever; starting it again does no harm. */
const START_TIMEOUT_MS = 10_000;

interface Waiting {
  executionId: string;
  /** When it was accepted, epoch milliseconds. */
  since: number;
}

/**
 * Hands the accepted inputs to their sessions. An input is forgotten only once its session has it;
 * starting is idempotent, so after a crash the same ones are simply handed over again.
 */
export class Starter {
  readonly #env: CloudflareEnv;
  readonly #seeds: UnstartedSeeds;
  readonly #queue: Waiting[] = [];
  readonly #known = new Set<string>();
  readonly #crowd: Crowd;
  #started: string[] = [];
  #running = 0;

  constructor(env: CloudflareEnv, seeds: UnstartedSeeds, crowd: Crowd) {
    this.#env = env;
    this.#seeds = seeds;
    this.#crowd = crowd;
  }

  /** Starts this execution as soon as there is a place. */
  add(executionId: string): void {
    if (this.#known.has(executionId)) return;
    this.#known.add(executionId);
    const since = Date.now();
    this.#crowd.arrive(since);
    this.#queue.push({ executionId, since });
    if (this.#running < CONCURRENCY) void this.#work();
  }

  /** Takes up inputs that an earlier process, or an earlier try, left; true when there are any. */
  resume(limit: number): boolean {
    const waiting = this.#seeds.ids(limit);
    for (const executionId of waiting) this.add(executionId);
    return waiting.length > 0;
  }

  async #work(): Promise<void> {
    this.#running += 1;
    for (;;) {
      // Answers go first: making an object takes the thread that they need.
      await sleep(0);
      const waiting = this.#queue.shift();
      if (waiting === undefined) break;
      await this.#crowd.quiet(waiting.since + PATIENCE_MS);
      await this.#start(waiting.executionId);
    }
    this.#running -= 1;
  }

  async #start(executionId: string): Promise<void> {
    try {
      const seed = this.#seeds.get(executionId);
      if (seed !== null) {
        const start = sessionStub(this.#env, executionId).start(seed);
        await within("the session", START_TIMEOUT_MS, start);
      }
      this.#acknowledge(executionId);
    } catch (error) {
      // The wake-up that was armed with the acceptance tries again.
      logWarning("session not started", { executionId }, error);
      this.#known.delete(executionId);
    }
  }

  #acknowledge(executionId: string): void {
    this.#started.push(executionId);
    if (this.#started.length > 1) return;
    setTimeout(() => {
      const started = this.#started;
      this.#started = [];
      this.#seeds.started(started);
      for (const id of started) this.#known.delete(id);
    }, ACKNOWLEDGE_MS);
  }
}
