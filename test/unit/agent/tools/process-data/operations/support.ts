import fc from "fast-check";
import type { Computed, Noted } from "../../../../../../src/agent/tools/process-data/table.ts";
import type { Json } from "../../../../../../src/contract/json.ts";

/** What an operation came to; a refusal fails the test. */
export function applied(outcome: Computed<Noted>): Noted {
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

/** Cells of every kind that a column may mix. */
export const cells: fc.Arbitrary<Json> = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.integer().map((value) => `$${value.toLocaleString("en-US")}`),
  fc.constantFrom("", " ", null, "N/A", "12 March 2024", "2024-01-02", "5 kg", true, false),
  fc.constantFrom<Json>([], {}, ["a"], { a: 1 }),
);
