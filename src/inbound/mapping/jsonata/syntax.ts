import { regexFault } from "./regex.ts";

/** What a mapping has no use for, or must not do, and why. */
const REFUSED = new Map([
  ["eval", "runs text as an expression"],
  ["now", "gives another value each time, and a replay must map as the first time"],
  ["millis", "gives another value each time, and a replay must map as the first time"],
  ["random", "gives another value each time, and a replay must map as the first time"],
  ["shuffle", "gives another value each time, and a replay must map as the first time"],
]);

/** Operators that write both sides out, or compare them part by part. */
const WHOLE = new Set(["&", "=", "!="]);

/** What is wrong with a syntax tree, as a sentence without its subject; null for nothing. */
export function syntaxFault(tree: unknown): string | null {
  for (const node of nodes(tree)) {
    const fault = nodeFault(node);
    if (fault !== null) return fault;
  }
  return null;
}

/** The nodes whose values are gone through as a whole by the operator that they stand beside. */
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

/** Whether an expression has `[]`, for which the library puts a mark on a list of the payload itself. */
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
    // It changes a copy in place, by which a value can come to hold itself.
    case "transform":
      return "uses the operator | | |, which is not available; $merge does much of what it does";
    case "regex":
      return value instanceof RegExp ? regexFault(value) : null;
    default:
      return null;
  }
}

/** All objects of the tree. Its parts refer to each other, so each is taken once. */
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
