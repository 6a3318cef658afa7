import jsonata from "jsonata";
import { guardOf } from "./guards.ts";
import { LIMITS, type Meter } from "./meter.ts";

/** The cost of a call besides what it goes through. */
const CALL_COST = 300;

/**
 * The library's functions by their number of parameters, which callbacks and `f(?, 1)` depend on, with
 * their signatures, by which the library completes and checks the arguments. `zip` takes any number.
 */
const FUNCTIONS: { [name: string]: string }[] = [
  { zip: "<a+>" },
  {
    sum: "<a<n>:n>",
    count: "<a:n>",
    max: "<a<n>:n>",
    min: "<a<n>:n>",
    average: "<a<n>:n>",
    lowercase: "<s-:s>",
    uppercase: "<s-:s>",
    length: "<s-:n>",
    trim: "<s-:s>",
    number: "<(nsb)-:n>",
    floor: "<n-:n>",
    ceil: "<n-:n>",
    abs: "<n-:n>",
    sqrt: "<n-:n>",
    boolean: "<x-:b>",
    not: "<x-:b>",
    keys: "<x-:a<s>>",
    exists: "<x:b>",
    spread: "<x-:a<o>>",
    merge: "<a<o>:o>",
    reverse: "<a:a>",
    error: "<s?:x>",
    type: "<x:s>",
    distinct: "<x:x>",
    base64encode: "<s-:s>",
    base64decode: "<s-:s>",
    encodeUrlComponent: "<s-:s>",
    encodeUrl: "<s-:s>",
    decodeUrlComponent: "<s-:s>",
    decodeUrl: "<s-:s>",
  },
  {
    substringBefore: "<s-s:s>",
    substringAfter: "<s-s:s>",
    contains: "<s-(sf):b>",
    join: "<a<s>s?:s>",
    formatBase: "<n-n?:s>",
    formatInteger: "<n-s:s>",
    parseInteger: "<s-s:n>",
    round: "<n-n?:n>",
    power: "<n-n:n>",
    map: "<af>",
    filter: "<af>",
    single: "<af?>",
    sift: "<o-f?:o>",
    lookup: "<x-s:x>",
    append: "<xx:a>",
    each: "<o-f:a>",
    assert: "<bs?:x>",
    sort: "<af?:a>",
    toMillis: "<s-s?:n>",
  },
  {
    substring: "<s-nn?:s>",
    pad: "<s-ns?:s>",
    match: "<s-f<s:o>n?:a<o>>",
    split: "<s-(sf)n?:a<s>>",
    formatNumber: "<n-so?:s>",
    reduce: "<afj?:j>",
    fromMillis: "<n-s?s?:s>",
  },
  { replace: "<s-(sf)(sf)n?:s>" },
];

const calls = new Map<string, jsonata.Expression>();

/**
 * Overrides the library's functions that an expression uses: each spends of the meter for what it goes
 * through and makes, and calls the library's own function.
 */
export function registerMeteredFunctions(
  expression: jsonata.Expression,
  used: Set<string>,
  meter: Meter,
): void {
  for (const [arity, functions] of FUNCTIONS.entries()) {
    for (const [name, signature] of Object.entries(functions)) {
      if (!used.has(name)) continue;
      const required = Math.max(1, arity - signature.split("?").length + 1);
      const call = metered(name, required, meter);
      expression.registerFunction(name, withArity(arity, call), signature);
    }
  }
  if (!used.has("string")) return;
  const string = metered("string", 1, meter);
  // As a callback it takes one argument, although it has a second parameter.
  const withDefault = (value: unknown, prettify: unknown = undefined) => string(value, prettify);
  expression.registerFunction("string", withDefault, "<x-b?:s>");
}

type Implementation = (...args: unknown[]) => Promise<unknown>;

function metered(name: string, required: number, meter: Meter): Implementation {
  const guard = guardOf(name);
  return async (...all) => {
    const args = withoutOmitted(all, required);
    meter.spend(CALL_COST);
    for (const arg of args) charge(meter, arg);
    const result = await guard(() => callLibrary(name, args), args, meter);
    charge(meter, result);
    return result;
  };
}

/** The library reads the number of a function's parameters and their names: they must be written out. */
function withArity(arity: number, call: Implementation): Implementation {
  function one(a: unknown) {
    return call(a);
  }
  function two(a: unknown, b: unknown) {
    return call(a, b);
  }
  function three(a: unknown, b: unknown, c: unknown) {
    return call(a, b, c);
  }
  function four(a: unknown, b: unknown, c: unknown, d: unknown) {
    return call(a, b, c, d);
  }
  return [call, one, two, three, four][arity] ?? call;
}

/** Some functions tell an omitted argument from an undefined one. */
function withoutOmitted(args: unknown[], required: number): unknown[] {
  const last = args.findLastIndex((arg) => arg !== undefined);
  return args.slice(0, Math.max(last + 1, required));
}

function callLibrary(name: string, args: unknown[]): Promise<unknown> {
  const names = args.map((_, at) => `a${at}`);
  const text = `$${name}(${names.map((each) => `$${each}`).join(", ")})`;
  const expression = calls.get(text) ?? jsonata(text, LIMITS);
  // Only `zip` takes any number of arguments, so that there would be no end of texts.
  if (args.length <= FUNCTIONS.length) calls.set(text, expression);
  return expression.evaluate(null, Object.fromEntries(names.map((each, at) => [each, args[at]])));
}

function charge(meter: Meter, value: unknown): void {
  const { elements } = meter.measure(value);
  meter.spend(typeof value === "string" ? value.length : elements);
}
