import type { MappedField } from "../../contract/webhooks/mapping.ts";
import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import { isObject } from "../../lib/json-values.ts";
import { nearestName } from "../../lib/zod-messages.ts";
import { mediaOf } from "../payload/parse.ts";
import { parsePath, readPath, shownPath } from "./payload-path.ts";
import type { WorkBudget } from "./work-budget.ts";

/** The parts of a request beside its payload that a mapping can read. */
export interface MappingSources {
  headers: Headers;
  query: URLSearchParams;
  /** Whether the payload is a form or a query, which send text alone, and an absent value as an empty one. */
  isForm: boolean;
}

export const NO_SOURCES: MappingSources = {
  headers: new Headers(),
  query: new URLSearchParams(),
  isForm: false,
};

/** Returns the sources of a request. */
export function sourcesOf(method: string, url: URL, headers: Headers): MappingSources {
  const media = mediaOf(headers.get("Content-Type"));
  const isForm = method === "GET" || media === "form" || media === "multipart";
  return { headers, query: url.searchParams, isForm };
}

/** Names a field that reads the whole payload. */
const WHOLE = "$";
/** Names that a misspelt one is compared with. */
const MAX_NAMES = 200;
/** Characters of a name that are compared, each with those of the other one. */
const MAX_COMPARED = 64;

/** Returns what a field reads before its transforms; undefined if its source has no such member. */
export function readSource(
  payload: PayloadValue,
  { in: part = "body", from }: { in?: MappedField["in"]; from: string },
  { headers, query }: MappingSources,
): PayloadValue | undefined {
  switch (part) {
    case "header":
      return headers.get(from) ?? undefined;
    case "query": {
      const values = query.getAll(from);
      return values.length > 1 ? values : values[0];
    }
    case "body":
      return from === WHOLE ? payload : readPath(payload, from);
  }
}

/** The first names of objects, which never change: many fields miss a name in the same one. */
const firstNames = new WeakMap<object, string[]>();

function namesIn(value: object): string[] {
  const known = firstNames.get(value);
  if (known !== undefined) return known;
  const names = Object.keys(value).slice(0, MAX_NAMES);
  firstNames.set(value, names);
  return names;
}

/**
 * Returns the path that a misspelt path of the payload most likely means; null if none is near, or the
 * budget does not suffice to compare the names.
 */
export function nearestPath(
  payload: PayloadValue,
  text: string,
  budget: WorkBudget,
): string | null {
  const parsed = parsePath(text);
  if (!parsed.ok) return null;
  let value: PayloadValue | undefined = payload;
  for (const [at, step] of parsed.path.entries()) {
    if (!isObject(value) || typeof step !== "string") return null;
    if (!Object.hasOwn(value, step)) {
      const names = namesIn(value);
      if (!budget.trySpend(names.length * Math.min(step.length, MAX_COMPARED) ** 2)) return null;
      const near = nearestName(step, names);
      return near === undefined ? null : shownPath([...parsed.path.slice(0, at), near]);
    }
    value = value[step];
  }
  return null;
}

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
