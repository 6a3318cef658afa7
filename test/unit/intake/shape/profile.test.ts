import { type Schema, Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PayloadObject, PayloadValue } from "../../../../src/contract/webhooks/payload.ts";
import { validationBody } from "../../../../src/contract/webhooks/validation.ts";
import {
  driftsFrom,
  emptyProfile,
  learn,
  type ShapeProfile,
  schemaOf,
  shapeProfile,
  weightOf,
} from "../../../../src/intake/shape/profile.ts";
import { validatePayload, validationFaults } from "../../../../src/intake/validation.ts";
import { anyPayload, mapPayload, objectPayload, repeat } from "../../../support/payloads.ts";

/** What was learned from these payloads, in this order. */
const learned = (payloads: PayloadValue[]): ShapeProfile => payloads.reduce(learn, emptyProfile());

/** How a payload differs from what was learned. */
const drifts = (profile: ShapeProfile, payload: PayloadValue) =>
  driftsFrom(schemaOf(profile), payload);

/** What the learned schema takes: as any validator reads it, and as an endpoint does. */
function accepting(profile: ShapeProfile): (payload: PayloadValue) => boolean {
  // As it travels: what a schema loses on its way to JSON is not there for whoever uses it.
  const schema: Schema = JSON.parse(JSON.stringify(schemaOf(profile)));
  const validator = new Validator(schema, "2020-12", false);
  const rules = validationBody.parse({ schema });
  expect(validationFaults(rules)).toEqual([]);
  return (payload) => {
    const isValid = validator.validate(payload).valid;
    expect(validatePayload(payload, rules).length === 0).toBe(isValid);
    return isValid;
  };
}

const accepts = (profile: ShapeProfile, payload: PayloadValue) => accepting(profile)(payload);

const payloads = fc.oneof(
  fc.array(anyPayload, { minLength: 1, maxLength: 8 }),
  fc.array(objectPayload, { minLength: 1, maxLength: 30 }),
  fc.array(mapPayload, { minLength: 1, maxLength: 30 }),
);

describe("a learned shape", () => {
  it("accepts its own samples, and finds no drift in them", () => {
    fc.assert(
      fc.property(payloads, (seen) => {
        const profile = learned(seen);
        expect(profile.learnedFrom).toBe(seen.length);
        const isAccepted = accepting(profile);
        for (const payload of seen) {
          expect(drifts(profile, payload)).toEqual([]);
          expect(isAccepted(payload)).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  });

  it("finds drift in all that its schema refuses", () => {
    fc.assert(
      fc.property(fc.array(objectPayload, { minLength: 1 }), objectPayload, (seen, other) => {
        const profile = learned(seen);
        if (!accepts(profile, other)) expect(drifts(profile, other)).not.toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it("is unchanged by storage", () => {
    fc.assert(
      fc.property(payloads, (seen) => {
        const profile = learned(seen);
        const stored: unknown = JSON.parse(JSON.stringify(profile));
        expect(shapeProfile.parse(stored)).toEqual(profile);
      }),
      { numRuns: 40 },
    );
  });

  it("does not alter the earlier profile, and counts its size", () => {
    fc.assert(
      fc.property(payloads, anyPayload, (seen, next) => {
        const profile = learned(seen);
        const before = JSON.stringify(profile);
        const { root, weight } = learn(profile, next);
        expect(JSON.stringify(profile)).toBe(before);
        expect(weight).toBe(root && weightOf(root));
      }),
      { numRuns: 40 },
    );
  });
});

describe("the learned schema", () => {
  it("refuses any change of a type and any removal of a field that was always there, at any depth", () => {
    const anyObject = fc.dictionary(fc.constantFrom("a", "b", "c"), anyPayload, { minKeys: 1 });
    fc.assert(
      fc.property(anyObject, fc.nat(), fc.boolean(), (seen, at, isDeep) => {
        const placed = (object: PayloadObject) => (isDeep ? { list: [{ inner: object }] } : object);
        const once = learned([placed(seen), placed(structuredClone(seen))]);
        const names = Object.keys(seen);
        const name = names[at % names.length] ?? "";
        const { [name]: removed, ...others } = seen;
        const changed = { ...seen, [name]: Array.isArray(removed) ? "text" : [] };
        for (const payload of [placed(others), placed(changed)]) {
          expect(accepts(once, payload)).toBe(false);
          expect(drifts(once, payload)).not.toEqual([]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("accepts a new field, and an integer in place of fractions", () => {
    const orders = learned([{ price: 0.5 }, { price: 2.5 }]);
    for (const payload of [{ price: 0.5, giftWrap: true }, { price: 3 }]) {
      expect(accepts(orders, payload)).toBe(true);
      expect(drifts(orders, payload)).toEqual([]);
    }
  });

  it("requires no format or enum of strings", () => {
    const dates = learned(repeat(30, () => ({ at: "2026-11-20", state: "open" })));
    expect(accepts(dates, { at: "soon", state: "merged" })).toBe(true);
  });

  it("accepts everything before it has learned", () => {
    expect(schemaOf(emptyProfile())).toEqual({});
    expect(drifts(emptyProfile(), { a: 1 })).toEqual([]);
  });

  it("reads whole numbers beyond a double as integers", () => {
    const exact = learned([{ id: 2n ** 64n }, { id: 5 }]);
    expect(drifts(exact, { id: 2n ** 70n })).toEqual([]);
    expect(drifts(exact, { id: "5" })).toEqual(["id must be an integer; got a string."]);
  });
});

describe("a sender's influence on a profile", () => {
  const bytes = (profile: ShapeProfile) => new TextEncoder().encode(JSON.stringify(profile)).length;

  it("is limited in paths for any names, and learned payloads stay accepted", () => {
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

  it("is limited in depth", () => {
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

  it("is limited in values: beyond them a container may hold anything", () => {
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

  it("does not reach any prototype", () => {
    const hostile: PayloadValue = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}');
    const profile = learned([hostile]);
    expect(Object("").polluted).toBeUndefined();
    expect(drifts(profile, {})).toEqual(["__proto__ is required.", "constructor is required."]);
    expect(accepts(profile, {})).toBe(false);
    expect(accepts(profile, hostile)).toBe(true);
  });
});
