import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../src/contract/webhooks/payload.ts";
import type { ShapeProfile } from "../../../../src/intake/shape/profile.ts";
import { accepting, accepts, drifts, learned } from "../../../support/learned.ts";
import { repeat } from "../../../support/payloads.ts";

describe("what a sender can do to a profile", () => {
  const bytes = (profile: ShapeProfile) => new TextEncoder().encode(JSON.stringify(profile)).length;

  it("is bounded in places, whatever the names, and what was learned stays accepted", () => {
    const word = (at: number) => String.fromCodePoint(0x4e00 + at);
    const seen = repeat(9, (at) =>
      Object.fromEntries(
        repeat(400, (n) => [word(at).repeat(n % 150) + word(n), { [word(n)]: at }]),
      ),
    );
    const profile = learned(seen);
    expect(bytes(profile)).toBeLessThan(300_000);
    expect(bytes(profile)).toBeGreaterThan(20_000);
    const isAccepted = accepting(profile);
    for (const payload of seen) expect(isAccepted(payload)).toBe(true);
  });

  it("is bounded in depth", () => {
    const deep = (inner: PayloadValue): PayloadValue =>
      repeat(60, (at) => at).reduce<PayloadValue>(
        (value, at) => (at % 2 ? [value] : { a: value }),
        inner,
      );
    const profile = learned([deep(1), deep("text"), deep([])]);
    expect(bytes(profile)).toBeLessThan(3_000);
    expect(accepts(profile, deep("text"))).toBe(true);
    // What is so deep is not looked at.
    expect(accepts(learned([deep(1)]), deep("text"))).toBe(true);
  });

  it("is bounded in values: beyond them nothing is said of what a container holds", () => {
    const wide = { id: 1, rows: repeat(30_000, (at) => (at < 29_000 ? at : "text")), end: "x" };
    const profile = learned([wide]);
    expect(accepts(profile, wide)).toBe(true);
    expect(accepts(profile, { ...wide, rows: 5 })).toBe(false);
    expect(accepts(profile, { ...wide, end: 5 })).toBe(false);
    const rows = {
      rows: repeat(3_000, (at) => ({
        ...Object.fromEntries(repeat(20, (n) => [`c${n}`, n])),
        late: at < 2_900 ? at : "text",
      })),
    };
    const grown = learned([{ rows: [{ c0: 1, late: 1 }] }, rows]);
    expect(accepts(grown, rows)).toBe(true);
    expect(accepts(grown, { rows: [5] })).toBe(false);
    const two = learned([{ a: repeat(12_000, () => 1), b: repeat(12_000, () => 1) }]);
    expect(accepts(two, { a: ["text"], b: [] })).toBe(false);
    expect(accepts(two, { a: [], b: ["text"] })).toBe(true);
  });

  it("does not reach the prototype of anything", () => {
    const hostile: PayloadValue = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}');
    const profile = learned([hostile]);
    expect(Object("").polluted).toBeUndefined();
    expect(drifts(profile, {})).toEqual(["__proto__ is required.", "constructor is required."]);
    expect(accepts(profile, {})).toBe(false);
    expect(accepts(profile, hostile)).toBe(true);
  });
});
