import type { Wakeups } from "../durable/wakeups.ts";
import { logError } from "../lib/log.ts";
import type { Parts } from "./parts.ts";

export const CHORES = ["start", "project", "prune"] as const;
export type Chore = (typeof CHORES)[number];

/** Starting follows acceptance at once; this is when it is tried again if that did not work. */
export const START_BACKUP_MS = 3_000;
export const PRUNE_INTERVAL_MS = 6 * 3_600_000;
const STARTS_PER_WAKEUP = 500;
const RETRY_MS = 15_000;

/** What an account does when it wakes up. */
export class Chores {
  readonly #parts: Parts;
  readonly #wakeups: Wakeups<Chore>;

  constructor(parts: Parts, wakeups: Wakeups<Chore>) {
    this.#parts = parts;
    this.#wakeups = wakeups;
  }

  /** Does all that is due. What fails is tried again, and keeps none of the others from being done. */
  async doDue(now: number): Promise<void> {
    const due = new Set(this.#wakeups.due(now));
    // A row that could not be read waits here until newer code can.
    if (due.has("prune")) due.add("project");
    for (const chore of due) {
      try {
        this.#wakeups.plan(chore, await this.#do(chore, now));
      } catch (error) {
        logError("chore failed", { chore }, error);
        this.#wakeups.set(chore, Date.now() + RETRY_MS);
      }
    }
  }

  /** Answers when it is due again (epoch milliseconds), or null. */
  async #do(chore: Chore, now: number): Promise<number | null> {
    const { book, starter, projector, unconfirmed } = this.#parts;
    switch (chore) {
      case "start":
        return starter.resume(STARTS_PER_WAKEUP) ? now + START_BACKUP_MS : null;
      case "project":
        return await projector.project(book.record().accountId);
      case "prune":
        unconfirmed.drop(now);
        book.prune(now);
        return now + PRUNE_INTERVAL_MS;
    }
  }
}
