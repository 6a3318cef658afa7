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

/** A payload as JSON text; whole numbers keep all their digits. */
export function payloadText(value: PayloadValue): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === "bigint" ? JSON.rawJSON(String(part)) : part,
  );
}

declare global {
  interface JSON {
    /** A part of JSON.stringify's output, as it is (ECMA-262, JSON.parse source text access). */
    rawJSON(text: string): object;
  }
}
