import type { Transform } from "../../../contract/inbound/mapping.ts";
import { parsePath, readPath } from "../paths.ts";
import { MAX_TEXT_LENGTH, made, refused, type TransformOf } from "./outcome.ts";
import { textOf } from "./text.ts";

const REFERENCE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The value so far, in a template; a member of the payload that has this name is not read. */
const VALUE = "value";

/**
 * A text in which `{{value}}` is the value so far and `{{path.of.payload}}` what the payload has there,
 * objects and arrays as JSON. A path without a value (or with null) is refused.
 */
export const template: TransformOf<"template"> = (value, setting, payload) => {
  const pieces: string[] = [];
  let room = MAX_TEXT_LENGTH;
  let at = 0;
  for (const { 0: whole, 1: path = "", index } of setting.template.matchAll(REFERENCE)) {
    const found = path === VALUE ? value : readPath(payload, path);
    if (found === undefined || found === null) {
      return refused(`lacks {{${path}}}, which the template needs`);
    }
    const text = textOf(found);
    room -= text.length;
    if (room < 0) return refused(`becomes longer than ${MAX_TEXT_LENGTH} characters`);
    pieces.push(setting.template.slice(at, index), text);
    at = index + whole.length;
  }
  return made(pieces.join("") + setting.template.slice(at));
};

/** What is wrong with a setting, as a sentence without its subject; null for nothing. */
export function templateFault({
  template: text,
}: Extract<Transform, { type: "template" }>): string | null {
  for (const [whole, path = ""] of text.matchAll(REFERENCE)) {
    const parsed = parsePath(path);
    if (!parsed.ok) return `refers to ${whole}, which ${parsed.message}`;
  }
  return null;
}
