import { describe, expect, it } from "vitest";
import { isLong, LongTexts } from "../../../src/durable/long-texts.ts";

/** A storage that takes no value of more than 2 MB, at two bytes a character. */
function storage() {
  const values = new Map<string, unknown>();
  return {
    values,
    get: (key: string) => values.get(key),
    put: (key: string, value: unknown) => {
      if (typeof value === "string" && value.length > 1_000_000) throw new Error("too big");
      values.set(key, value);
    },
    delete: (key: string) => values.delete(key),
  };
}

describe("a long text", () => {
  it.each([0, 500_000, 500_001, 3_000_000])("of %i characters comes back", (length) => {
    const texts = new LongTexts(storage());
    const text = "é".repeat(length);
    texts.put("a", text);
    expect(texts.get("a")).toBe(text);
  });

  it("is restored even if a cut splits a character", () => {
    const texts = new LongTexts(storage());
    const text = `x${"😀".repeat(600_000)}`;
    texts.put("a", text);
    expect(texts.get("a")).toBe(text);
  });

  it("is replaced by a shorter one without a leftover", () => {
    const kv = storage();
    const texts = new LongTexts(kv);
    texts.put("a", "x".repeat(2_000_000));
    texts.put("a", "y");
    texts.put("b", "of its own");
    expect(texts.get("a")).toBe("y");
    texts.delete("a");
    expect([texts.get("a"), texts.get("b")]).toEqual([null, "of its own"]);
    texts.delete("b");
    expect(kv.values.size).toBe(0);
  });
});

it("is long if one value might not hold it", () => {
  expect(isLong("x".repeat(500_000))).toBe(false);
  expect(isLong("x".repeat(500_001))).toBe(true);
});
