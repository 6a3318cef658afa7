import type { ExecutionSeed } from "../../contract/session.ts";
import type { StoredFact } from "./facts.ts";
import { type Head, nextWakeup, withUnknown } from "./head.ts";
import { History } from "./history.ts";
import type { Journal, Place } from "./journal.ts";

/** The facts of a commit, and the head that it leads to; the record counts entries and events itself. */
export interface Commit {
  head: Omit<Head, "entries" | "events">;
  facts: StoredFact[];
}

/** What is known of one execution: its seed, its newest head, and its history when that is wanted. */
export class SessionRecord {
  readonly seed: ExecutionSeed;
  readonly journal: Journal;
  #head: Head;
  #history: History | null = null;

  /** The record of an execution whose `head` is not stored yet. */
  constructor(seed: ExecutionSeed, head: Head, journal: Journal) {
    this.seed = seed;
    this.journal = journal;
    this.#head = head;
  }

  /** Returns the stored record, or null if there is none. */
  static load(journal: Journal): SessionRecord | null {
    const head = journal.head();
    if (head === null) return null;
    const [first] = journal.entry(0).facts;
    if (first?.kind !== "seed") throw new Error("The journal does not begin with a seed.");
    return new SessionRecord(first.seed, head, journal);
  }

  get head(): Head {
    return this.#head;
  }

  get history(): History {
    this.#history ??= History.read(this.journal);
    return this.#history;
  }

  /** The place of the next commit. */
  get place(): Place {
    return { seq: this.#head.entries, eventsBefore: this.#head.events };
  }

  /**
   * Stores a commit in one transaction, as an entry if it has facts and a head. When that fails, memory
   * stays as it was.
   */
  store(at: number, change: () => Commit): void {
    const { seq, eventsBefore } = this.place;
    const { head, facts } = this.journal.transaction(() => {
      const { head: next, facts } = change();
      const events = eventsBefore + facts.filter(({ kind }) => kind === "event").length;
      const head = { ...next, entries: facts.length === 0 ? seq : seq + 1, events };
      if (facts.length > 0) {
        this.journal.append({ seq, eventsBefore }, { at, version: head.state.version, facts });
      }
      this.journal.saveHead(head, nextWakeup(head.due, at));
      return { head, facts };
    });
    this.#head = head;
    if (facts.length > 0) this.#history?.add(seq, at, facts);
  }

  /** Stores when the known wake-ups are due; returns when the next one is, or null. */
  storeDue(due: Head["due"], now: number): number | null {
    this.#head = { ...this.#head, due: withUnknown(due, this.#head.due) };
    const next = nextWakeup(this.#head.due, now);
    this.journal.saveHead(this.#head, next);
    return next;
  }

  /** Drops the history from memory. */
  forgetHistory(): void {
    this.#history = null;
  }
}
