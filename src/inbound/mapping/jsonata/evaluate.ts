import type { PayloadValue } from "../../../contract/inbound/payload.ts";
import { exactJson } from "../../../lib/json-values.ts";
import { compiled, reasonOf } from "./compile.ts";
import { meteredFunctions } from "./functions.ts";
import { METER } from "./hooks.ts";
import { Meter, Unaffordable } from "./meter.ts";
import { meteredRegExp } from "./regex.ts";
import { plainValue } from "./result.ts";

type Evaluated = { ok: true; value: PayloadValue } | { ok: false; message: string };

/** The library's codes for nesting and lists beyond the bounds that it is given. */
const BOUNDS = ["D1011", "D2014", "D2015"];

/**
 * Evaluates a JSONata expression over `value`, with the payload as `$payload`: a pure function of both.
 * Its work is counted and bounded, whatever the expression. Whole numbers beyond a double come in as
 * the text of their digits. The result is null where the expression gives nothing.
 */
export async function evaluate(
  text: string,
  value: PayloadValue,
  payload: PayloadValue,
): Promise<Evaluated> {
  const known = compiled(text);
  if (!known.ok) return known;
  const meter = new Meter();
  const functions = await meteredFunctions(meter);
  const input = (given: PayloadValue) =>
    known.marks ? structuredClone(exactJson(given)) : exactJson(given);
  const variables = { ...functions, payload: input(payload), [METER]: meter };
  try {
    // Read when the evaluation starts, before anything is awaited: so each has its own meter.
    known.options.RegexEngine = meteredRegExp(meter);
    const result: unknown = await known.expression.evaluate(input(value), variables);
    meter.measure(result);
    return plainValue(result);
  } catch (error) {
    return { ok: false, message: failure(error) };
  }
}

function failure(error: unknown): string {
  if (error instanceof Unaffordable) return `cannot be evaluated: it ${error.message}`;
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  // A RangeError is a stack or a text beyond what the engine has.
  if (error instanceof RangeError || BOUNDS.includes(String(code))) {
    return `cannot be evaluated: it ${new Unaffordable().message}`;
  }
  return `cannot be evaluated: ${reasonOf(error)}`;
}
