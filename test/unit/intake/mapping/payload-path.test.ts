import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../src/contract/webhooks/payload.ts";
import { parsePath, pathText, readPath } from "../../../../src/intake/mapping/payload-path.ts";

describe("reading a path", () => {
  it.each([
    ["id", ["id"]],
    ["items[0].sku", ["items", 0, "sku"]],
    ["[0].x", [0, "x"]],
    ["grid[1][2].v", ["grid", 1, 2, "v"]],
    ["items.0", ["items", "0"]],
    ["a\\.b.c", ["a.b", "c"]],
    ["a\\[0\\]", ["a[0]"]],
    ["a\\\\.b", ["a\\", "b"]],
    ["größe.с пробелом", ["größe", "с пробелом"]],
  ])("accepts %j", (text, path) => {
    expect(parsePath(text)).toEqual({ ok: true, path });
  });

  it.each([
    ["", "is empty"],
    [".", "lacks a name at character 1"],
    [".a", "lacks a name at character 1"],
    ["a..b", "lacks a name at character 3"],
    ["a.[0]", "lacks a name at character 3"],
    ["a[0]b", "lacks a . at character 5"],
    ["a[0", "has a [ at character 2"],
    ["a[]", "has a [ at character 2"],
    ["a[01]", "has a [ at character 2"],
    ["a[99999999999]", "has a [ at character 2"],
    ["a]", "has a ] without [ at character 2"],
    ["a\\n", "has a \\ at character 2"],
    ["a\\", "has a \\ at character 2"],
  ])("refuses %j with the position", (text, message) => {
    const parsed = parsePath(text);
    expect(parsed.ok).toBe(false);
    expect(parsed).toMatchObject({ message: expect.stringContaining(message) });
  });

  it("reads back every path that it writes", () => {
    const step = fc.oneof(
      fc.string({ minLength: 1, unit: "grapheme" }),
      fc.string({ minLength: 1, unit: fc.constantFrom(".", "[", "]", "\\", "0", "a") }),
      fc.nat(),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), (path) => {
        expect(parsePath(pathText(path))).toEqual({ ok: true, path });
      }),
    );
  });

  it("ends at once for long paths of any shape", () => {
    const long = [".", "[", "a.", "[0]", "\\\\", "a"].map((part) => part.repeat(100_000));
    for (const text of long) parsePath(text);
  });
});

describe("reading a payload by a path", () => {
  const payload: PayloadValue = {
    order: { id: 7, items: [{ sku: "A" }, { sku: "B" }], note: null },
    "a.b": { "c[0]": "dotted" },
    list: ["x"],
    text: "abc",
    big: 12345678901234567890n,
  };

  it.each([
    ["order.id", 7],
    ["order.items[1].sku", "B"],
    ["order.items.1.sku", "B"],
    ["order.note", null],
    ["a\\.b.c\\[0\\]", "dotted"],
    ["big", 12345678901234567890n],
  ])("finds %s", (path, value) => {
    expect(readPath(payload, path)).toBe(value);
  });

  it("starts in an array if the payload is one", () => {
    expect(readPath([{ x: 1 }], "[0].x")).toBe(1);
  });

  it.each([
    ...["order.missing", "order.items[2].sku", "order.id.deeper", "order.note.deeper", "order[0]"],
    ...["a.b", "__proto__", "constructor.name", "order.__proto__.toString", "list.length"],
    ...["list.map", "list.-1", "list.1e0", "list.__proto__", "text.length", "text[0]", "text.0"],
    ...["a..b", ""],
  ])("finds nothing at %s", (path) => {
    expect(readPath(payload, path)).toBeUndefined();
  });

  it("reads members named like built-in ones", () => {
    const own: PayloadValue = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2, "length": 3}');
    expect(readPath(own, "__proto__.x")).toBe(1);
    expect(readPath(own, "constructor")).toBe(2);
    expect(readPath(own, "length")).toBe(3);
  });
});
