import type { PayloadValue } from "../../contract/inbound/payload.ts";
import type { Json } from "../../contract/json.ts";
import { withoutBigints } from "../../lib/bigints.ts";

/**
 * A payload as plain JSON values, each bigint as the nearest double. One without bigints is the answer
 * itself and not a copy.
 */
export function toJson(value: PayloadValue): Json {
  return withoutBigints(value, Number);
}
