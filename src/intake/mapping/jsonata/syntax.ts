import { memoize } from "../../../lib/lru-map.ts";
import { type CompiledPattern, linearPattern } from "../../../lib/pattern/linear-pattern.ts";
import type { Meter } from "./meter.ts";

/** Functions that a mapping must not use, and why. */
const REFUSED = new Map([
  ["eval", "runs text as an expression"],
  ["now", "gives another value each time, and a replay must map as the first time"],
  ["millis", "gives another value each time, and a replay must map as the first time"],
  ["random", "gives another value each time, and a replay must map as the first time"],
  ["shuffle", "gives another value each time, and a replay must map as the first time"],
]);

/** Operators that write both sides out or compare them part by part. */
const WHOLE = new Set(["&", "=", "!="]);

/** Returns a predicate that says why an expression is refused, or null. */
export function syntaxFault(tree: unknown): string | null {
  for (const node of nodes(tree)) {
    const fault = nodeFault(node);
    if (fault !== null) return fault;
  }
  return null;
}

/** Returns the nodes whose whole values an operator goes through. */
export function wholeOperands(tree: unknown): WeakSet<object> {
  const operands = new WeakSet<object>();
  for (const node of nodes(tree)) {
    if (node.get("type") !== "binary" || !WHOLE.has(String(node.get("value")))) continue;
    for (const side of [node.get("lhs"), node.get("rhs")]) {
      if (typeof side === "object" && side !== null) operands.add(side);
    }
  }
  return operands;
}

/** Returns the names of the variables, functions included, that an expression refers to. */
export function variableNames(tree: unknown): Set<string> {
  const variables = nodes(tree).filter((node) => node.get("type") === "variable");
  return new Set(variables.map((node) => String(node.get("value"))));
}

/** Whether an expression has `[]`, for which the library marks lists of the payload itself. */
export function marksLists(tree: unknown): boolean {
  return nodes(tree).some((node) => node.has("keepSingletonArray") || node.has("keepArray"));
}

type Node = Map<string, unknown>;

function nodeFault(node: Node): string | null {
  const value = node.get("value");
  switch (node.get("type")) {
    case "variable": {
      const reason = REFUSED.get(String(value));
      return reason === undefined ? null : `uses $${value}, which ${reason}`;
    }
    // It changes a copy in place, so that a value can contain itself.
    case "transform":
      return "uses the operator | | |, which is not supported; use $merge";
    case "regex":
      return value instanceof RegExp ? regexFault(value) : null;
    default:
      return null;
  }
}

/** Returns all objects of the tree, each once: its parts refer to each other. */
function nodes(tree: unknown): Node[] {
  const found: Node[] = [];
  const seen = new Set<unknown>();
  const open = [tree];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== "object" || part === null || seen.has(part)) continue;
    seen.add(part);
    const node = new Map<string, unknown>(Object.entries(part));
    found.push(node);
    open.push(...node.values());
  }
  return found;
}

/** The cost of one search besides the text that it reads. */
const SEARCH_COST = 600;
/** The cost of one instruction of a pattern for one character. */
const STEP_COST = 2;

const compiled = memoize(200, (literal): CompiledPattern => {
  const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(literal) ?? [];
  if (flags.includes("m")) return { ok: false, reason: "has the flag m, which is not supported" };
  return linearPattern(source, { unicode: false, ignoreCase: flags.includes("i") });
});

/** Returns a predicate that says why a pattern cannot run in linear time, or null. */
function regexFault(regex: RegExp): string | null {
  const known = compiled(String(regex));
  return known.ok ? null : `has a pattern that ${known.reason}`;
}

/** Creates JSONata's RegExp class for one evaluation: it never backtracks, and spends of the meter. */
export function meteredRegExp(meter: Meter): RegExpConstructor {
  class MeteredRegExp extends RegExp {
    override exec(text: string): RegExpExecArray | null {
      const known = compiled(String(this));
      if (!known.ok) throw new Error(known.reason);
      meter.spend(SEARCH_COST + meter.matchCost);
      const found = known.find(text, this.lastIndex, (steps) => meter.spend(steps * STEP_COST));
      this.lastIndex = found?.end ?? 0;
      if (found === null) return null;
      const match: [string, ...string[]] = [text.slice(found.start, found.end), ...found.groups];
      return Object.assign(match, { index: found.start, input: text });
    }
  }
  // RegExpConstructor can also be called without `new`, which no class can.
  return new Proxy(RegExp, { construct: (_, [pattern]: [RegExp]) => new MeteredRegExp(pattern) });
}
