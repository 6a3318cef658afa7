import type { EndpointConfig } from "../contract/inbound/endpoint.ts";
import type { PayloadValue } from "../contract/inbound/payload.ts";
import type { Place } from "../contract/inbound/signature.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { readPath } from "./mapping/payload-path.ts";
import { presetOf } from "./signatures/presets.ts";

const MAX_LENGTH = 200;

const USUAL: Place[] = ["id", "event_id", "eventId"].map((path) => ({ in: "body", path }));

/**
 * What the sender calls this event, so that the same one is not taken twice; null for nothing. A long
 * name is kept as its hash.
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
 * Where to look, in order. A setting is alone: whoever names a place says that the body's `id` is
 * something else, of an order perhaps, of which there are many events.
 */
function placesOf({ eventId, auth: { hmac } }: EndpointConfig): Place[] {
  if (eventId !== null) return [eventId];
  return hmac?.preset ? [...presetOf(hmac.preset).eventId, ...USUAL] : USUAL;
}

function textOf(value: PayloadValue | undefined): string | null {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

/** What stands at a place of a request; undefined for nothing, and in a body that was not parsed. */
export function readPlace(
  place: Place,
  headers: Headers,
  payload: PayloadValue | undefined,
): PayloadValue | undefined {
  if (place.in === "header") return headers.get(place.path) ?? undefined;
  return payload === undefined ? undefined : readPath(payload, place.path);
}
