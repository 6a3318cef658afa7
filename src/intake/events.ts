import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { EventIdSource } from "../contract/webhooks/log.ts";
import type { PayloadValue } from "../contract/webhooks/payload.ts";
import type { FieldPlace } from "../contract/webhooks/signature.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { EACH, readEach, readPath } from "./mapping/payload-path.ts";
import { senderOf } from "./signatures/presets.ts";
import { FIRST, type ItemPlace, placesIn } from "./split.ts";
import type { InboundRequest } from "./types.ts";

const MAX_LENGTH = 200;
/** 128 bits tell the bodies of one endpoint apart. */
const HASH_DIGITS = 32;

const header = (path: string): EventIdSource => ({ rule: "header", in: "header", path });
const body = (path: string): EventIdSource => ({ rule: "body", in: "body", path });

/** The places of an event's id that many senders share, in order. */
const USUAL: readonly EventIdSource[] = [
  header("webhook-id"),
  header("svix-id"),
  header("X-Event-Id"),
  header("X-Webhook-Id"),
  header("ce-id"),
  header("Idempotency-Key"),
  body("event_id"),
  body("eventId"),
  { rule: "body_and_hash", in: "body", path: "id" },
];

/** The sender's id of an event. All are null if there is none. */
export interface EventIdentity {
  eventId: string | null;
  /** The rule that found the id. */
  eventIdSource: EventIdSource | null;
  /** Two requests with the same key are the same event. */
  eventKey: string | null;
}

const NONE: EventIdentity = { eventId: null, eventIdSource: null, eventKey: null };

/**
 * Returns the sender's id of the event, and the key by which duplicates are found. Hashes a long id. An
 * `id` in the body that no setting names is often the id of an object with many events, so its key
 * includes a hash of the payload's bytes: only an identical request is its duplicate.
 */
export async function eventIdOf(
  config: EndpointConfig,
  request: InboundRequest,
  payload: PayloadValue | undefined,
  item: ItemPlace | null = null,
): Promise<EventIdentity> {
  for (const source of sourcesOf(config, item)) {
    const found = await idAt(source, request.headers, payload);
    if (found === null) continue;
    // A header belongs to the whole batch.
    const isShared = item !== null && source.in === "header";
    const eventId = await shortened(isShared ? `${found}#${item.index}` : found);
    const eventKey =
      source.rule === "body_and_hash"
        ? `${eventId}+${await payloadHash(request)}`
        : await scoped(eventId, scopesOf(config, source, item), request, payload);
    return { eventId, eventIdSource: source, eventKey };
  }
  return NONE;
}

/** Returns the places to look at, in order. A configured place excludes all others. */
function sourcesOf(
  { eventId, auth }: EndpointConfig,
  item: ItemPlace | null,
): readonly EventIdSource[] {
  if (eventId === false) return [];
  if (eventId !== null) return [{ rule: "endpoint", ...eventId }];
  const preset = placesIn(item, senderOf(auth)?.eventId ?? []);
  return [...preset.map((place) => ({ rule: "preset", ...place }) as const), ...USUAL];
}

/** CloudEvents 1.0, section 3.1.1: an id is unique within its source only. */
const CE_SOURCE: readonly FieldPlace[] = [{ in: "header", path: "ce-source" }];

/** Returns the places of what an id is unique within. */
function scopesOf(
  { auth }: EndpointConfig,
  { rule, path }: EventIdSource,
  item: ItemPlace | null,
): readonly FieldPlace[] {
  if (rule === "preset") return placesIn(item, senderOf(auth)?.eventScope ?? []);
  return rule === "header" && path === "ce-id" ? CE_SOURCE : [];
}

async function scoped(
  id: string,
  scopes: readonly FieldPlace[],
  { headers }: InboundRequest,
  payload: PayloadValue | undefined,
): Promise<string> {
  const found = scopes
    .map((place) => textOf(readPlace(place, headers, payload)))
    .filter((text) => text !== null);
  return found.length === 0 ? id : await shortened([...found, id].join("#"));
}

/**
 * Returns the id at a place. An index 0 in a preset stands for the items of a batch: several have one id
 * together, since a batch that begins with a repeated event may have new ones; none if an item has none.
 */
async function idAt(
  source: EventIdSource,
  headers: Headers,
  payload: PayloadValue | undefined,
): Promise<string | null> {
  const isBatch = source.rule === "preset" && source.in === "body" && source.path.includes(FIRST);
  if (!isBatch) return textOf(readPlace(source, headers, payload));
  const values =
    payload === undefined ? null : readEach(payload, source.path.replaceAll(FIRST, EACH));
  const ids = (values ?? []).map(textOf).filter((id) => id !== null);
  if (ids.length !== values?.length) return null;
  const [only = null] = ids;
  return ids.length < 2 ? only : `sha256:${await sha256Hex(JSON.stringify(ids))}`;
}

async function shortened(id: string): Promise<string> {
  return id.length > MAX_LENGTH ? `sha256:${await sha256Hex(id)}` : id;
}

/** Returns a hash of the bytes that carry the payload: the body and, for a GET, the query. */
async function payloadHash({ method, url, body }: InboundRequest): Promise<string> {
  const content = body.kind === "whole" ? body.content() : null;
  const bytes = content?.kind === "whole" ? content.bytes : new Uint8Array();
  const query = method === "GET" ? await sha256Hex(url.search) : "";
  const hash = await sha256Hex(new Uint8Array(bytes));
  return (query === "" ? hash : await sha256Hex(`${query}${hash}`)).slice(0, HASH_DIGITS);
}

function textOf(value: PayloadValue | undefined): string | null {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

/** Returns the value at a place of a request; undefined if it is missing or the body is not parsed. */
export function readPlace(
  place: FieldPlace,
  headers: Headers,
  payload: PayloadValue | undefined,
): PayloadValue | undefined {
  if (place.in === "header") return headers.get(place.path) ?? undefined;
  return payload === undefined ? undefined : readPath(payload, place.path);
}

/** The places of an event's type that many senders share, in order. */
const USUAL_TYPES: readonly FieldPlace[] = [
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
  for (const place of [...preset, ...USUAL_TYPES]) {
    const found = readPlace(place, request.headers, payload);
    if (typeof found === "string" && found !== "") return found.slice(0, MAX_LENGTH);
  }
  return null;
}
