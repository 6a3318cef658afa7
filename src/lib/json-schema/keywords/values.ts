import { format as CFWORKER } from "@cfworker/json-schema";
import * as z from "zod";
import { canonicalJson, isObject, type Json, jsonType } from "../../json-values.ts";
import { linearPattern } from "../../pattern/linear-pattern.ts";
import { type Evaluation, type Rule, TooMuchWork } from "../evaluation.ts";
import { anyValue, count, type Keyword, keyword, SchemaFault } from "../keyword.ts";

const MESSAGE_LENGTH = 200;

const typeName = z.enum(["null", "boolean", "object", "array", "number", "string", "integer"]);

const type = keyword(z.union([typeName, z.array(typeName).min(1)]), (held) => {
  const types = new Set<string>([held].flat());
  const wanted = [...types].map(withArticle).join(" or ");
  return (value, at, evaluation) =>
    types.has(jsonType(value)) ||
    (types.has("integer") && Number.isInteger(value)) ||
    evaluation.report(at, "type", `must be ${wanted}; got ${withArticle(jsonType(value))}`);
});

function withArticle(type: string): string {
  if (type === "null") return "null";
  return `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
}

function oneOf(values: Json[], rule: string, message: string): Rule {
  const plain = new Set(values.filter((value) => !isContainer(value)));
  const containers = new Set(values.filter(isContainer).map((value) => canonicalJson(value)));
  return (value, at, evaluation) => {
    const text = (of: Json) => canonicalJson(of, (steps) => evaluation.spend(steps));
    const found = isContainer(value)
      ? containers.size > 0 && containers.has(text(value))
      : plain.has(value);
    return found || evaluation.report(at, rule, message);
  };
}

const isContainer = (value: Json): boolean => Array.isArray(value) || isObject(value);
const quoted = (value: Json): string => shortened(JSON.stringify(value));
const shortened = (text: string): string =>
  text.length > MESSAGE_LENGTH ? `${text.slice(0, MESSAGE_LENGTH)}…` : text;

/** Compares decimals as they are written: 0.3 is a multiple of 0.1, although its double is not. */
function isMultiple(value: number, divisor: number): boolean {
  const times = value / divisor;
  if (Number.isInteger(divisor) || !Number.isFinite(times)) return value % divisor === 0;
  // Each of both doubles, and their quotient, may be half a unit of the last place away from its decimal.
  return Math.abs(times - Math.round(times)) <= 2 * Number.EPSILON * Math.abs(times);
}

const multipleOf = keyword(z.number().positive(), (divisor) => {
  return (value, at, evaluation) => {
    if (typeof value !== "number") return true;
    const message = `must be a multiple of ${divisor}; got ${value}`;
    return isMultiple(value, divisor) || evaluation.report(at, "multipleOf", message);
  };
});

const pattern = keyword(z.string(), (source) => {
  const matches = matcherOf(source);
  const message = `must match the pattern ${shortened(source)}`;
  return (value, at, evaluation) =>
    typeof value !== "string" ||
    matches(value, evaluation) ||
    evaluation.report(at, "pattern", message);
});

/** Compiles a pattern that spends steps of the evaluation. */
export function matcherOf(source: string): (text: string, evaluation: Evaluation) => boolean {
  const compiled = linearPattern(source);
  if (!compiled.ok) throw new SchemaFault("", "pattern", compiled.reason);
  return (text, evaluation) => {
    // One step of the pattern engine takes about a tenth of one here; starting it costs a few.
    evaluation.spend(5 + (text.length * compiled.size) / 10);
    const matches = compiled.test(text);
    if (matches === null) throw new TooMuchWork();
    return matches;
  };
}

const format = keyword(z.string(), (name) => {
  const isFormatted = FORMATS.get(name);
  if (!isFormatted) return () => true;
  return (value, at, evaluation) => {
    if (typeof value !== "string") return true;
    const length = Math.min(value.length, MAX_FORMATTED);
    evaluation.spend(1 + length / 10 + length ** 2 / 2_000);
    const valid = value.length <= MAX_FORMATTED && isFormatted(value);
    return valid || evaluation.report(at, "format", `must have the format ${name}`);
  };
});

/** What a limit measures of a value, null where it does not apply, and what it counts. */
interface Measure {
  /** What a limit must be. */
  type: z.ZodType<number>;
  of(value: Json, evaluation: Evaluation): number | null;
  /** Follows the limit in a message. */
  unit: string;
}

const NUMBER: Measure = {
  type: z.number(),
  of: (value) => (typeof value === "number" ? value : null),
  unit: "",
};

const CHARACTERS: Measure = {
  type: count,
  of(value, evaluation) {
    if (typeof value !== "string") return null;
    evaluation.spend(value.length / 16);
    let found = 0;
    for (const _ of value) found += 1;
    return found;
  },
  unit: " characters",
};

const ITEMS: Measure = {
  type: count,
  of: (value) => (Array.isArray(value) ? value.length : null),
  unit: " items",
};

const MEMBERS: Measure = {
  type: count,
  of(value, evaluation) {
    if (!isObject(value)) return null;
    const { length } = Object.keys(value);
    evaluation.spend(2 * length);
    return length;
  },
  unit: " members",
};

type Holds = (has: number, limit: number) => boolean;

const atLeast: Holds = (has, limit) => has >= limit;
const atMost: Holds = (has, limit) => has <= limit;

function limit(rule: string, { type, of, unit }: Measure, words: string, holds: Holds): Keyword {
  return keyword(type, (bound) => (value, at, evaluation) => {
    const has = of(value, evaluation);
    if (has === null || holds(has, bound)) return true;
    return evaluation.report(at, rule, `must ${words} ${bound}${unit}; got ${has}`);
  });
}

/** Keywords of any value, of numbers and of strings, and those that limit how much a value has. */
export const VALUE_KEYWORDS: Record<string, Keyword> = {
  type,
  const: keyword(anyValue, (held) => oneOf([held], "const", `must be ${quoted(held)}`)),
  enum: keyword(z.array(anyValue), (values) =>
    oneOf(values, "enum", `must be one of ${shortened(values.map(quoted).join(", "))}`),
  ),
  multipleOf,
  pattern,
  format,
  minimum: limit("minimum", NUMBER, "be at least", atLeast),
  maximum: limit("maximum", NUMBER, "be at most", atMost),
  exclusiveMinimum: limit("exclusiveMinimum", NUMBER, "be greater than", (has, than) => has > than),
  exclusiveMaximum: limit("exclusiveMaximum", NUMBER, "be less than", (has, than) => has < than),
  minLength: limit("minLength", CHARACTERS, "have at least", atLeast),
  maxLength: limit("maxLength", CHARACTERS, "have at most", atMost),
  minItems: limit("minItems", ITEMS, "have at least", atLeast),
  maxItems: limit("maxItems", ITEMS, "have at most", atMost),
  minProperties: limit("minProperties", MEMBERS, "have at least", atLeast),
  maxProperties: limit("maxProperties", MEMBERS, "have at most", atMost),
};

/** Longer texts have no format: some checks take time that grows faster than the text. */
const MAX_FORMATTED = 2_048;

const NAMES = [
  ...["date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
  ...["uri", "uri-reference", "uri-template", "regex", "json-pointer", "relative-json-pointer"],
];

/**
 * The formats of JSON Schema 2020-12, section 7.3, but the internationalized ones, which are annotations like
 * all others.
 */
const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map(
  NAMES.flatMap((name): [string, (text: string) => boolean][] => {
    const format = CFWORKER[name];
    return format === undefined ? [] : [[name, format]];
  }),
);
