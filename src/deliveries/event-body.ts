import type { JsonObject } from "../contract/json.ts";
import { type FeedEvent, MAX_EVENT_BYTES } from "../contract/mcp-events.ts";
import { isObject, type Json } from "../lib/json-values.ts";

/** Bytes of a body beside its data: ids, the name and the cursor. */
const ENVELOPE_BYTES = 8_192;

/** Returns the body of a delivered event. */
export function eventBody(name: string, event: FeedEvent, cursor: string | null): string {
  const { eventId, timestamp, data } = event;
  return JSON.stringify({ eventId, name, timestamp, data, cursor });
}

/** Returns a payload as the data of an event: always an object, and a pointer to one that is too large. */
export function eventData(payload: Json, pointer: { requestId: string; url: string }): JsonObject {
  const data: JsonObject = isObject(payload) ? payload : { value: payload };
  const { length } = new TextEncoder().encode(JSON.stringify(data));
  return length > MAX_EVENT_BYTES - ENVELOPE_BYTES ? { truncated: true, ...pointer } : data;
}
