import type { Meter } from "./meter.ts";

/** The cost of one step of an expression. */
const STEP_COST = 600;

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

/** Makes each step of an expression spend of the meter. */
export function hook(expression: Hookable, meter: Meter, wholeOperands: WeakSet<object>): void {
  expression.assign(ENTRY, (node: object, input: unknown) => enter(meter, typeOf(node), input));
  expression.assign(EXIT, (node: object, _input: unknown, _scope: unknown, result: unknown) => {
    if (FUNCTION_TYPES.includes(typeOf(node))) meter.markFunction(result);
    leave(meter, node, result, wholeOperands.has(node));
  });
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
