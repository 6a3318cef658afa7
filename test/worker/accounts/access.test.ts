import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Credential } from "../../../src/contract/account.ts";
import type { NewKey } from "../../../src/contract/account-resources.ts";
import { type ApiKeyRecord, KEPT_ENDED_KEYS, MAX_KEYS } from "../../../src/contract/keys.ts";
import { accountStub } from "../../../src/durable/stubs.ts";
import { env, openAccount, type TestAccount } from "../../support/worker/objects.ts";

const objectOf = ({ accountId }: TestAccount) => env.ACCOUNT.getByName(accountId);

const asked = ({ api, credential }: TestAccount, changes: Partial<Credential> = {}) =>
  api.authorize({ ...credential, ...changes });

function keyOf(changes: Partial<NewKey> = {}): NewKey {
  const random = crypto.randomUUID();
  return {
    keyId: `key_${random}`,
    keyHash: random,
    last4: "wxyz",
    name: "another",
    scopes: ["executions:read"],
    expiresAt: null,
    ...changes,
  };
}

async function addKey({ api }: TestAccount, changes: Partial<NewKey>): Promise<ApiKeyRecord> {
  const reply = await api.createKey(keyOf(changes));
  if (reply.kind !== "created") throw new Error(reply.kind);
  return reply.record;
}

/** Stores this many keys at once, as if they had been made one by one; the n-th is `bulk_n`. */
const addKeys = (account: TestAccount, count: number, end: "none" | "revoked") =>
  runInDurableObject(objectOf(account), (_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE each(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < ?)
       INSERT INTO keys (key_id, key_hash, last4, name, scopes, created_at, revoked_at)
       SELECT 'bulk_' || n, 'bulk_' || n, 'wxyz', 'bulk', '["executions:read"]', n,
         iif(? = 'revoked', n, NULL) FROM each`,
      count,
      end,
    );
  }).then(() => evictDurableObject(objectOf(account)));

describe("the rate", () => {
  it("admits exactly 60 of 75 concurrent requests", async () => {
    const account = await openAccount({ requestsPerMinute: 60 });
    const replies = await Promise.all(Array.from({ length: 75 }, () => asked(account)));
    expect(replies.filter(({ kind }) => kind === "authorized")).toHaveLength(60);
    const refused = replies.filter((reply) => reply.kind === "rate_limited");
    expect(refused).toHaveLength(15);
    expect(refused[0]?.rate).toMatchObject({ limit: 60, remaining: 0 });
    expect(refused[0]?.rate.resetSeconds).toBeGreaterThan(55);
    // It survives that the object leaves the memory.
    const counted = () =>
      runInDurableObject(objectOf(account), (_, { storage }) =>
        storage.sql.exec("SELECT sum(count) AS counted FROM rate").one(),
      );
    await expect.poll(counted).toEqual({ counted: 60 });
    await evictDurableObject(objectOf(account));
    expect(await asked(account)).toMatchObject({ kind: "rate_limited" });
  });

  it("is shared by all keys, counts requests without the scope, and follows the operators' setting", async () => {
    const account = await openAccount({ requestsPerMinute: 2 });
    await addKey(account, { keyHash: "reader" });
    await asked(account);
    expect(await asked(account, { keyHash: "reader" })).toMatchObject({
      kind: "insufficient_scope",
      rate: { remaining: 0 },
    });
    expect(await asked(account)).toMatchObject({ kind: "rate_limited" });
    await account.api.configure({ requestsPerMinute: 4 });
    expect(await asked(account)).toMatchObject({ rate: { limit: 4, remaining: 1 } });
  });
});

describe("keys", () => {
  it("stop working at the moment they are revoked", async () => {
    const account = await openAccount();
    const { keyId } = await addKey(account, { keyHash: "k" });
    const reads = { keyHash: "k", scope: "executions:read" } as const;
    expect(await asked(account, reads)).toMatchObject({ kind: "authorized", keyId });
    expect(await account.api.revokeKey(keyId)).toBe(true);
    expect(await asked(account, reads)).toEqual({ kind: "unauthorized", reason: "revoked" });
    expect(await account.api.revokeKey(keyId)).toBe(true);
    expect(await account.api.revokeKey("key_none")).toBe(false);
    await evictDurableObject(objectOf(account));
    expect(await asked(account, reads)).toMatchObject({ reason: "revoked" });
  });

  it("are rotated with or without an overlap in which both work, but not after they expire", async () => {
    const account = await openAccount();
    const old = await addKey(account, { keyHash: "old", name: "CI" });
    const next = { keyId: "key_new", keyHash: "new", last4: "9999" };
    expect(await account.api.rotateKey(old.keyId, next, 60)).toMatchObject({
      kind: "rotated",
      record: { keyId: "key_new", name: "CI", scopes: ["executions:read"] },
    });
    for (const keyHash of ["old", "new"]) {
      expect(await asked(account, { keyHash, scope: "executions:read" })).toMatchObject({
        kind: "authorized",
      });
    }
    const again = { keyId: "key_3", keyHash: "third", last4: "9999" };
    expect(await account.api.rotateKey("key_new", again, 0)).toMatchObject({ kind: "rotated" });
    expect(await asked(account, { keyHash: "new" })).toMatchObject({ reason: "revoked" });
    const expired = await addKey(account, { expiresAt: Date.now() - 1 });
    for (const keyId of ["key_new", expired.keyId]) {
      const reply = await account.api.rotateKey(keyId, { ...again, keyId: "key_4" }, 60);
      expect(reply).toEqual({ kind: "not_found" });
    }
  });

  it("are limited in number, counting both of an overlap", async () => {
    const account = await openAccount();
    await addKeys(account, MAX_KEYS - 1, "none");
    const next = { keyId: "key_new", keyHash: "new", last4: "9999" };
    expect(await account.api.createKey(keyOf())).toEqual({ kind: "full" });
    expect(await account.api.rotateKey("bulk_1", next, 60)).toEqual({ kind: "full" });
    expect(await account.api.rotateKey("bulk_1", next, 0)).toMatchObject({ kind: "rotated" });
    expect(await account.api.createKey(keyOf())).toEqual({ kind: "full" });
    await account.api.revokeKey("bulk_2");
    expect(await account.api.createKey(keyOf())).toMatchObject({ kind: "created" });
  });

  it("are listed after their end, newest only", async () => {
    const account = await openAccount();
    await addKeys(account, KEPT_ENDED_KEYS + 3, "revoked");
    const { keyId } = await addKey(account, {});
    const listed = (await account.api.listKeys()).map((key) => key.keyId);
    expect(listed).toHaveLength(KEPT_ENDED_KEYS + 2);
    expect(listed[0]).toBe(keyId);
    expect(listed).toContain("bulk_4");
    expect(listed).not.toContain("bulk_3");
  });

  it("are read once, not with each second of use", async () => {
    const account = await openAccount();
    await asked(account);
    const lastUsed = () =>
      runInDurableObject(objectOf(account), (_, { storage }) => {
        const [key] = storage.sql.exec("SELECT last_used_at FROM keys").toArray();
        return key?.last_used_at;
      });
    await runInDurableObject(objectOf(account), (_, { storage }) => {
      storage.sql.exec("UPDATE keys SET scopes = 'nobody reads this'");
    });
    await expect.poll(lastUsed).not.toBeNull();
    expect(await asked(account)).toMatchObject({ kind: "authorized" });
    const [listed] = await account.api.listKeys();
    expect(listed?.lastUsedAt).not.toBeNull();
  });
});

describe("an account that does not exist", () => {
  it("refuses every key, and stores nothing", async () => {
    const accountId = `acc_${crypto.randomUUID()}`;
    const credential = { keyHash: "k", scope: "credits:read", rateClass: "agent" } as const;
    const api = accountStub(env, accountId);
    expect(await api.credits(credential)).toEqual({ kind: "unauthorized", reason: "unknown" });
    expect(await api.overview()).toBeNull();
    expect(await api.grant("g", 5, "no")).toEqual({ kind: "not_found" });
    await runInDurableObject(env.ACCOUNT.getByName(accountId), async (_, { storage }) => {
      expect((await storage.list()).size).toBe(0);
      expect(storage.sql.exec("SELECT name FROM sqlite_master").toArray()).toEqual([]);
    });
  });

  it("is created once: creating it again changes nothing", async () => {
    const account = await openAccount({ credits: 10 });
    const again = {
      accountId: account.accountId,
      name: "other",
      credits: 99,
      requestsPerMinute: null,
      key: keyOf({ keyHash: "intruder" }),
    };
    expect(await account.api.create(again)).toMatchObject({ name: "test", availableCredits: 10 });
    expect(await asked(account, { keyHash: "intruder" })).toMatchObject({ reason: "unknown" });
  });
});
