import { isObject, type Json } from "../../json-values.ts";
import type { Evaluation, Keyword } from "../evaluation.ts";
import { numberOf } from "../schema-fault.ts";

/** What a limit measures of a value, null where it does not apply, and what it counts. */
interface Measure {
  of(value: Json, evaluation: Evaluation): number | null;
  /** Follows the limit in a message. */
  unit: string;
}

const NUMBER: Measure = { of: (value) => (typeof value === "number" ? value : null), unit: "" };

const CHARACTERS: Measure = {
  of(value, evaluation) {
    if (typeof value !== "string") return null;
    evaluation.spend(value.length / 16);
    let count = 0;
    for (const _ of value) count += 1;
    return count;
  },
  unit: " characters",
};

const ITEMS: Measure = {
  of: (value) => (Array.isArray(value) ? value.length : null),
  unit: " items",
};

const MEMBERS: Measure = {
  of(value, evaluation) {
    if (!isObject(value)) return null;
    const count = Object.keys(value).length;
    evaluation.spend(2 * count);
    return count;
  },
  unit: " members",
};

type Holds = (has: number, limit: number) => boolean;

const atLeast: Holds = (has, limit) => has >= limit;
const atMost: Holds = (has, limit) => has <= limit;

function limit(rule: string, { of, unit }: Measure, words: string, holds: Holds): Keyword {
  return (held) => {
    const bound = numberOf(held);
    return (value, at, evaluation) => {
      const has = of(value, evaluation);
      if (has === null || holds(has, bound)) return true;
      return evaluation.report(at, rule, `must ${words} ${bound}${unit}; got ${has}`);
    };
  };
}

/** Keywords that limit a number, or how much a value has. */
export const LIMIT_KEYWORDS: Record<string, Keyword> = {
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
