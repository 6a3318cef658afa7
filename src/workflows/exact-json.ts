import type { PayloadValue } from "../contract/inbound/payload.ts";
import type { Json } from "../contract/json.ts";
import { withoutBigints } from "../lib/bigints.ts";

/**
 * A value of a payload as JSON: a whole number that a double cannot hold becomes the text of its exact
 * digits, since a long id that changed in its last digits would be another id.
 */
export function exactJson(value: PayloadValue): Json {
  return withoutBigints(value, String);
}
