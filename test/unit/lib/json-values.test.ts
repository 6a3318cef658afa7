import { describe, expect, it } from "vitest";
import { nearestJson, valueAt } from "../../../src/lib/json-values.ts";

const LONG = 12345678901234567890n;

describe("nearestJson", () => {
  it("hands a payload without bigints on as it is", () => {
    const payload = { a: [1, null, { b: "x" }] };
    expect(nearestJson(payload)).toBe(payload);
  });

  it("makes numbers of bigints, at any depth", () => {
    expect(nearestJson({ a: [LONG, { b: LONG }] })).toEqual({
      a: [12345678901234567000, { b: 12345678901234567000 }],
    });
    expect(nearestJson(LONG)).toBe(12345678901234567000);
  });

  it("leaves a member named __proto__ one", () => {
    const payload = Object.fromEntries([["__proto__", LONG]]);
    expect(Object.keys(Object(nearestJson(payload)))).toEqual(["__proto__"]);
  });
});

it("valueAt finds what is at a path, and nothing behind a value, a list or an inherited name", () => {
  const order = { order: { id: 7, lines: [{ id: 1 }], note: null } };
  expect(valueAt(order, "order.id")).toBe(7);
  expect(valueAt(order, "order.note")).toBeNull();
  for (const path of ["order.id.digits", "order.lines.0", "order.note.text", "order.toString"]) {
    expect(valueAt(order, path)).toBeUndefined();
  }
});
