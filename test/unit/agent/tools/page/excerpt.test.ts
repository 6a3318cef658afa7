import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerptAround, excerptFrom } from "../../../../../src/agent/tools/page/excerpt.ts";

describe("a text from a position on", () => {
  it("joins with the parts before it to the whole text", () => {
    const texts = fc.string({ unit: "grapheme", minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 3_000 }), (piece, times) => {
        const text = piece.repeat(times);
        let read = "";
        while (read.length < text.length) read += excerptFrom(text, read.length).text;
        expect(read).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it("is empty behind the end", () => {
    expect(excerptFrom("short", 99)).toEqual({ offset: 5, text: "", total: 5 });
  });
});

describe("the passages around words", () => {
  const filler = (words: number) => "lorem ipsum ".repeat(words);

  it("start with their position and end between words", () => {
    const text = `${filler(100)}You get a full Refund\n within 30 days. ${filler(100)}`;
    const { find, text: shown, total } = excerptAround(text, "full refund within");
    expect(find).toEqual({ words: "full refund within", matches: 1, shown: 1 });
    expect(total).toBe(text.length);
    const [, offset = "", passage = ""] = /^\[offset (\d+)\]\n([\s\S]*)$/.exec(shown) ?? [];
    expect(text.startsWith(passage, Number(offset))).toBe(true);
    expect(passage).toMatch(
      /^(lorem|ipsum) .*You get a full Refund\n within 30 days\..* (lorem|ipsum)$/s,
    );
    expect(passage.length).toBeLessThan(700);
  });

  it("are joined where they overlap", () => {
    const text = `${filler(100)}tea and tea ${filler(200)}tea ${filler(100)}`;
    const { find, text: shown } = excerptAround(text, "tea");
    expect(find).toMatchObject({ matches: 3, shown: 3 });
    expect(shown.match(/\[offset/g)).toHaveLength(2);
  });

  it("are counted beyond those that are shown", () => {
    const text = Array.from({ length: 200 }, () => `tea ${filler(80)}`).join("");
    const { find, text: shown } = excerptAround(text, "tea");
    expect(find?.matches).toBe(200);
    expect(find?.shown).toBeLessThan(50);
    expect(shown.match(/\[offset/g)).toHaveLength(find?.shown ?? 0);
    expect(shown.length).toBeLessThan(18_000);
  });

  it("are found by words with signs that patterns use", () => {
    expect(excerptAround("It costs $5.00 (net).", "$5.00 (net)").find?.matches).toBe(1);
    expect(excerptAround("It costs $5x00.", "5.00").find?.matches).toBe(0);
    expect(excerptAround("Nothing here.", "absent")).toMatchObject({
      text: "",
      find: { shown: 0 },
    });
  });
});
