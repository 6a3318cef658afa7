import type { PayloadValue } from "../contract/inbound/payload.ts";
import type { Place } from "../contract/inbound/signature.ts";
import { readPath } from "./mapping/payload-path.ts";

/** What stands at a place of a request; undefined for nothing, and in a body that was not parsed. */
export function readPlace(
  place: Place,
  headers: Headers,
  payload: PayloadValue | undefined,
): PayloadValue | undefined {
  if (place.in === "header") return headers.get(place.path) ?? undefined;
  return payload === undefined ? undefined : readPath(payload, place.path);
}
