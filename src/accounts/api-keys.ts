import * as z from "zod";
import type { Caller } from "../contract/account.ts";
import type { CreateKeyReply, NewKey, RotateReply } from "../contract/account-resources.ts";
import type { By } from "../contract/actor.ts";
import { KEPT_ENDED_KEYS, type KeptKeyRecord, MAX_KEYS, scope } from "../contract/keys.ts";
import { SHARE_PREFIX } from "../contract/shares.ts";
import { jsonColumn, KnownTable, rowShape } from "../durable/rows.ts";

const keyRow = rowShape({
  keyId: z.string(),
  keyHash: z.string(),
  last4: z.string(),
  name: z.string(),
  // Ignores the scopes of newer code, which must not lock the account out.
  scopes: jsonColumn(z.array(z.string())).transform((names) =>
    names.flatMap((name) => scope.safeParse(name).data ?? []),
  ),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
  lastUsedAt: z.number().nullable(),
  endpointIds: jsonColumn(z.array(z.string())).nullable(),
});
type Key = z.infer<typeof keyRow>;

const USE_INTERVAL_MS = 60_000;

/** The result of checking a key. */
type KeyCheck =
  | { kind: "valid"; key: Caller["key"]; by: By; endpointIds?: string[] | null }
  | { kind: "unauthorized"; reason: "unknown" | "expired" | "revoked" };

/** The API keys of an account: hashes in its SQLite, and all of them in memory. */
export class ApiKeys extends KnownTable<"keyId", Key> {
  protected override readonly table = "keys";
  protected override readonly key = "keyId";
  /** Times of last use that are not stored yet, by the key's hash; the last minute before a crash is lost. */
  readonly #used = new Map<string, number>();

  protected override read(): Key[] {
    return this.rows(keyRow, "SELECT * FROM keys");
  }

  /**
   * Checks a key by its hash. The timing of a look-up by SHA-256 reveals nothing: only a caller who
   * knows the key can choose its hash.
   */
  check(keyHash: string, now: number): KeyCheck {
    const key = this.#withHash(keyHash);
    if (key === undefined) return { kind: "unauthorized", reason: "unknown" };
    if (endOf(key) <= now) {
      const isRevoked = key.revokedAt !== null && key.revokedAt <= now;
      return { kind: "unauthorized", reason: isRevoked ? "revoked" : "expired" };
    }
    this.#used.set(keyHash, now);
    const { keyId, name, scopes, endpointIds } = key;
    const by = { kind: "key" as const, id: keyId, name };
    return { kind: "valid", key: { keyId, name, scopes }, by, endpointIds };
  }

  /** Adds a key, unless there are too many. A key that exists is unchanged. */
  add(key: NewKey, now: number): CreateKeyReply {
    const known = this.find(key.keyId);
    if (known !== null) return { kind: "created", record: record(known) };
    if (this.#isFull(now)) return { kind: "full" };
    return { kind: "created", record: this.#insert(key, now) };
  }

  list(): KeptKeyRecord[] {
    return this.all()
      .map((key) => ({ ...key, lastUsedAt: this.#used.get(key.keyHash) ?? key.lastUsedAt }))
      .sort((a, b) => b.createdAt - a.createdAt || (a.keyId < b.keyId ? 1 : -1))
      .map(record);
  }

  /** Revokes a key now. Returns false if there is none with that id; a repeat changes nothing. */
  revoke(keyId: string, now: number): boolean {
    const key = this.find(keyId);
    if (key === null) return false;
    this.#endAt(key, now);
    return true;
  }

  /** Returns whether a key is valid at this time. */
  isValid(keyId: string, now: number): boolean {
    const key = this.find(keyId);
    return key !== null && endOf(key) > now;
  }

  /** Returns the id of a key by its hash, or null if there is none. */
  idOf(keyHash: string): string | null {
    return this.#withHash(keyHash)?.keyId ?? null;
  }

  /** Adds a key with the name and scopes of an active one, which stays valid until `until`. */
  rotate(
    keyId: string,
    next: Pick<NewKey, "keyId" | "keyHash" | "last4">,
    clock: { now: number; until: number },
  ): RotateReply {
    const old = this.find(keyId);
    if (old === null || endOf(old) <= clock.now) return { kind: "not_found" };
    if (clock.until > clock.now && this.#isFull(clock.now)) return { kind: "full" };
    this.#endAt(old, clock.until);
    const { name, scopes, expiresAt } = old;
    const record = this.#insert({ ...next, name, scopes, expiresAt }, clock.now);
    return { kind: "rotated", record };
  }

  /** Stores when keys were last used, for each key once a minute. */
  flush(): void {
    for (const [keyHash, at] of this.#used) {
      const key = this.#withHash(keyHash);
      if (key !== undefined && at - (key.lastUsedAt ?? 0) < USE_INTERVAL_MS) continue;
      this.update("keys", { lastUsedAt: at }, "key_hash = ?", keyHash);
      if (key !== undefined) key.lastUsedAt = at;
      this.#used.delete(keyHash);
    }
  }

  #insert(key: NewKey, now: number): KeptKeyRecord {
    const stored = this.added({ ...key, createdAt: now });
    this.#deleteEnded(now);
    return record(stored);
  }

  /** Deletes the keys that ended long ago, since all keys are in memory. */
  #deleteEnded(now: number): void {
    const ended = this.all().filter((key) => endOf(key) <= now);
    // Shares expire by themselves, and must not take the place of keys.
    const orderOf = (key: Key) => (key.keyId.startsWith(SHARE_PREFIX) ? 0 : endOf(key));
    const oldest = ended.sort((a, b) => orderOf(b) - orderOf(a)).slice(KEPT_ENDED_KEYS);
    for (const { keyId } of oldest) this.delete(keyId);
  }

  #isFull(now: number): boolean {
    return this.all().filter((key) => endOf(key) > now).length >= MAX_KEYS;
  }

  /** Moves a key's end forward, never back. */
  #endAt(key: Key, at: number): void {
    if (key.revokedAt !== null && key.revokedAt <= at) return;
    this.changed(key.keyId, { revokedAt: at });
  }

  #withHash(keyHash: string): Key | undefined {
    return this.all().find((key) => key.keyHash === keyHash);
  }
}

/** Returns when a key ends or ended, in epoch milliseconds. */
function endOf({ revokedAt, expiresAt }: Key): number {
  return Math.min(revokedAt ?? Number.POSITIVE_INFINITY, expiresAt ?? Number.POSITIVE_INFINITY);
}

function record({ keyHash: _, endpointIds, ...key }: Key): KeptKeyRecord {
  return {
    ...key,
    createdAt: new Date(key.createdAt).toISOString(),
    expiresAt: isoOrNull(key.expiresAt),
    revokedAt: isoOrNull(key.revokedAt),
    lastUsedAt: isoOrNull(key.lastUsedAt),
    ...(endpointIds !== null && { endpointIds }),
  };
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
