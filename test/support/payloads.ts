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

/** The payload with the value at a path put in; undefined takes it out. */
export function changedAt(
  payload: PayloadValue,
  [step, ...steps]: (string | number)[],
  put: PayloadValue | undefined,
): PayloadValue | undefined {
  if (step === undefined) return put;
  if (Array.isArray(payload)) {
    return payload.map((item, at) => (at === step ? (changedAt(item, steps, put) ?? null) : item));
  }
  if (payload === null || typeof payload !== "object") return payload;
  const entries = Object.entries(payload).flatMap(([key, field]): [string, PayloadValue][] => {
    if (key !== step) return [[key, field]];
    const changed = changedAt(field, steps, put);
    return changed === undefined ? [] : [[key, changed]];
  });
  return objectOf(entries);
}

/** So many, each made by its place. */
export const repeat = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** An order as a shop sends it; some parts are not always there, or not always the same. */
export const order = (at: number): PayloadValue => ({
  id: 1_000 + at,
  placed: "2026-11-20T09:30:00.000Z",
  paid: at % 2 === 0,
  note: at % 3 === 0 ? null : "leave it at the door",
  customer: { email: `c${at}@example.com`, address: { city: "Lyon" } },
  items: repeat((at % 3) + 1, (n) => ({ sku: `s-${n}`, price: n + 0.5, tags: ["x"] })),
  ...(at % 4 === 0 && { coupon: "TEN" }),
});

/** Orders enough to learn from. */
export const orders = repeat(20, order);
