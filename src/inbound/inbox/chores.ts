import type { Wakeups } from "../../durable/wakeups.ts";
import { within } from "../../lib/deadline.ts";
import { logError } from "../../lib/log.ts";
import { loadByAddress } from "../../records/endpoints.ts";
import type { Parts } from "./parts.ts";

export const CHORES = ["drain", "look", "lookAgain", "retain", "learn"] as const;
export type Chore = (typeof CHORES)[number];

const READ_TIMEOUT_MS = 10_000;
/** Longer than a read may take, and a change be announced before it is told. */
const RETRY_MS = 15_000;
/** Learning waits while many requests arrive, in the end as long as they do. */
const LEARN_LATER_MS = 1_000;
/** Between portions others have their turn. */
const LEARN_PAUSE_MS = 250;
const LEARN_PORTIONS = 5;

interface ChoresDeps {
  db: D1Database;
  storage: DurableObjectStorage;
  wakeups: Wakeups<Chore>;
  /** A configuration was taken over: what it made ready is to be sent. */
  adopted(): void;
  /** Nothing is left of a deleted endpoint. */
  vanish(): Promise<void>;
}

/** What an inbox does when it wakes up. */
export class Chores {
  readonly #parts: Parts;
  readonly #deps: ChoresDeps;
  #hasVanished = false;

  constructor(parts: Parts, deps: ChoresDeps) {
    this.#parts = parts;
    this.#deps = deps;
  }

  /** Does all that is due. What fails is tried again, and keeps none of the others from being done. */
  async doDue(now: number): Promise<void> {
    const { wakeups } = this.#deps;
    const due = new Set(wakeups.due(now));
    if (this.#parts.retention.isOverfull) due.add("retain");
    for (const chore of due) {
      if (this.#hasVanished) return;
      try {
        await this.#do(chore, now);
      } catch (error) {
        logError("chore failed", { chore }, error);
        wakeups.set(chore, Date.now() + RETRY_MS);
      }
    }
  }

  async #do(chore: Chore, now: number): Promise<void> {
    switch (chore) {
      case "drain":
        return this.#deps.wakeups.plan(chore, this.#parts.dispatcher.resume());
      case "learn":
        return await this.#learn();
      case "retain":
        return await this.#retain(now);
      case "look":
      case "lookAgain":
        return await this.#look(chore, now);
    }
  }

  async #learn(): Promise<void> {
    const { wakeups } = this.#deps;
    const now = Date.now();
    if (this.#parts.crowd.isCrowded(now)) return wakeups.set("learn", now + LEARN_LATER_MS);
    let more = true;
    for (let n = 0; more && n < LEARN_PORTIONS; n += 1) more = await this.#parts.learner.advance();
    wakeups.plan("learn", more ? Date.now() + LEARN_PAUSE_MS : null);
  }

  async #retain(now: number): Promise<void> {
    const { configs, retention } = this.#parts;
    const { retentionDays, deleted } = configs.current;
    const next = this.#deps.storage.transactionSync(() => retention.sweep(retentionDays, now));
    this.#deps.wakeups.plan("retain", next);
    if (next !== null || !deleted) return;
    this.#hasVanished = true;
    await this.#deps.vanish();
  }

  /**
   * Reads the configuration where its truth is, in case nobody lived to tell it: also after one was
   * told, since of two changes at once the other one may be the newer.
   */
  async #look(chore: "look" | "lookAgain", now: number): Promise<void> {
    const { wakeups, db } = this.#deps;
    const { configs, adoption } = this.#parts;
    const again = now + RETRY_MS;
    wakeups.set(chore, again);
    const read = loadByAddress(db, configs.current.endpointId);
    const config = await within("D1", READ_TIMEOUT_MS, read);
    // A change that was announced meanwhile has set another time.
    if (wakeups.at(chore) === again) wakeups.cancel(chore);
    if (config !== null && adoption.adopt(config, Date.now())) this.#deps.adopted();
  }
}
