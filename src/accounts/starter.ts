import { sessionStub } from "../agent/stub.ts";
import { within } from "../lib/deadline.ts";
import type { Book } from "./book.ts";

/** Sessions that are started at once; more would only take the time that accepting needs. */
const CONCURRENCY = 6;
/** Acknowledgements are written together: each write of its own would cost the accept path a sync. */
const ACKNOWLEDGE_MS = 25;
/** A session that does not answer must not keep its place for ever; starting it again does no harm. */
const START_TIMEOUT_MS = 10_000;

/**
 * Hands the accepted inputs to their sessions. An input is forgotten only once its session has it;
 * starting is idempotent, so after a crash the same ones are simply handed over again.
 */
export class Starter {
  readonly #env: CloudflareEnv;
  readonly #book: Book;
  readonly #queue: string[] = [];
  readonly #known = new Set<string>();
  #started: string[] = [];
  #running = 0;

  constructor(env: CloudflareEnv, book: Book) {
    this.#env = env;
    this.#book = book;
  }

  /** Starts this execution as soon as there is a place. */
  add(executionId: string): void {
    if (this.#known.has(executionId)) return;
    this.#known.add(executionId);
    this.#queue.push(executionId);
    if (this.#running < CONCURRENCY) void this.#work();
  }

  /** Takes up inputs that an earlier process, or an earlier try, left; true when there are any. */
  resume(limit: number): boolean {
    const waiting = this.#book.toStart(limit);
    for (const executionId of waiting) this.add(executionId);
    return waiting.length > 0;
  }

  async #work(): Promise<void> {
    this.#running += 1;
    for (;;) {
      const executionId = this.#queue.shift();
      if (executionId === undefined) break;
      await this.#start(executionId);
    }
    this.#running -= 1;
  }

  async #start(executionId: string): Promise<void> {
    try {
      const seed = this.#book.seed(executionId);
      if (seed !== null) {
        const start = sessionStub(this.#env, executionId).start(seed);
        await within("the session", START_TIMEOUT_MS, start);
      }
      this.#acknowledge(executionId);
    } catch (error) {
      // The wake-up that was armed with the acceptance tries again.
      console.warn("session not started", { executionId, error: String(error) });
      this.#known.delete(executionId);
    }
  }

  #acknowledge(executionId: string): void {
    this.#started.push(executionId);
    if (this.#started.length > 1) return;
    setTimeout(() => {
      const started = this.#started;
      this.#started = [];
      this.#book.started(started);
      for (const id of started) this.#known.delete(id);
    }, ACKNOWLEDGE_MS);
  }
}
