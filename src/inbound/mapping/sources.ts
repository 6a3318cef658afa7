import type { PayloadValue } from "../../contract/inbound/payload.ts";
import { isObject } from "../../lib/json-values.ts";

/** The parts of a request beside its payload that a mapping can read. */
export interface MappingSources {
  headers: Headers;
  query: URLSearchParams;
}

export const NO_SOURCES: MappingSources = { headers: new Headers(), query: new URLSearchParams() };

/** Headers of Shopify, WooCommerce and the like that name the kind of object that the payload is. */
const TOPIC = /(?:^|-)(?:topic|webhook-resource)$/;

/**
 * Returns the kind of object that the payload is, such as `order`, by the sender's topic header
 * (`orders/create`) or the payload's own `object`; null if it is not known. The `type` of an event is
 * not used: the `id` beside it is often the event's.
 */
export function topicOf(payload: PayloadValue, headers: Headers): string | null {
  if (!isObject(payload)) return null;
  const named = [...headers].find(([name]) => TOPIC.test(name))?.[1];
  const topic = named ?? (Object.hasOwn(payload, "object") ? payload.object : null);
  if (typeof topic !== "string") return null;
  const [kind = ""] = topic.split(/[/.:]/);
  return kind === "" ? null : singular(kind);
}

function singular(word: string): string {
  if (/ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  return /[^s]s$/i.test(word) ? word.slice(0, -1) : word;
}
