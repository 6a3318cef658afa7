import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  byteLength,
  shortenInput,
  shortenText,
  truncateToBytes,
} from "../../../../../src/agent/models/prompt/text.ts";

const text = fc.string({ unit: "binary", maxLength: 300 });
const bytes = fc.integer({ min: 64, max: 400 });

describe("head", () => {
  it("holds as many bytes as are given, and no half of a character", () => {
    expect(truncateToBytes("aä😀b", 3)).toBe("aä");
    expect(truncateToBytes("aä😀b", 6)).toBe("aä");
    expect(truncateToBytes("aä😀b", 7)).toBe("aä😀");
  });
});

describe("shortText", () => {
  it("leaves a text that fits as it is", () => {
    expect(shortenText("äöü", 6)).toBe("äöü");
  });

  it("says that it was cut, and never exceeds its room", () => {
    expect(shortenText("x".repeat(100), 30)).toBe(`${"x".repeat(21)}… (cut)`);
    fc.assert(
      fc.property(text, bytes, (long, room) => {
        expect(byteLength(shortenText(long.repeat(5), room))).toBeLessThanOrEqual(room);
      }),
    );
  });
});

describe("shortInput", () => {
  it("leaves an input that fits as it is", () => {
    const input = { url: "https://example.com" };
    expect(shortenInput(input, 1_000)).toBe(input);
  });

  it("keeps short values, and the names and beginnings of long ones", () => {
    const input = { label: "Report", value: "name,price\n".repeat(500), rows: [1, 2, 3] };
    expect(shortenInput(input, 400)).toEqual({
      label: "Report",
      value: expect.stringMatching(/^name,price\n[\s\S]*… \(cut\)$/),
      rows: [1, 2, 3],
    });
  });

  it("gives up the values when there are too many names", () => {
    const input = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 1]));
    expect(shortenInput(input, 200)).toEqual({ cut: "4391 bytes" });
  });

  it("never exceeds its room", () => {
    fc.assert(
      fc.property(fc.dictionary(text, fc.jsonValue()), bytes, (input, room) => {
        const shortened = shortenInput(JSON.parse(JSON.stringify(input)), room);
        expect(byteLength(JSON.stringify(shortened))).toBeLessThanOrEqual(room);
      }),
    );
  });
});
