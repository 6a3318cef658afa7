import type { Fault, PayloadValue } from "../../contract/webhooks/payload.ts";
import type { RouteKey } from "../../contract/webhooks/routing.ts";
import { exactJson } from "../../lib/json-values.ts";
import { parsePath } from "../mapping/payload-path.ts";
import { type MappingSources, readSource } from "../mapping/sources.ts";
import { placeFaults } from "./condition.ts";

/** Characters of a key; the keys of a case are compared, stored and shown. */
const MAX_KEY_LENGTH = 1_000;

const REFERENCE = /\{\{\s*([^{}]*?)\s*\}\}/g;
const PLACE = /^(body|header|query)\.(.+)$/s;

/** The key of a request, null if it has none, or why it cannot be used. */
export type KeyReading = { ok: true; key: string | null } | { ok: false; message: string };

/** Reads the key of a request. A value that is absent, null or empty leaves it without a key. */
export function readKey(key: RouteKey, payload: PayloadValue, sources: MappingSources): KeyReading {
  const read = (part: "body" | "header" | "query" | undefined, path: string) =>
    keyText(readSource(payload, { in: part, from: path }, sources));
  const text = "template" in key ? filled(key.template, read) : read(key.in, key.path);
  if (text === null || text === "") return { ok: true, key: null };
  if (text.length <= MAX_KEY_LENGTH) return { ok: true, key: text };
  return { ok: false, message: `has more than ${MAX_KEY_LENGTH} characters` };
}

function filled(
  template: string,
  read: (part: "body" | "header" | "query", path: string) => string | null,
): string | null {
  let isWhole = true;
  const text = template.replace(REFERENCE, (_, reference: string) => {
    const place = placeOf(reference);
    const value = place === null ? null : read(place.part, place.path);
    if (value === null) isWhole = false;
    return value ?? "";
  });
  return isWhole ? text : null;
}

function placeOf(reference: string): { part: "body" | "header" | "query"; path: string } | null {
  const [, part, path] = PLACE.exec(reference) ?? [];
  if (path === undefined) return null;
  return part === "header" || part === "query" ? { part, path } : { part: "body", path };
}

function keyText(value: PayloadValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "object" ? JSON.stringify(exactJson(value)) : String(value);
}

/** Returns the faults of a key to be saved; `place` is its place in the body. */
export function keyFaults(key: RouteKey, place: string): Fault[] {
  if (!("template" in key)) return placeFaults(key.in, key.path, place);
  const path = `${place}.template`;
  const references = [...key.template.matchAll(REFERENCE)];
  if (references.length === 0) {
    return [{ path, rule: "template", message: "must refer to a value, such as {{body.id}}" }];
  }
  return references.flatMap(([whole, reference = ""]) => {
    const found = placeOf(reference);
    const fault = (message: string) => [{ path, rule: "template", message }];
    if (found === null) {
      return fault(`refers to ${whole}, which must begin with body., header. or query.`);
    }
    if (found.part !== "body") return placeFaults(found.part, found.path, place);
    const parsed = parsePath(found.path);
    return parsed.ok ? [] : fault(`refers to ${whole}, whose path ${parsed.message}`);
  });
}
