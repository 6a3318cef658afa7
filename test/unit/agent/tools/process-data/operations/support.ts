import fc from "fast-check";
import type { Json } from "../../../../../../src/contract/json.ts";

/** Cells of every kind that a column may mix. */
export const cells: fc.Arbitrary<Json> = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.integer().map((value) => `$${value.toLocaleString("en-US")}`),
  fc.constantFrom("", " ", null, "N/A", "12 March 2024", "2024-01-02", "5 kg", true, false),
  fc.constantFrom<Json>([], {}, ["a"], { a: 1 }),
);
