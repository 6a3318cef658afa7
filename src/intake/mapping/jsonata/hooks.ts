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
  const guard = guardOf(name);
  async function call(this: unknown, ...args: unknown[]): Promise<unknown> {
    meter.spend(CALL_COST);
    for (const arg of args) charge(meter, arg);
    const result = await guard(() => implementation.apply(this, args), args, meter);
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
  if (type === "wildcard") meter.spend(Object.keys(input).length ** 2 / 8);
  if ((type === "name" || type === "wildcard") && Array.isArray(input)) {
    meter.spend(meter.measure(input).elements);
  }
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

/** Runs one call of a built-in function within limits of its own. */
type Guard = (run: () => unknown, args: unknown[], meter: Meter) => unknown;

const GUARDS = new Map<string, Guard>([
  ["substring", byCharacter],
  ["length", byCharacter],
  ["pad", pad],
  ["join", join],
  ["replace", replace],
  ["string", string],
  ["sort", sort],
  ["distinct", distinct],
  ["formatNumber", formatNumber],
  ["formatInteger", formatted],
  ["fromMillis", formatted],
  ["toMillis", dated],
  ["parseInteger", parsed],
  ["base64encode", (_, [text]) => (typeof text === "string" ? btoa(text) : undefined)],
  ["base64decode", (_, [text]) => (typeof text === "string" ? atob(text) : undefined)],
]);

/** Returns the guard of a function; most need none besides the charge for their arguments. */
export function guardOf(name: string): Guard {
  return GUARDS.get(name) ?? ((run) => run());
}

function byCharacter(run: () => unknown, [text]: unknown[], meter: Meter): unknown {
  meter.spend(textLength(text) * CHARACTER_COST);
  return run();
}

function pad(run: () => unknown, [text, width, filler]: unknown[], meter: Meter): unknown {
  const characters = Math.abs(Number(width)) * Math.max(1, textLength(filler));
  meter.spend((textLength(text) + characters) * CHARACTER_COST);
  return run();
}

function join(run: () => unknown, [list, separator]: unknown[], meter: Meter): unknown {
  const texts = Array.isArray(list) ? list : [list];
  const length = texts.reduce((sum, text) => sum + textLength(text) + textLength(separator), 0);
  meter.spend(length);
  return run();
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

function string(run: () => unknown, [value]: unknown[], meter: Meter): unknown {
  meter.spend(meter.measure(value).size * WRITING_COST);
  return run();
}

function sort(run: () => unknown, [list]: unknown[], meter: Meter): unknown {
  const length = Array.isArray(list) ? list.length : 1;
  meter.spend(length * Math.ceil(Math.log2(length + 1)) * COMPARISON_COST);
  return run();
}

/** Charges for the comparison of each element with all kept ones. */
function distinct(run: () => unknown, [list]: unknown[], meter: Meter): unknown {
  const length = Array.isArray(list) ? list.length : 1;
  meter.spend((meter.measure(list).size * length) / 16);
  return run();
}

function formatNumber(run: () => unknown, [, picture, options]: unknown[]): unknown {
  const signs = typeof options === "object" && options !== null ? Object.values(options) : [];
  const odd = signs.some((sign) => textLength(sign) < 1 || textLength(sign) > 20);
  if (odd)
    throw new Unaffordable(
      "gives $formatNumber a sign with fewer than 1 or more than 20 characters",
    );
  refuseLong(picture);
  return run();
}

function formatted(run: () => unknown, [, picture]: unknown[]): unknown {
  refuseLong(picture);
  return run();
}

function parsed(run: () => unknown, [text, picture]: unknown[]): unknown {
  if (typeof picture !== "string") return run();
  refuseLong(picture);
  if (picture.split("[").length - 1 > MAX_MARKERS) {
    throw new Unaffordable(`reads text by a picture of more than ${MAX_MARKERS} parts`);
  }
  if (textLength(text) > MAX_DATED_LENGTH) {
    throw new Unaffordable(`reads more than ${MAX_DATED_LENGTH} characters by a picture`);
  }
  return run();
}

/** Refuses pictures without a year, since the library takes larger missing units from today. */
function dated(run: () => unknown, args: unknown[]): unknown {
  const [, picture] = args;
  if (typeof picture === "string" && !/\[\s*Y/.test(picture)) {
    throw new Unaffordable("reads a date by a picture without a year, which changes with the day");
  }
  return parsed(run, args);
}

function refuseLong(picture: unknown): void {
  if (textLength(picture) > MAX_PICTURE_LENGTH) {
    throw new Unaffordable(`has a picture of more than ${MAX_PICTURE_LENGTH} characters`);
  }
}

const textLength = (value: unknown): number => (typeof value === "string" ? value.length : 0);
