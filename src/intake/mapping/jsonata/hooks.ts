import { guardOf } from "./guards.ts";
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
