import * as z from "zod";
import { initialState } from "../agent/machine/state.ts";
import { rowView } from "../agent/views.ts";
import {
  type AcceptReply,
  type AccountRecord,
  type Credits,
  type ExecutionReport,
  type PromisedExecution,
  type SeedDraft,
  triggerAccepted,
} from "../contract/account.ts";
import type { ExecutionSeed, Idempotency } from "../contract/session.ts";
import { DEFAULT_MAX_CREDITS } from "../contract/trigger.ts";
import { LAST_SLOT, withSlot } from "../lib/execution-id.ts";
import { balance, EMPTY_BALANCE, grant, type Hold, hold, settle } from "./balance.ts";
import type { PendingStarts } from "./pending-starts.ts";

const profile = z.object({
  v: z.literal(1),
  accountId: z.string(),
  name: z.string(),
  requestsPerMinute: z.int(),
  balance,
  createdAt: z.int(),
  updatedAt: z.int(),
});
type Profile = z.infer<typeof profile>;

const executionEntry = z.object({
  held: z.number(),
  version: z.number(),
  settled_at: z.number().nullable(),
});

const idRow = z.object({ execution_id: z.string() });
const liveRow = z.object({ live: z.number() });

const grantRow = z.object({ amount: z.number(), note: z.string() });

/** Idempotency keys are promised for 24 hours; the extra hour covers the time between two prunes. */
const IDEMPOTENCY_MS = 25 * 3_600_000;
/** The mark of a settled execution outlives every late repeat of its settlement. */
const SETTLED_MS = 7 * 86_400_000;

/** A draft whose tools and servers were looked up. */
type GrantedDraft = Omit<SeedDraft, "tools"> & Pick<ExecutionSeed, "tools" | "mcpServers">;
type GrantedRun = Omit<PromisedExecution, "draft"> & { draft: GrantedDraft };
type Acceptance = Pick<Extract<AcceptReply, { kind: "accepted" }>, "replayed" | "body">;

/**
 * The ledger of an account: its profile, its balance and its accepted executions. Each method is one
 * transaction.
 */
export class Ledger {
  readonly #storage: DurableObjectStorage;
  readonly #pendingStarts: PendingStarts;
  #profile: Profile | null;
  #live: number | null = null;

  constructor(storage: DurableObjectStorage, pendingStarts: PendingStarts) {
    this.#storage = storage;
    this.#pendingStarts = pendingStarts;
    const stored = storage.kv.get("profile");
    this.#profile = stored === undefined ? null : profile.parse(stored);
  }

  get profile(): Profile | null {
    return this.#profile;
  }

  /** The number of executions that have not ended. */
  get live(): number {
    this.#live ??= liveRow.parse(
      this.#storage.sql
        .exec("SELECT count(*) AS live FROM executions WHERE settled_at IS NULL")
        .one(),
    ).live;
    return this.#live;
  }

  create(
    account: { accountId: string; name: string; requestsPerMinute: number },
    now: number,
  ): void {
    this.#save({ v: 1, ...account, balance: EMPTY_BALANCE, createdAt: now, updatedAt: now });
  }

  configure(change: { requestsPerMinute?: number; name?: string }, now: number): void {
    this.#save({ ...this.#existing(), ...change, updatedAt: now });
  }

  /** Adds credits. A repeat of the same grant changes nothing; another grant under its id is refused. */
  grant(
    grantId: string,
    amount: number,
    note: string,
    now: number,
  ): "granted" | "repeated" | "reused" {
    const before = this.#existing();
    const { sql } = this.#storage;
    const known = sql.exec("SELECT amount, note FROM grants WHERE grant_id = ?", grantId).toArray();
    const [first] = known.map((row) => grantRow.parse(row));
    if (first !== undefined) {
      return first.amount === amount && first.note === note ? "repeated" : "reused";
    }
    this.#transaction(() => {
      sql.exec(
        "INSERT INTO grants (grant_id, amount, note, at) VALUES (?, ?, ?, ?)",
        grantId,
        amount,
        note,
        now,
      );
      this.#save({ ...before, balance: grant(before.balance, amount), updatedAt: now });
    });
    return "granted";
  }

  /**
   * Returns the answer that this request got before: under its idempotency key, or under its own id when
   * its answer was lost. That id is the execution's, but for the slot.
   */
  repeat(
    idempotency: Idempotency | null,
    requestId: string,
  ): { kind: "new" | "reused" } | { kind: "same"; acceptance: Acceptance } {
    if (idempotency === null) {
      const executionId = this.#inAnySlot(requestId);
      if (executionId === null) return { kind: "new" };
      const { available: availableCredits } = this.#existing().balance;
      const body = { executionId, status: "active" as const, availableCredits };
      return { kind: "same", acceptance: { replayed: false, body } };
    }
    const row = this.#storage.sql
      .exec("SELECT body_hash, reply FROM idempotency WHERE key = ?", idempotency.key)
      .toArray()[0];
    if (row === undefined) return { kind: "new" };
    const { body_hash, reply } = z.object({ body_hash: z.string(), reply: z.string() }).parse(row);
    if (body_hash !== idempotency.bodyHash) return { kind: "reused" };
    const body = triggerAccepted.parse(JSON.parse(reply));
    const replayed = withSlot(body.executionId, 0) !== withSlot(requestId, 0);
    return { kind: "same", acceptance: { replayed, body } };
  }

  /** Holds the credits and stores the seed, the row and the idempotency key: the promise of a 202. */
  accept(
    draft: GrantedDraft,
    idempotency: Idempotency | null,
    { now, executionId }: { now: number; executionId: string },
  ): Acceptance | { kind: "insufficient"; needed: number; available: number } {
    const { live } = this;
    const before = this.#existing();
    const held = hold(before.balance, draft.maxCredits, DEFAULT_MAX_CREDITS);
    if (!held.ok) {
      return { kind: "insufficient", needed: held.needed, available: before.balance.available };
    }
    const { accountId } = before;
    const seed = seedOf(draft, { executionId, accountId, createdAt: now }, held);
    const body = { executionId, status: "active" as const, availableCredits: held.after.available };
    this.#transaction(() => {
      this.#insert(seed);
      if (idempotency !== null) {
        this.#storage.sql.exec(
          "INSERT INTO idempotency (key, body_hash, reply, at) VALUES (?, ?, ?, ?)",
          idempotency.key,
          idempotency.bodyHash,
          JSON.stringify(body),
          now,
        );
      }
      this.#save({ ...before, balance: held.after, updatedAt: now });
    });
    this.#live = live + 1;
    return { replayed: false, body };
  }

  /**
   * Accepts executions that an inbox promised: holds the credits and stores the seeds and rows. A known
   * execution is unchanged; one that the balance cannot pay for is stored with nothing held. Returns the
   * ids of the new ones, in their order.
   */
  acceptBatch(runs: readonly GrantedRun[], now: number): string[] {
    const { live } = this;
    const before = this.#existing();
    const { accountId } = before;
    const known = this.#known(runs.map(({ executionId }) => executionId));
    const seeds: ExecutionSeed[] = [];
    let money = before.balance;
    for (const { executionId, createdAt, draft } of runs) {
      if (known.has(executionId)) continue;
      known.add(executionId);
      const held = hold(money, draft.maxCredits, DEFAULT_MAX_CREDITS);
      if (held.ok) money = held.after;
      seeds.push(seedOf(draft, { executionId, accountId, createdAt }, held));
    }
    if (seeds.length === 0) return [];
    this.#transaction(() => {
      for (const seed of seeds) this.#insert(seed);
      this.#save({ ...before, balance: money, updatedAt: now });
    });
    this.#live = live + seeds.length;
    return seeds.map(({ executionId }) => executionId);
  }

  /** Stores a status report and settles a final one. An older or repeated report changes nothing. */
  report({ row, settle: used }: ExecutionReport, now: number): void {
    const { live } = this;
    const before = this.#existing();
    const { sql } = this.#storage;
    const found = sql
      .exec(
        "SELECT held, version, settled_at FROM executions WHERE execution_id = ?",
        row.executionId,
      )
      .toArray()[0];
    if (found === undefined) return;
    const entry = executionEntry.parse(found);
    const isEnd = used !== null && entry.settled_at === null;
    this.#transaction(() => {
      if (row.version > entry.version) {
        sql.exec(
          "UPDATE executions SET row = ?, version = ? WHERE execution_id = ?",
          JSON.stringify(row),
          row.version,
          row.executionId,
        );
      }
      if (!isEnd) return;
      // The execution ended, so its session has the seed.
      this.#pendingStarts.remove([row.executionId]);
      sql.exec("UPDATE executions SET settled_at = ? WHERE execution_id = ?", now, row.executionId);
      this.#save({ ...before, balance: settle(before.balance, entry.held, used), updatedAt: now });
    });
    if (isEnd) this.#live = live - 1;
  }

  /** Deletes expired idempotency keys and old settled executions. */
  prune(now: number): void {
    const { sql } = this.#storage;
    sql.exec("DELETE FROM idempotency WHERE at < ?", now - IDEMPOTENCY_MS);
    sql.exec(
      "DELETE FROM executions WHERE settled_at < ? AND seed IS NULL AND projected >= version",
      now - SETTLED_MS,
    );
  }

  record(): AccountRecord {
    const { accountId, name, requestsPerMinute, createdAt, balance: money } = this.#existing();
    return {
      accountId,
      name,
      requestsPerMinute,
      availableCredits: money.available,
      reservedCredits: money.held,
      consumedCredits: money.consumed,
      createdAt: new Date(createdAt).toISOString(),
    };
  }

  credits(): Credits {
    const { balance: money, updatedAt } = this.#existing();
    return {
      availableCredits: money.available,
      reservedCredits: money.held,
      consumedCredits: money.consumed,
      updatedAt: new Date(updatedAt).toISOString(),
    };
  }

  /** Returns the id of the known execution that equals this id but for the slot, or null. */
  #inAnySlot(requestId: string): string | null {
    const found = this.#storage.sql
      .exec(
        "SELECT execution_id FROM executions WHERE execution_id BETWEEN ? AND ?",
        withSlot(requestId, 0),
        withSlot(requestId, LAST_SLOT),
      )
      .toArray()
      .map((row) => idRow.parse(row).execution_id);
    return found.find((id) => withSlot(id, 0) === withSlot(requestId, 0)) ?? null;
  }

  #known(executionIds: readonly string[]): Set<string> {
    const found = this.#storage.sql
      .exec(
        `SELECT execution_id FROM executions
         WHERE execution_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(executionIds),
      )
      .toArray();
    return new Set(found.map((item) => idRow.parse(item).execution_id));
  }

  #insert(seed: ExecutionSeed): void {
    this.#storage.sql.exec(
      `INSERT INTO executions (execution_id, created_at, held, seed, row, version, projected)
       VALUES (?, ?, ?, ?, ?, 1, 0)`,
      seed.executionId,
      seed.createdAt,
      seed.heldCredits,
      this.#pendingStarts.columnOf(seed),
      JSON.stringify(rowView(seed, initialState(seed, seed.createdAt))),
    );
  }

  /** Stores all of a change or nothing, in memory as in the storage. */
  #transaction(change: () => void): void {
    const before = this.#profile;
    try {
      this.#storage.transactionSync(change);
    } catch (error) {
      this.#profile = before;
      throw error;
    }
  }

  #existing(): Profile {
    if (this.#profile === null) throw new Error("This account does not exist.");
    return this.#profile;
  }

  #save(next: Profile): void {
    this.#storage.kv.put("profile", next);
    this.#profile = next;
  }
}

/** Returns the seed of an execution by what was held for it: nothing if the hold was refused. */
function seedOf(
  { maxCredits: _, ...draft }: GrantedDraft,
  ids: Pick<ExecutionSeed, "executionId" | "accountId" | "createdAt">,
  held: Hold,
): ExecutionSeed {
  if (held.ok) return { ...draft, ...ids, heldCredits: held.held, heldBecause: held.because };
  // It ends before its first step and must not ask an MCP server for its tools.
  return { ...draft, ...ids, mcpServers: [], heldCredits: 0, heldBecause: "balance" };
}
