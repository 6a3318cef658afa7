import jsonata from "jsonata";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import { exactJson, mapMembers } from "../../../lib/json-values.ts";
import { memoize } from "../../../lib/lru-map.ts";
import { preview } from "../../../lib/text.ts";
import type { Transformed } from "../transforms/basic.ts";
import { Unaffordable, type WorkBudget } from "../work-budget.ts";
import { hook } from "./hooks.ts";
import { LIMITS, Meter } from "./meter.ts";
import { marksLists, meteredRegExp, syntaxFault, variableNames, wholeOperands } from "./syntax.ts";

/** The library's codes for nesting and lists beyond `LIMITS`. */
const LIMIT_CODES = ["D1011", "D2014", "D2015"];

/** The library takes time by the square of a path's steps to compile it. */
const MAX_DOTS = 500;
/** The cost of preparing an evaluation, which compiles the expression twice at most. */
const PREPARATION_COST = 5_000;
const CHARACTER_COST = 20;
const DOTS_COST = 1.2;

/**
 * Evaluates an expression over a value (`$`) and variables: a pure function of both, whose work is bounded.
 * Whole numbers beyond a double are the text of their digits. The result is null if the expression has none.
 */
export async function evaluateJsonata(
  expression: string,
  value: PayloadValue,
  variables: Readonly<Record<string, PayloadValue>>,
  budget: WorkBudget,
): Promise<Transformed> {
  try {
    const { length } = expression;
    budget.spend(PREPARATION_COST + length * CHARACTER_COST + dotsIn(expression) ** 2 * DOTS_COST);
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
  const message = expressionFault(expression);
  if (message !== null) return { ok: false, message };
  const meter = new Meter(budget);
  // Compiled for each evaluation, so that no two evaluations share a meter.
  const compiled = jsonata(expression, { ...LIMITS, RegexEngine: meteredRegExp(meter) });
  const tree: unknown = compiled.ast();
  hook(compiled, meter, { functions: variableNames(tree), wholeOperands: wholeOperands(tree) });
  const isMarked = marksLists(tree);
  const input = (given: PayloadValue) => {
    if (!isMarked) return exactJson(given);
    budget.spendReading(given);
    return structuredClone(exactJson(given));
  };
  try {
    const result: unknown = await compiled.evaluate(input(value), mapMembers(variables, input));
    meter.measure(result);
    return { ok: true, value: plain(result, meter) };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}

/** Returns why an expression cannot be evaluated, as a predicate, or null. */
export const expressionFault = memoize(200, (text: string): string | null => {
  if (dotsIn(text) > MAX_DOTS) return `has more than ${MAX_DOTS} dots`;
  try {
    return syntaxFault(jsonata(text).ast());
  } catch (error) {
    return `is not valid JSONata: ${reasonOf(error)}`;
  }
});

const dotsIn = (text: string): number => text.split(".").length - 1;

function messageOf(error: unknown): string {
  if (error instanceof NotPlain) return error.message;
  if (error instanceof Unaffordable) return `cannot be evaluated: it ${error.message}`;
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  // The engine throws a RangeError for a stack or a text that is too large.
  if (error instanceof RangeError || LIMIT_CODES.includes(String(code))) {
    return `cannot be evaluated: it ${new Unaffordable().message}`;
  }
  return `cannot be evaluated: ${reasonOf(error)}`;
}

/** Returns the message of an error; the library throws plain objects. */
function reasonOf(error: unknown): string {
  const hasMessage = typeof error === "object" && error !== null && "message" in error;
  return preview(hasMessage ? String(error.message) : "it fails without a reason");
}

/** A result is no JSON; the message follows "the expression". */
class NotPlain extends Error {}

/** Copies a result without the library's marks on lists. */
function plain(result: unknown, meter: Meter): PayloadValue {
  if (result === undefined || result === null) return null;
  if (typeof result === "string" || typeof result === "boolean") return result;
  if (typeof result === "number") {
    if (Number.isFinite(result)) return result;
    throw new NotPlain("gives a number that is not finite");
  }
  if (Array.isArray(result)) return Array.from(result, (item) => plain(item, meter));
  if (typeof result !== "object" || meter.isFunction(result)) {
    throw new NotPlain("gives a function");
  }
  return mapMembers({ ...result }, (member: unknown) => plain(member, meter));
}
