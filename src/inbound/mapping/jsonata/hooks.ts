import { isFunction } from "./functional.ts";
import { Meter } from "./meter.ts";

/** What it costs to take one step of an expression. */
const STEP_COST = 600;

/** The variable that holds the evaluation's meter; no expression can name it. */
export const METER = " meter";

const ENTRY = Symbol.for("jsonata.__evaluate_entry");
const EXIT = Symbol.for("jsonata.__evaluate_exit");

/** A compiled expression, whose hooks are variables named by symbols. */
interface Hookable {
  assign(name: string | symbol, value: unknown): void;
}

interface Scope {
  lookup(name: string): unknown;
}

/** Lets each step of the expression pay to the meter that its evaluation carries. */
export function hook(expression: Hookable, wholeOperands: WeakSet<object>): void {
  expression.assign(ENTRY, (node: object, input: unknown, scope: Scope) => {
    enter(meterOf(scope), typeOf(node), input);
  });
  expression.assign(EXIT, (node: object, _: unknown, scope: Scope, result: unknown) => {
    leave(meterOf(scope), node, result, wholeOperands.has(node));
  });
}

/** Before a step: those that go through their input without a step for each of its parts. */
function enter(meter: Meter, type: string, input: unknown): void {
  meter.spend(STEP_COST);
  if (typeof input !== "object" || input === null) return;
  if (type === "descendant") meter.spend(meter.measure(input).size);
  if (type === "wildcard") meter.spend(Object.keys(input).length ** 2 / 8);
  if ((type === "name" || type === "wildcard") && Array.isArray(input)) {
    meter.spend(meter.measure(input).elements);
  }
}

/** After a step: what it made, which ends the evaluation when it is too large. */
function leave(meter: Meter, node: object, result: unknown, whole: boolean): void {
  if (whole) meter.spend(meter.measure(result).size);
  else if (Array.isArray(result)) meter.spend(meter.measure(result).elements);
  else if (makesValues(node) && !isFunction(result)) meter.measure(result);
  if (typeof result === "string" && typeOf(node) === "binary") meter.spend(result.length);
}

/** Whether a node can make an object or text that was not in the payload. */
function makesValues(node: object): boolean {
  return ["unary", "binary", "function", "apply"].includes(typeOf(node)) || "group" in node;
}

const typeOf = (node: object): string => ("type" in node ? String(node.type) : "");

function meterOf(scope: Scope): Meter {
  const meter = scope.lookup(METER);
  if (!(meter instanceof Meter)) throw new Error("An evaluation has no meter.");
  return meter;
}
