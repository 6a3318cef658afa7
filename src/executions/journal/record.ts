import type { ExecutionSeed } from "../../contract/session.ts";
import type { StoredFact } from "./facts.ts";
import { type Head, nextWakeup, withUnknown } from "./head.ts";
import { History } from "./history.ts";
import type { Journal, JournalPosition } from "./journal.ts";

/** One commit. The record counts entries and events itself. */
export interface Commit {
  /** The execution's version after it. */
  version: number;
  facts(): StoredFact[];
  /** The head that it leads to. Called when the facts are in the history: a callback's body is made of them. */
  head(): Omit<Head, "entries" | "events">;
}

/** What is known of one execution: its seed, its newest head, and its history when that is wanted. */
export class SessionRecord {
  readonly seed: ExecutionSeed;
  readonly journal: Journal;
  #head: Head;
  #history: History | null;
  /** When the stored head is due; null while unknown or never. */
  #storedDue: number | null = null;
  /** Whether the newest head is stored. */
  #isStored = true;

  /** The record of an execution that begins, or of a stored one; the journal of a fork has what it took over. */
  constructor(seed: ExecutionSeed, head: Head, journal: Journal) {
    this.seed = seed;
    this.journal = journal;
    this.#head = head;
    this.#history = head.entries === 0 ? new History(journal) : null;
  }

  /** Returns the stored record, or null if there is none. */
  static load(journal: Journal): SessionRecord | null {
    const head = journal.head();
    if (head === null) return null;
    const seed = journal.seed();
    if (seed === null) throw new Error("The journal has no entry.");
    return new SessionRecord(seed, head, journal);
  }

  get head(): Head {
    return this.#head;
  }

  get history(): History {
    this.#history ??= History.read(this.journal);
    return this.#history;
  }

  /** The place of the next commit. */
  get place(): JournalPosition {
    return { seq: this.#head.entries, eventsBefore: this.#head.events };
  }

  /** Stores a commit in one transaction: its head, and an entry if it has facts. */
  store(at: number, commit: Commit): void {
    const { seq, eventsBefore } = this.place;
    try {
      this.#head = this.journal.transaction(() => {
        const facts = commit.facts();
        const events = eventsBefore + facts.filter(({ kind }) => kind === "event").length;
        if (facts.length > 0) {
          this.journal.append({ seq, events }, { at, version: commit.version, facts });
          this.#history?.add(seq, at, facts);
        }
        const head = { ...commit.head(), entries: facts.length === 0 ? seq : seq + 1, events };
        this.#save(head, nextWakeup(head.due, at));
        return head;
      });
    } catch (error) {
      // It may hold facts that are not stored.
      this.#history = null;
      this.#isStored = false;
      this.#storedDue = null;
      throw error;
    }
  }

  /**
   * Changes when the known wake-ups are due; returns when the next one is, or null. Only a time before the
   * stored one is stored at once: a crash before `save` repeats work that is done, which changes nothing.
   */
  changeDue(due: Head["due"], now: number): number | null {
    this.#head = { ...this.#head, due: withUnknown(due, this.#head.due) };
    this.#isStored = false;
    const next = nextWakeup(this.#head.due, now);
    const stored = this.#storedDue;
    if (next !== null && (stored === null || next < stored)) this.save(now);
    return next;
  }

  /** Stores the newest head, unless it is stored. */
  save(now: number): void {
    if (!this.#isStored) this.#save(this.#head, nextWakeup(this.#head.due, now));
  }

  /** Drops the history from memory. */
  forgetHistory(): void {
    this.#history = null;
  }

  #save(head: Head, wakeAt: number | null): void {
    this.journal.saveHead(head, wakeAt);
    this.#storedDue = wakeAt;
    this.#isStored = true;
  }
}
