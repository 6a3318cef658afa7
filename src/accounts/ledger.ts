import * as z from "zod";
import {
  type AcceptReply,
  type Credits,
  type ExecutionReport,
  type Grants,
  type PromisedExecution,
  type SeedDraft,
  triggerAccepted,
} from "../contract/account.ts";
import { readableBy } from "../contract/fields.ts";
import type { AccountChange, AccountControls, AccountRecord } from "../contract/operators.ts";
import type { ExecutionSeed, Idempotency } from "../contract/session.ts";
import { DEFAULT_MAX_CREDITS } from "../contract/trigger.ts";
import { jsonColumn, rowShape, type TableStorage, Tables } from "../durable/rows.ts";
import { initialState } from "../executions/machine/state.ts";
import { rowView } from "../executions/views.ts";
import { LAST_SLOT, tagOf, timeOf, withSlot } from "../lib/execution-id.ts";
import { iso } from "../lib/instants.ts";
import {
  type Balance,
  balance,
  EMPTY_BALANCE,
  grant,
  type Hold,
  hold,
  settle,
  withExecutions,
} from "./balance.ts";
import type { RowOutbox } from "./outbox.ts";
import type { PendingStarts } from "./pending-starts.ts";

const profileFields = z.object({
  v: z.literal(1),
  accountId: z.string(),
  name: z.string(),
  requestsPerMinute: z.int(),
  balance,
  createdAt: z.int(),
  updatedAt: z.int(),
});
type Profile = z.infer<typeof profileFields>;
/** Keeps the fields that only newer code knows. */
const profile: z.ZodType<Profile> = profileFields.extend({ readableBy }).loose();

const executionEntry = z.object({
  held: z.int(),
  used: z.int().nullable(),
  version: z.int(),
  seed: z.string().nullable(),
});

const grantRow = z.object({ amount: z.number(), note: z.string() });
const replyRow = rowShape({ bodyHash: z.string(), reply: jsonColumn(triggerAccepted) });
const sumRow = z.object({ held: z.int(), used: z.int(), live: z.int(), changedAt: z.int() });
const forgottenRow = rowShape({ executionId: z.string(), used: z.int() });

/** The mark of a settled execution outlives every late repeat of its settlement. */
const SETTLED_MS = 7 * 86_400_000;
/** Idempotency keys are promised for 24 hours; the extra hour covers the time between two prunes. */
const KEYS_MS = 25 * 3_600_000;

/** A draft with what the account lets its execution use. */
export type GrantedDraft = Omit<SeedDraft, "tools" | "connections" | "isDefaultModel"> & Grants;
type GrantedRun = Omit<PromisedExecution, "draft"> & { draft: GrantedDraft };
type Acceptance = Pick<Extract<AcceptReply, { kind: "accepted" }>, "replayed" | "body">;

/**
 * The ledger of an account: its profile, its balance and its accepted executions. Each method is one
 * transaction.
 *
 * The balance is the stored one of all forgotten executions with the holds and the used credits of the
 * rows: so an acceptance and a settlement each write a single row.
 */
export class Ledger extends Tables {
  readonly #storage: TableStorage;
  readonly #pendingStarts: PendingStarts;
  readonly #outbox: RowOutbox;
  /** As stored: its balance leaves out the executions that have a row. */
  #profile: Profile | null;
  #balance: Balance;
  #live: number;
  #updatedAt: number;

  constructor(storage: TableStorage, pendingStarts: PendingStarts, outbox: RowOutbox) {
    super(storage.sql);
    this.#storage = storage;
    this.#pendingStarts = pendingStarts;
    this.#outbox = outbox;
    const stored = storage.kv.get("profile");
    this.#profile = stored === undefined ? null : profile.parse(stored);
    const summed = `SELECT coalesce(sum(held) FILTER (WHERE used IS NULL), 0) AS held,
        coalesce(sum(used), 0) AS used, count(*) FILTER (WHERE used IS NULL) AS live,
        coalesce(max(changed_at), 0) AS changedAt
      FROM executions`;
    const sums = sumRow.parse(storage.sql.exec(summed).one());
    this.#balance = withExecutions(this.#profile?.balance ?? EMPTY_BALANCE, sums);
    this.#live = sums.live;
    this.#updatedAt = Math.max(this.#profile?.updatedAt ?? 0, sums.changedAt);
  }

  get profile(): Profile | null {
    return this.#profile;
  }

  /** The number of executions that have not ended. */
  get live(): number {
    return this.#live;
  }

  create(
    account: { accountId: string; name: string; requestsPerMinute: number },
    now: number,
  ): void {
    const times = { createdAt: now, updatedAt: now };
    this.#save(() => ({ v: 1, ...account, balance: EMPTY_BALANCE, ...times }));
  }

  configure({ requestsPerMinute, name }: Pick<AccountChange, "requestsPerMinute" | "name">): void {
    const before = this.#existing();
    const limit = requestsPerMinute ?? before.requestsPerMinute;
    this.#save(() => ({ ...before, requestsPerMinute: limit, name: name ?? before.name }));
  }

  /** Adds credits. A repeat of the same grant changes nothing; another grant under its id is refused. */
  grant(
    grantId: string,
    amount: number,
    note: string,
    now: number,
  ): "granted" | "repeated" | "reused" {
    const before = this.#existing();
    const query = "SELECT amount, note FROM grants WHERE grant_id = ?";
    const known = this.first(grantRow, query, grantId);
    if (known !== null)
      return known.amount === amount && known.note === note ? "repeated" : "reused";
    this.#save(() => {
      this.insert("grants", { grantId, amount, note, at: now });
      return { ...before, balance: grant(before.balance, amount), updatedAt: now };
    });
    this.#change(grant(this.#balance, amount), now);
    return "granted";
  }

  /**
   * Returns the answer that this request got before: under its idempotency key, or under the id of its
   * execution, but for the slot, when its answer was lost. A request that is no repeat is not looked up.
   */
  repeat(
    idempotency: Idempotency | null,
    unslottedId: string,
    isRepeat: boolean,
  ): { kind: "new" | "reused" } | { kind: "same"; acceptance: Acceptance } {
    if (idempotency === null) {
      const executionId = isRepeat ? this.#inAnySlot(unslottedId) : null;
      if (executionId === null) return { kind: "new" };
      const { available: availableCredits } = this.#balance;
      const body = { executionId, status: "active" as const, availableCredits };
      return { kind: "same", acceptance: { replayed: false, body } };
    }
    const { key, bodyHash } = idempotency;
    const found = this.first(replyRow, "SELECT * FROM idempotency WHERE key = ?", key);
    if (found === null) return { kind: "new" };
    if (found.bodyHash !== bodyHash) return { kind: "reused" };
    const { reply: body } = found;
    const replayed = withSlot(body.executionId, 0) !== withSlot(unslottedId, 0);
    return { kind: "same", acceptance: { replayed, body } };
  }

  /** Whether a batch with another body came under this key, with which the keys of its executions begin. */
  hasOtherBatch({ key, bodyHash }: Idempotency): boolean {
    const query = "SELECT 1 FROM idempotency WHERE key > ? AND key < ? AND body_hash <> ? LIMIT 1";
    return this.exists(query, `${key} `, `${key}!`, bodyHash);
  }

  /** Holds the credits and stores the seed, the row and the idempotency key: the promise of a 202. */
  accept(
    draft: GrantedDraft,
    idempotency: Idempotency | null,
    { now, executionId }: { now: number; executionId: string },
  ): Acceptance | { kind: "insufficient"; needed: number; available: number } {
    const { accountId } = this.#existing();
    const held = hold(this.#balance, draft.maxCredits, DEFAULT_MAX_CREDITS);
    if (!held.ok) {
      return { kind: "insufficient", needed: held.needed, available: this.#balance.available };
    }
    const seed = seedOf(draft, { executionId, accountId }, held);
    const body = { executionId, status: "active" as const, availableCredits: held.after.available };
    this.#storage.transactionSync(() => {
      this.#insert(seed, now);
      if (idempotency === null) return;
      const { key, bodyHash } = idempotency;
      this.insert("idempotency", { key, bodyHash, reply: body, at: now });
    });
    this.#accepted([seed], held.after, now);
    return { replayed: false, body };
  }

  /**
   * Accepts executions that an inbox promised: holds the credits and stores the seeds and rows. A known
   * execution is unchanged; one that the balance cannot pay for is stored with nothing held. Returns the
   * ids of the new ones, in their order.
   */
  acceptBatch(runs: readonly GrantedRun[], now: number): string[] {
    const { accountId } = this.#existing();
    const known = this.#known(runs.map(({ executionId }) => executionId));
    const seeds: ExecutionSeed[] = [];
    let money = this.#balance;
    for (const { executionId, draft } of runs) {
      if (known.has(executionId)) continue;
      known.add(executionId);
      const held = hold(money, draft.maxCredits, DEFAULT_MAX_CREDITS);
      if (held.ok) money = held.after;
      seeds.push(seedOf(draft, { executionId, accountId }, held));
    }
    if (seeds.length === 0) return [];
    this.#storage.transactionSync(() => {
      for (const seed of seeds) this.#insert(seed, now);
    });
    this.#accepted(seeds, money, now);
    return seeds.map(({ executionId }) => executionId);
  }

  /**
   * Stores a status report and settles a final one. Returns whether it brought anything new: an older or
   * repeated report, or one of a settled execution, does not.
   */
  report({ row, settle: used }: ExecutionReport, now: number): boolean {
    const { executionId, version } = row;
    const known = "SELECT held, used, version, seed FROM executions WHERE execution_id = ?";
    const entry = this.first(executionEntry, known, executionId);
    if (entry === null) return false;
    const isEnd = used !== null && entry.used === null;
    const isNewer = version > entry.version;
    if (!isEnd && !isNewer) return false;
    const after = isEnd ? settle(this.#balance, entry.held, used) : this.#balance;
    this.sql.exec(
      `UPDATE executions SET version = max(version, ?), used = ?, changed_at = coalesce(?, changed_at), seed = NULL,
         row = coalesce(?, row) WHERE execution_id = ?`,
      version,
      isEnd ? after.consumed - this.#balance.consumed : entry.used,
      isEnd ? now : null,
      isNewer ? JSON.stringify(row) : null,
      executionId,
    );
    // A session that reports has its seed.
    this.#pendingStarts.release(executionId, entry.seed);
    this.#pendingStarts.started(executionId);
    this.#outbox.changed(executionId, { now, isEnded: isEnd || entry.used !== null });
    if (isEnd) {
      this.#live -= 1;
      this.#change(after, now);
    }
    return entry.used === null;
  }

  /**
   * Deletes the rows of ended executions. An execution that an inbox promised leaves a mark, because the
   * inbox may promise it again.
   */
  forget(executionIds: readonly string[], now: number): void {
    if (executionIds.length === 0) return;
    const before = this.#existing();
    this.#save(() => {
      const deletion = `DELETE FROM executions
        WHERE execution_id IN (SELECT value FROM json_each(?)) AND used IS NOT NULL
        RETURNING execution_id, used`;
      const forgotten = this.rows(forgottenRow, deletion, JSON.stringify(executionIds));
      for (const { executionId } of forgotten)
        if (tagOf(executionId) !== null) this.insert("settled", { executionId, settledAt: now });
      const used = forgotten.reduce((sum, row) => sum + row.used, 0);
      const balance = withExecutions(before.balance, { held: 0, used });
      return { ...before, balance, updatedAt: this.#updatedAt };
    });
  }

  /** Deletes expired idempotency keys and the marks of executions that were settled long ago. */
  prune(now: number): void {
    this.sql.exec("DELETE FROM idempotency WHERE at < ?", now - KEYS_MS);
    this.sql.exec("DELETE FROM settled WHERE settled_at < ?", now - SETTLED_MS);
  }

  record(): Omit<AccountRecord, keyof AccountControls> {
    const { accountId, name, requestsPerMinute, createdAt } = this.#existing();
    const { updatedAt: _, ...credits } = this.credits();
    return { accountId, name, requestsPerMinute, ...credits, createdAt: iso(createdAt) };
  }

  credits(): Credits {
    this.#existing();
    return {
      availableCredits: this.#balance.available,
      reservedCredits: this.#balance.held,
      consumedCredits: this.#balance.consumed,
      updatedAt: iso(this.#updatedAt),
    };
  }

  /** Returns the id of the known execution that equals this id but for the slot, or null. */
  #inAnySlot(unslottedId: string): string | null {
    const query = "SELECT execution_id FROM executions WHERE execution_id BETWEEN ? AND ?";
    const first = withSlot(unslottedId, 0);
    const found = this.texts(query, first, withSlot(unslottedId, LAST_SLOT));
    return found.find((executionId) => withSlot(executionId, 0) === first) ?? null;
  }

  #known(executionIds: readonly string[]): Set<string> {
    const query = `SELECT execution_id FROM executions
      WHERE execution_id IN (SELECT value FROM json_each(?1))
      UNION ALL SELECT execution_id FROM settled
      WHERE execution_id IN (SELECT value FROM json_each(?1))`;
    return new Set(this.texts(query, JSON.stringify(executionIds)));
  }

  #insert(seed: ExecutionSeed, now: number): void {
    const { executionId, heldCredits: held } = seed;
    this.insert("executions", {
      executionId,
      held,
      version: 1,
      projected: 0,
      changedAt: now,
      seed: this.#pendingStarts.columnOf(seed),
      row: rowView(seed, initialState(seed, seed.createdAt)),
    });
  }

  /** Follows stored acceptances in memory. */
  #accepted(seeds: readonly ExecutionSeed[], after: Balance, now: number): void {
    for (const { executionId } of seeds) {
      this.#pendingStarts.add(executionId);
      this.#outbox.changed(executionId, { now, isEnded: false });
    }
    this.#live += seeds.length;
    this.#change(after, now);
  }

  #change(after: Balance, now: number): void {
    this.#balance = after;
    this.#updatedAt = now;
  }

  #existing(): Profile {
    if (this.#profile === null) throw new Error("This account does not exist.");
    return this.#profile;
  }

  /** Stores all of a change and the profile after it, or nothing. */
  #save(change: () => Profile): void {
    this.#profile = this.#storage.transactionSync(() => {
      const next = change();
      this.#storage.kv.put("profile", next);
      return next;
    });
  }
}

/** Returns the seed of an execution by what was held for it: nothing if the hold was refused. */
function seedOf(
  { maxCredits: _, ...draft }: GrantedDraft,
  named: Pick<ExecutionSeed, "executionId" | "accountId">,
  held: Hold,
): ExecutionSeed {
  // The time in the id, so that ids sort as lists do: by creation.
  const ids = { ...named, createdAt: timeOf(named.executionId) };
  if (held.ok) return { ...draft, ...ids, heldCredits: held.held, heldBecause: held.because };
  // It ends before its first step and must not ask an MCP server for its tools.
  return { ...draft, ...ids, mcpServers: [], heldCredits: 0, heldBecause: "balance" };
}
