import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { Fault, PayloadValue } from "../contract/webhooks/payload.ts";
import type { FieldPlace } from "../contract/webhooks/signature.ts";
import { exactText } from "../lib/json-values.ts";
import { EACH, parsePath, readEach, WHOLE } from "./mapping/payload-path.ts";
import { plainBody } from "./payload/body.ts";
import type { InboundRequest } from "./types.ts";

/** An item stands for a request of its own, each with all headers in the log. */
const MAX_ITEMS = 1_000;
const MAX_HEADER_CHARACTERS = 16_777_216;

/** Returns the path of the list that an endpoint makes requests of; null for one request of the whole. */
export function splitPathOf({ split }: EndpointConfig, method: string): string | null {
  // The payload of a GET is its query, which is no batch.
  return split === null || method === "GET" ? null : split.path;
}

/** Returns the items of a batch. A payload that is no list is the only item of `$`. */
export function itemsOf(
  payload: PayloadValue,
  path: string,
  headers: Headers,
): { ok: true; items: PayloadValue[] } | { ok: false; fault: Fault } {
  const items =
    path === WHOLE ? [payload].flat(1) : (readEach(payload, path) ?? [undefined]).flatMap(asList);
  const isList = (item: PayloadValue | undefined): item is PayloadValue => item !== undefined;
  if (!items.every(isList)) return { ok: false, fault: fault(path, "must be a list") };
  const length = [...headers].reduce((sum, [name, value]) => sum + name.length + value.length, 1);
  const most = Math.min(MAX_ITEMS, Math.floor(MAX_HEADER_CHARACTERS / length));
  if (items.length <= most) return { ok: true, items };
  return {
    ok: false,
    fault: fault(path, `has ${items.length} items; at most ${most} are accepted`),
  };
}

const asList = (value: PayloadValue | undefined): (PayloadValue | undefined)[] =>
  Array.isArray(value) ? value : [undefined];

const fault = (path: string, message: string): Fault => ({
  path: path === WHOLE ? "" : path,
  rule: "split",
  message,
});

/** Headers that describe a body that another one replaces. */
export const BODY_HEADERS = ["content-type", "content-length", "content-encoding"];

/** Returns the headers of the requests that are made of a batch: each has an item as JSON. */
export function itemHeaders(headers: Headers): Headers {
  const kept = [...headers].filter(([name]) => !BODY_HEADERS.includes(name));
  return new Headers([...kept, ["content-type", "application/json"]]);
}

/** Returns the request that is made of an item. */
export function itemRequest(
  whole: InboundRequest,
  headers: Headers,
  item: PayloadValue,
): InboundRequest {
  return { ...whole, headers, body: plainBody(new TextEncoder().encode(exactText(item))) };
}

/**
 * Returns the places of a preset as they are within an item, without those outside. A preset names the
 * first item of a batch: `events[0].id` is `id` in an item of `events`.
 */
export function placesIn<Source extends FieldPlace>(
  item: ItemPlace | null,
  places: readonly Source[],
): readonly Source[] {
  if (item === null) return places;
  return places.map((place) => placeIn(item, place)).filter((place) => place !== null);
}

function placeIn<Source extends FieldPlace>({ path }: ItemPlace, place: Source): Source | null {
  if (place.in === "header") return place;
  const first = `${path === WHOLE ? "" : path.replaceAll(EACH, FIRST)}${FIRST}`;
  if (!place.path.startsWith(`${first}.`)) return null;
  return { ...place, path: place.path.slice(first.length + 1) };
}

/** The place of an item in its batch, and the path of the list. */
export interface ItemPlace {
  index: number;
  path: string;
}

/** Stands for the items of a batch in the places of presets. */
export const FIRST = "[0]";

/** Returns what is wrong with the path of a list, or null. */
export function splitFault(path: string): Fault | null {
  if (path === WHOLE) return null;
  const parsed = parsePath(path.replaceAll(EACH, FIRST));
  return parsed.ok ? null : { path: "split.path", rule: "path", message: parsed.message };
}
