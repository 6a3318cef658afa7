import { describe, expect, it } from "vitest";
import { toJson } from "../../../../src/inbound/payload/plain.ts";

const LONG = 12345678901234567890n;

describe("toJson", () => {
  it("hands a payload without bigints on as it is", () => {
    const payload = { a: [1, null, { b: "x" }] };
    expect(toJson(payload)).toBe(payload);
  });

  it("makes numbers of bigints, at any depth", () => {
    expect(toJson({ a: [LONG, { b: LONG }] })).toEqual({
      a: [12345678901234567000, { b: 12345678901234567000 }],
    });
    expect(toJson(LONG)).toBe(12345678901234567000);
  });

  it("leaves a member named __proto__ one", () => {
    const payload = Object.fromEntries([["__proto__", LONG]]);
    expect(Object.keys(Object(toJson(payload)))).toEqual(["__proto__"]);
  });
});
