import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../src/contract/webhooks/payload.ts";
import {
  emptyProfile,
  learn,
  schemaOf,
  shapeProfile,
  weightOf,
} from "../../../../src/intake/shape/profile.ts";
import { accepting, accepts, drifts, learned } from "../../../support/learned.ts";
import {
  anyPayload,
  changedAt,
  mapPayload,
  objectPayload,
  order,
  orders,
  repeat,
} from "../../../support/payloads.ts";

const payloads = fc.oneof(
  fc.array(anyPayload, { minLength: 1, maxLength: 8 }),
  fc.array(objectPayload, { minLength: 1, maxLength: 30 }),
  fc.array(mapPayload, { minLength: 1, maxLength: 30 }),
);

describe("a learned shape", () => {
  it("accepts all that it was learned from, and finds no drift in it", () => {
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
      { numRuns: 40 },
    );
  });

  it("finds drift in whatever its schema refuses", () => {
    fc.assert(
      fc.property(fc.array(objectPayload, { minLength: 1 }), objectPayload, (seen, other) => {
        const profile = learned(seen);
        if (!accepts(profile, other)) expect(drifts(profile, other)).not.toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  it("survives being stored", () => {
    fc.assert(
      fc.property(payloads, (seen) => {
        const profile = learned(seen);
        const stored: unknown = JSON.parse(JSON.stringify(profile));
        expect(shapeProfile.parse(stored)).toEqual(profile);
      }),
    );
  });

  it("leaves the profile that it was learned on as it was, and weighs what it holds", () => {
    fc.assert(
      fc.property(payloads, anyPayload, (seen, next) => {
        const profile = learned(seen);
        const before = JSON.stringify(profile);
        const { root, weight } = learn(profile, next);
        expect(JSON.stringify(profile)).toBe(before);
        expect(weight).toBe(root && weightOf(root));
      }),
    );
  });
});

/** Every place of an order with a value of a type that was never there. */
const CHANGED: [path: (string | number)[], value: PayloadValue][] = [
  [[], "text"],
  [[], [order(1)]],
  [["id"], "1001"],
  [["id"], 1.5],
  [["id"], null],
  [["placed"], 1_700_000_000],
  [["paid"], "true"],
  [["note"], 5],
  [["customer"], "c1@example.com"],
  [["customer", "email"], ["c1@example.com"]],
  [["customer", "address"], null],
  [["customer", "address", "city"], {}],
  [["items"], { 0: "s-0" }],
  [["items", 0], "s-0"],
  [["items", 0, "sku"], 7],
  [["items", 0, "price"], "0.5"],
  [["items", 0, "tags", 0], 1],
];

const REMOVED: (string | number)[][] = [
  ["id"],
  ["placed"],
  ["note"],
  ["customer"],
  ["customer", "email"],
  ["customer", "address", "city"],
  ["items"],
  ["items", 0, "sku"],
  ["items", 1, "tags"],
];

describe("the schema of what was seen", () => {
  const profile = learned(orders);

  it.each(CHANGED)("refuses another type at %j: %j", (path, value) => {
    const changed = changedAt(order(1), path, value) ?? null;
    expect(accepts(profile, changed)).toBe(false);
    expect(drifts(profile, changed)).toHaveLength(1);
  });

  it.each(REMOVED.map((path) => [path]))("refuses a payload without %j", (path) => {
    const changed = changedAt(order(1), path, undefined) ?? null;
    expect(accepts(profile, changed)).toBe(false);
    expect(drifts(profile, changed)).toEqual([expect.stringMatching(/is required/)]);
  });

  it("refuses any change of a type and any removal of a field that was always there", () => {
    const anyObject = fc.dictionary(fc.constantFrom("a", "b", "c"), anyPayload, { minKeys: 1 });
    fc.assert(
      fc.property(anyObject, fc.nat(), (seen, at) => {
        const once = learned([seen, structuredClone(seen)]);
        const names = Object.keys(seen);
        const name = names[at % names.length] ?? "";
        expect(accepts(once, changedAt(seen, [name], undefined) ?? null)).toBe(false);
        const other = Array.isArray(seen[name]) ? "text" : [];
        expect(accepts(once, changedAt(seen, [name], other) ?? null)).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  it("lets a new field pass", () => {
    const extended = { ...Object(order(1)), giftWrap: true };
    expect(accepts(profile, extended)).toBe(true);
    expect(drifts(profile, extended)).toEqual([]);
  });

  it("takes an integer where fractions were seen", () => {
    expect(accepts(profile, changedAt(order(1), ["items", 0, "price"], 3) ?? null)).toBe(true);
  });

  it("asks for no form of texts, and for no set of words", () => {
    const dates = learned(repeat(30, () => ({ at: "2026-11-20", state: "open" })));
    expect(accepts(dates, { at: "soon", state: "merged" })).toBe(true);
  });

  it("is true of everything before anything was learned", () => {
    expect(schemaOf(emptyProfile())).toEqual({});
    expect(drifts(emptyProfile(), { a: 1 })).toEqual([]);
  });

  it("reads whole numbers beyond a double as integers", () => {
    const exact = learned([{ id: 2n ** 64n }, { id: 5 }]);
    expect(drifts(exact, { id: 2n ** 70n })).toEqual([]);
    expect(drifts(exact, { id: "5" })).toEqual(["id must be an integer; got a string."]);
  });
});
