import { Unaffordable } from "../work-budget.ts";
import type { Meter } from "./meter.ts";

/** The cost of one step of an expression. */
const STEP_COST = 600;
/** The cost of a call besides what it goes through. */
const CALL_COST = 300;

/** The library calls the variables of these names before and after each step. */
const ENTRY = Symbol.for("jsonata.__evaluate_entry");
const EXIT = Symbol.for("jsonata.__evaluate_exit");

/** Nodes that make a function. */
const FUNCTION_TYPES = ["lambda", "partial"];
/** Nodes that can make an object or text that was not in the payload. */
const MAKING_TYPES = ["unary", "binary", "function", "apply"];

/** A compiled expression, whose hooks are variables named by symbols. */
interface Hookable {
  assign(name: string | symbol, value: unknown): void;
}

/** The variables of an evaluation, functions included. */
interface Scope {
  lookup(name: string): unknown;
  bind(name: string, value: unknown): void;
}

/** A function of the library. */
interface LibraryFunction {
  implementation: (...args: unknown[]) => unknown;
}

/** Makes each step of an expression, and each call of the library's functions, spend of the meter. */
export function hook(
  expression: Hookable,
  meter: Meter,
  { functions, wholeOperands }: { functions: Set<string>; wholeOperands: WeakSet<object> },
): void {
  let isMetered = false;
  expression.assign(ENTRY, (node: object, input: unknown, scope: Scope) => {
    if (!isMetered) meterFunctions(scope, functions, meter);
    isMetered = true;
    enter(meter, typeOf(node), input);
  });
  expression.assign(EXIT, (node: object, _input: unknown, _scope: unknown, result: unknown) => {
    if (FUNCTION_TYPES.includes(typeOf(node))) meter.markFunction(result);
    leave(meter, node, result, wholeOperands.has(node));
  });
}

/** Overrides the library's functions in the outermost scope of an evaluation. */
function meterFunctions(scope: Scope, names: Set<string>, meter: Meter): void {
  for (const name of names) {
    const known = scope.lookup(name);
    if (isLibraryFunction(known)) {
      scope.bind(name, { ...known, implementation: metered(name, known, meter) });
    }
  }
}

function isLibraryFunction(value: unknown): value is LibraryFunction {
  if (typeof value !== "object" || value === null || !("implementation" in value)) return false;
  return typeof value.implementation === "function";
}

/** Spends of the meter for what a call goes through and makes. */
function metered(name: string, { implementation }: LibraryFunction, meter: Meter) {
  const guard = GUARDS.get(name);
  const runner = RUNNERS.get(name) ?? ((run) => run());
  async function call(this: unknown, ...args: unknown[]): Promise<unknown> {
    meter.spend(CALL_COST);
    for (const arg of args) charge(meter, arg);
    guard?.(args, meter);
    const result = await runner(() => implementation.apply(this, args), args, meter);
    charge(meter, result);
    return result;
  }
  // The library asks a function for the number of its parameters, and reads their names in its text.
  Object.defineProperty(call, "length", { value: implementation.length });
  call.toString = () => implementation.toString();
  return call;
}

function charge(meter: Meter, value: unknown): void {
  const { elements } = meter.measure(value);
  meter.spend(typeof value === "string" ? value.length : elements);
}

/** Charges for steps that go through their input without a step for each of its parts. */
function enter(meter: Meter, type: string, input: unknown): void {
  meter.spend(STEP_COST);
  if (typeof input !== "object" || input === null) return;
  if (type === "descendant") meter.spend(meter.measure(input).size);
  if (type === "wildcard") meter.spend(findingCost(meter, input));
  if ((type === "name" || type === "wildcard") && Array.isArray(input)) {
    meter.spend(meter.measure(input).elements);
  }
}

/** The cost of a wildcard: for each member, the library copies the list of what it has found so far. */
function findingCost(meter: Meter, input: object): number {
  const value: unknown = Array.isArray(input) && "outerWrapper" in input ? input[0] : input;
  if (typeof value !== "object" || value === null || meter.isFunction(value)) return 0;
  const members: unknown[] = Object.values(value);
  return (members.length * meter.measure(members).elements) / 8;
}

/** Charges for the result of a step; one that is too large ends the evaluation. */
function leave(meter: Meter, node: object, result: unknown, isWhole: boolean): void {
  const type = typeOf(node);
  if (isWhole) meter.spend(meter.measure(result).size);
  else if (Array.isArray(result)) meter.spend(meter.measure(result).elements);
  else if (MAKING_TYPES.includes(type) || "group" in node) meter.measure(result);
  if (typeof result === "string" && type === "binary") meter.spend(result.length);
}

const typeOf = (node: object): string => ("type" in node ? String(node.type) : "");

/** Splitting text into a list of its characters. */
const CHARACTER_COST = 8;
const COMPARISON_COST = 50;
/** Writing a value out, for each unit of its size. */
const WRITING_COST = 2;
/** References to groups in a replacement. */
const MAX_REFERENCES = 1_000;
/** The picture of a date or number. */
const MAX_PICTURE_LENGTH = 200;
/** A picture that reads text becomes a pattern that can backtrack, so it reads short text only. */
const MAX_MARKERS = 9;
const MAX_DATED_LENGTH = 40;

/** Charges the meter for what one call of a built-in function does, or refuses it. */
type Guard = (args: unknown[], meter: Meter) => void;

/** Most functions need none besides the charge for their arguments. */
const GUARDS = new Map(
  Object.entries<Guard>({
    substring: byCharacter,
    length: byCharacter,
    pad([text, width, filler], meter) {
      const characters = Math.abs(Number(width)) * Math.max(1, textLength(filler));
      meter.spend((textLength(text) + characters) * CHARACTER_COST);
    },
    join([list, separator], meter) {
      const lengths = [list].flat().map((text) => textLength(text) + textLength(separator));
      meter.spend(lengths.reduce((sum, length) => sum + length, 0));
    },
    string: ([value], meter) => meter.spend(meter.measure(value).size * WRITING_COST),
    sort([list], meter) {
      const length = lengthOf(list);
      meter.spend(length * Math.ceil(Math.log2(length + 1)) * COMPARISON_COST);
    },
    /** Compares each element with all kept ones. */
    distinct: ([list], meter) => meter.spend((meter.measure(list).size * lengthOf(list)) / 16),
    formatNumber([, picture, options]) {
      const signs = typeof options === "object" && options !== null ? Object.values(options) : [];
      if (signs.some((sign) => textLength(sign) < 1 || textLength(sign) > 20))
        throw new Unaffordable(
          "gives $formatNumber a sign with fewer than 1 or more than 20 characters",
        );
      refuseLong(picture);
    },
    formatInteger: ([, picture]) => refuseLong(picture),
    fromMillis: ([, picture]) => refuseLong(picture),
    /** Refuses pictures without a year, since the library takes larger missing units from today. */
    toMillis(args) {
      const [, picture] = args;
      if (typeof picture === "string" && !/\[\s*Y/.test(picture))
        throw new Unaffordable(
          "reads a date by a picture without a year, which changes with the day",
        );
      parsed(args);
    },
    parseInteger: parsed,
  }),
);

/** Functions that run otherwise than the library runs them. */
const RUNNERS = new Map<string, (run: () => unknown, args: unknown[], meter: Meter) => unknown>([
  ["replace", replace],
  ["base64encode", (_, [text]) => (typeof text === "string" ? btoa(text) : undefined)],
  ["base64decode", (_, [text]) => (typeof text === "string" ? atob(text) : undefined)],
]);

function byCharacter([text]: unknown[], meter: Meter): void {
  meter.spend(textLength(text) * CHARACTER_COST);
}

async function replace(run: () => unknown, args: unknown[], meter: Meter): Promise<unknown> {
  const [text, pattern, replacement] = args;
  if (typeof replacement !== "string") return run();
  if (typeof pattern === "string" && typeof text === "string") {
    const matches = pattern === "" ? 0 : text.split(pattern).length - 1;
    meter.spend(matches * replacement.length);
    return run();
  }
  const references = replacement.split("$").length - 1;
  if (references > MAX_REFERENCES) throw new Unaffordable("refers to too many groups in $replace");
  const cost = replacement.length + references * CHARACTER_COST;
  meter.matchCost += cost;
  try {
    return await run();
  } finally {
    meter.matchCost -= cost;
  }
}

function parsed([text, picture]: unknown[]): void {
  if (typeof picture !== "string") return;
  refuseLong(picture);
  if (picture.split("[").length - 1 > MAX_MARKERS) {
    throw new Unaffordable(`reads text by a picture of more than ${MAX_MARKERS} parts`);
  }
  if (textLength(text) > MAX_DATED_LENGTH) {
    throw new Unaffordable(`reads more than ${MAX_DATED_LENGTH} characters by a picture`);
  }
}

function refuseLong(picture: unknown): void {
  if (textLength(picture) > MAX_PICTURE_LENGTH) {
    throw new Unaffordable(`has a picture of more than ${MAX_PICTURE_LENGTH} characters`);
  }
}

const textLength = (value: unknown): number => (typeof value === "string" ? value.length : 0);

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 1);
