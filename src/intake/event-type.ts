import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { PayloadValue } from "../contract/webhooks/payload.ts";
import type { FieldPlace } from "../contract/webhooks/signature.ts";
import { readPlace } from "./event-id.ts";
import { senderOf } from "./signatures/presets.ts";
import { type ItemPlace, placesIn } from "./split.ts";
import type { InboundRequest } from "./types.ts";

const MAX_LENGTH = 200;

/** The places of an event's type that many senders share, in order. */
const USUAL: readonly FieldPlace[] = [
  { in: "header", path: "ce-type" },
  { in: "header", path: "X-Event-Type" },
  { in: "body", path: "type" },
  { in: "body", path: "event_type" },
  { in: "body", path: "eventType" },
  { in: "body", path: "event" },
];

/** Returns the sender's name of the event's type, cut to 200 characters; null if there is none. */
export function eventTypeOf(
  { auth }: EndpointConfig,
  request: InboundRequest,
  payload: PayloadValue | undefined,
  item: ItemPlace | null = null,
): string | null {
  const preset = placesIn(item, senderOf(auth)?.eventType ?? []);
  for (const place of [...preset, ...USUAL]) {
    const found = readPlace(place, request.headers, payload);
    if (typeof found === "string" && found !== "") return found.slice(0, MAX_LENGTH);
  }
  return null;
}
