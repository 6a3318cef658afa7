import { describe, expect, it } from "vitest";
import { nearestJson, valueAt } from "../../../src/lib/json-values.ts";

const LONG = 12345678901234567890n;

describe("nearestJson", () => {
  it("returns a payload without bigints unchanged", () => {
    const payload = { a: [1, null, { b: "x" }] };
    expect(nearestJson(payload)).toBe(payload);
  });

  it("converts bigints to numbers, at any depth", () => {
    expect(nearestJson({ a: [LONG, { b: LONG }] })).toEqual({
      a: [12345678901234567000, { b: 12345678901234567000 }],
    });
    expect(nearestJson(LONG)).toBe(12345678901234567000);
  });

  it("keeps a member named __proto__", () => {
    const payload = Object.fromEntries([["__proto__", LONG]]);
    expect(Object.keys(Object(nearestJson(payload)))).toEqual(["__proto__"]);
  });
});

it("valueAt finds the value at a path, and nothing beyond a scalar, a list or an inherited name", () => {
  const order = { order: { id: 7, lines: [{ id: 1 }], note: null } };
  expect(valueAt(order, "order.id")).toBe(7);
  expect(valueAt(order, "order.note")).toBeNull();
  for (const path of ["order.id.digits", "order.lines.0", "order.note.text", "order.toString"]) {
    expect(valueAt(order, path)).toBeUndefined();
  }
});
