import jsonata from "jsonata";
import { memoize } from "../../../lib/lru-map.ts";
import { preview } from "../../../lib/text.ts";
import { hook } from "./hooks.ts";
import { marksLists, syntaxFault, wholeOperands } from "./syntax.ts";

/** Steps within steps. */
const MAX_DEPTH = 1_000;
/** Elements of a list that an expression makes or goes through. */
const MAX_ELEMENTS = 20_000;

/** An expression that may be run; its options are read at the start of each evaluation. */
interface Runnable {
  ok: true;
  expression: jsonata.Expression;
  options: jsonata.JsonataOptions;
  /** Whether it puts marks on lists of its input, which then has to be a copy. */
  marks: boolean;
}

/** Compiles an expression once, or says in a sentence without its subject why it cannot be run. */
export const compiled = memoize(200, (text): Runnable | { ok: false; message: string } => {
  const options = { stack: MAX_DEPTH, sequence: MAX_ELEMENTS };
  try {
    const expression = jsonata(text, options);
    const tree: unknown = expression.ast();
    const fault = syntaxFault(tree);
    if (fault !== null) return { ok: false, message: fault };
    hook(expression, wholeOperands(tree));
    return { ok: true, expression, options, marks: marksLists(tree) };
  } catch (error) {
    return { ok: false, message: `is no JSONata: ${reasonOf(error)}` };
  }
});

/** What the library or the engine says is wrong. The library throws plain objects. */
export function reasonOf(error: unknown): string {
  const told = typeof error === "object" && error !== null && "message" in error;
  return preview(told ? String(error.message) : "it fails without a reason");
}
