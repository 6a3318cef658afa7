import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ACCOUNT_RANDOM_BYTES,
  accountOfKey,
  isAccountId,
  isIssuedKey,
  KEY_RANDOM_BYTES,
  newAccountId,
  newKey,
} from "../../../src/accounts/key-format.ts";
import { JURISDICTIONS, type Place, placeOf, REGIONS } from "../../../src/lib/place.ts";

const PLACES: Place[] = [
  ...REGIONS.map((name): Place => ({ kind: "region", name })),
  ...JURISDICTIONS.map((name): Place => ({ kind: "jurisdiction", name })),
];
const MINE = [btoa("k".repeat(32))];
const OTHER = [btoa("x".repeat(32))];
const keyBytes = (byte: number) => new Uint8Array(KEY_RANDOM_BYTES).fill(byte);
const random = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const anyAccount = random(ACCOUNT_RANDOM_BYTES).map((bytes) => newAccountId(bytes));
const keyRandom = random(KEY_RANDOM_BYTES);

describe("API keys", () => {
  it("name their account", async () => {
    await fc.assert(
      fc.asyncProperty(anyAccount, keyRandom, async (accountId, bytes) => {
        const key = await newKey(accountId, bytes, MINE);
        expect(key).toMatch(/^ph_live_[0-9A-Za-z]{50}$/);
        expect(isAccountId(accountId)).toBe(true);
        expect(accountOfKey(key)).toBe(accountId);
        expect(await isIssuedKey(key, MINE)).toBe(true);
      }),
    );
  });

  it("name the place of an account that has one", async () => {
    const bytes = new Uint8Array(ACCOUNT_RANDOM_BYTES).fill(7);
    const ids = PLACES.map((place) => newAccountId(bytes, place));
    expect(new Set(ids).size).toBe(ids.length);
    for (const [at, id] of ids.entries()) {
      expect(isAccountId(id)).toBe(true);
      expect(placeOf(id)).toEqual(PLACES[at]);
      const key = await newKey(id, keyBytes(0), MINE);
      expect(accountOfKey(key)).toBe(id);
      expect(await isIssuedKey(key, MINE)).toBe(true);
    }
    expect(placeOf(newAccountId(bytes))).toBeNull();
  });

  it("differ when their random bytes do, at both ends of the range", async () => {
    const id = newAccountId(new Uint8Array(ACCOUNT_RANDOM_BYTES));
    const made = await Promise.all([0, 255].map((byte) => newKey(id, keyBytes(byte), MINE)));
    expect(new Set(made).size).toBe(2);
    for (const key of made) expect(accountOfKey(key)).toBe(id);
  });

  it("are refused with any one character mistyped", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyAccount,
        keyRandom,
        fc.nat(57),
        fc.constantFrom(..."09AZaz_"),
        async (accountId, bytes, at, char) => {
          const key = await newKey(accountId, bytes, MINE);
          fc.pre(key[at] !== char);
          expect(await isIssuedKey(key.slice(0, at) + char + key.slice(at + 1), MINE)).toBe(false);
        },
      ),
    );
  });

  it("are valid under any ID_KEY of the service, and refused when another service issued them", async () => {
    const key = await newKey("acc_000000000000", keyBytes(0), OTHER);
    expect(await isIssuedKey(key, MINE)).toBe(false);
    expect(await isIssuedKey(key, [])).toBe(false);
    expect(await isIssuedKey(key, [...MINE, ...OTHER])).toBe(true);
    const next = await newKey("acc_000000000000", keyBytes(0), [...MINE, ...OTHER]);
    expect(await isIssuedKey(next, MINE)).toBe(true);
  });

  it.each(["", "ph_live_", "ph_test_", "Bearer x", "é".repeat(58)])(
    "are told from other text: %j",
    async (text) => {
      expect(accountOfKey(text)).toBeNull();
      expect(await isIssuedKey(text, MINE)).toBe(false);
    },
  );

  it("are not created for an invalid account id or without an ID_KEY", async () => {
    await expect(newKey("acc_short", keyBytes(0), MINE)).rejects.toThrow("account");
    await expect(newKey("acc_000000000000", keyBytes(0), [])).rejects.toThrow("ID_KEY");
    expect(() => newAccountId(new Uint8Array(2))).toThrow("random bits");
  });
});
