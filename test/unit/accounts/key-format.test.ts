import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ACCOUNT_RANDOM_BYTES,
  isAccountId,
  KEY_RANDOM_BYTES,
  newAccountId,
  newKey,
  parseKey,
} from "../../../src/accounts/key-format.ts";

const random = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const anyAccount = random(ACCOUNT_RANDOM_BYTES).map(newAccountId);
const anyKey = fc.tuple(anyAccount, random(KEY_RANDOM_BYTES)).map(([id, bytes]) => ({
  accountId: id,
  key: newKey(id, bytes),
}));

describe("API keys", () => {
  it("name their account", () => {
    fc.assert(
      fc.property(anyKey, ({ accountId, key }) => {
        expect(key).toMatch(/^ph_live_[0-9A-Za-z]{50}$/);
        expect(isAccountId(accountId)).toBe(true);
        expect(parseKey(key)).toEqual({ accountId });
      }),
    );
  });

  it("differ when their random bytes do, at both ends of the range", () => {
    const id = newAccountId(new Uint8Array(ACCOUNT_RANDOM_BYTES));
    const made = [0, 1, 127, 255].map((byte) =>
      newKey(id, new Uint8Array(KEY_RANDOM_BYTES).fill(byte)),
    );
    expect(new Set(made).size).toBe(made.length);
    for (const key of made) expect(parseKey(key)).toEqual({ accountId: id });
  });

  it("are refused with any one character mistyped", () => {
    fc.assert(
      fc.property(anyKey, fc.nat(57), fc.constantFrom(..."09AZaz_"), ({ key }, at, char) => {
        fc.pre(key[at] !== char);
        expect(parseKey(key.slice(0, at) + char + key.slice(at + 1))).toBeNull();
      }),
    );
  });

  it.each(["", "ph_live_", "ph_test_", `ph_live_${"0".repeat(50)}`, "Bearer x", "é".repeat(58)])(
    "are not mistaken for other text: %j",
    (text) => {
      expect(parseKey(text)).toBeNull();
    },
  );

  it("are not made for what is no account", () => {
    expect(() => newKey("acc_short", new Uint8Array(KEY_RANDOM_BYTES))).toThrow("account");
    expect(() => newAccountId(new Uint8Array(2))).toThrow("random bits");
  });
});
