import * as fc from "fast-check";
import type { PayloadObject, PayloadValue } from "../../src/contract/webhooks/payload.ts";

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("id", "a", "b", "order", "items", "at") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "", "a.b", "[0]"),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
  // Longer than a name that is kept.
  { weight: 1, arbitrary: fc.constantFrom("x".repeat(201), "y".repeat(201)) },
);

const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.uuid(),
  fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
    .map((date) => date.toISOString()),
  fc.constantFrom("2024-02-29", "2023-02-29", "true", "12", "1.5", "9999-12-31T23:59:60Z"),
);

const leaf: fc.Arbitrary<PayloadValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.integer({ min: 1_600_000_000, max: 1_700_000_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  text,
);

/** An object with these entries as its own fields, whatever they are called. */
function objectOf(entries: [string, PayloadValue][]): PayloadObject {
  return Object.fromEntries(entries);
}

const { value } = fc.letrec<{ value: PayloadValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie("value")), { maxLength: 5 }).map(objectOf),
  ),
}));

/** Any JSON. */
export const anyPayload = value;

/** Objects whose names often come again, so that there is a shape to be learned. */
export const objectPayload = fc.array(fc.tuple(name, value), { maxLength: 6 }).map(objectOf);

/** Objects whose names are mostly ids. */
export const mapPayload = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 5_000 }).map((id) => `id_${id}00`),
      value,
    ),
    { maxLength: 8 },
  )
  .map((entries) =>
    objectOf([
      ["total", entries.length],
      ["byId", objectOf(entries)],
    ]),
  );

/** So many, each made by its place. */
export const repeat = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at));
