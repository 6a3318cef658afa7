import type { Json, JsonObject } from "../../../../../../src/contract/json.ts";

/**
 * What a prompt must come to: exactly this data, an object with at least these values, so many rows,
 * a first row with this value in it, a summary that matches, or a failure whose summary matches.
 */
export type Expected =
  | { data: Json }
  | { has: JsonObject }
  | { rows: number }
  | { first: string }
  | { says: RegExp }
  | { failed: RegExp };

export type Case = [prompt: string, expected: Expected];
