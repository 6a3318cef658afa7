import type { Json } from "../../contract/json.ts";
import { isObject } from "../../lib/json-values.ts";
import { canonical } from "../canonical.ts";
import type { Rule } from "../run.ts";
import { listOf, textOf } from "../shape.ts";
import type { Keyword } from "./keyword.ts";

const MESSAGE_LENGTH = 200;

const type: Keyword = (held) => {
  const types = new Set((Array.isArray(held) ? held : [held]).map(textOf));
  const message = `must be of type ${[...types].join(" or ")}`;
  return (value, at, run) =>
    types.has(typeOf(value)) ||
    (types.has("integer") && Number.isInteger(value)) ||
    run.report(at, "type", message);
};

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Keywords that ask what a value is. */
export const VALUE_KEYWORDS: Record<string, Keyword> = {
  type,
  const: (held) => oneOf([held], "const", `must be ${shown(held)}`),
  enum: (held) => {
    const values = listOf(held);
    return oneOf(values, "enum", `must be one of ${shorten(values.map(shown).join(", "))}`);
  },
};

function oneOf(values: Json[], rule: string, message: string): Rule {
  const plain = new Set(values.filter((value) => !isContainer(value)));
  const containers = new Set(values.filter(isContainer).map((value) => canonical(value, null)));
  return (value, at, run) => {
    const among = isContainer(value)
      ? containers.size > 0 && containers.has(canonical(value, run))
      : plain.has(value);
    return among || run.report(at, rule, message);
  };
}

const isContainer = (value: Json): boolean => Array.isArray(value) || isObject(value);
const shown = (value: Json): string => shorten(JSON.stringify(value));
const shorten = (text: string): string =>
  text.length > MESSAGE_LENGTH ? `${text.slice(0, MESSAGE_LENGTH)}…` : text;
