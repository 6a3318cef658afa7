import type { EndpointConfig } from "../contract/inbound/endpoint.ts";
import type { PayloadValue } from "../contract/inbound/payload.ts";
import type { Place } from "../contract/inbound/signature.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { readPath } from "./mapping/payload-path.ts";
import { presetOf } from "./signatures/presets.ts";

const MAX_LENGTH = 200;

const USUAL: Place[] = ["id", "event_id", "eventId"].map((path) => ({ in: "body", path }));

/**
 * Returns the sender's id of the event, by which duplicates are found, or null if there is none. Hashes
 * a long id.
 */
export async function eventIdOf(
  config: EndpointConfig,
  headers: Headers,
  payload: PayloadValue | undefined,
): Promise<string | null> {
  for (const place of placesOf(config)) {
    const id = textOf(readPlace(place, headers, payload));
    if (id !== null) return id.length > MAX_LENGTH ? `sha256:${await sha256Hex(id)}` : id;
  }
  return null;
}

/**
 * Returns the places to look at, in order. A configured place excludes all others: the `id` in the body
 * may then be the id of an order, say, that has many events.
 */
function placesOf({ eventId, auth: { hmac } }: EndpointConfig): Place[] {
  if (eventId !== null) return [eventId];
  return hmac?.preset ? [...presetOf(hmac.preset).eventId, ...USUAL] : USUAL;
}

function textOf(value: PayloadValue | undefined): string | null {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

/** Returns the value at a place of a request; undefined if it is missing or the body is not parsed. */
export function readPlace(
  place: Place,
  headers: Headers,
  payload: PayloadValue | undefined,
): PayloadValue | undefined {
  if (place.in === "header") return headers.get(place.path) ?? undefined;
  return payload === undefined ? undefined : readPath(payload, place.path);
}
