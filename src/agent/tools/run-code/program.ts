import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import * as z from "zod";
import type { RunError, RunErrorCode } from "../../ports/sandbox.ts";
import type { ConsoleLines } from "./console.ts";
import type { Engine } from "./engine.ts";
import {
  type Explanation,
  explanation,
  OUT_OF_MEMORY,
  returnedTooMuch,
  thrownError,
} from "./failure.ts";
import { CLOSING_FUEL, CLOSING_MEMORY_BYTES, CONSOLE_BYTES, VALUE_BYTES } from "./limits.ts";
import { CODE_FILE, PRELUDE } from "./prelude.ts";

/** What a program returned, as JSON text. */
export type Text = { ok: true; value: string } | { ok: false; error: RunError };

/** Jobs that run before the host looks whether the program has ended. */
const JOBS = 1_000;

/**
 * Runs a program to its end and answers what it returned. `given` is the JSON of its input and its
 * answers. Throws when the engine breaks down.
 */
export function evaluate(
  engine: Engine,
  { code, given, fuel }: { code: string; given: string; fuel: number },
  console: ConsoleLines,
): Text {
  const { context } = engine;
  const own = prepare(context, console);
  const thrown = (error: QuickJSHandle, otherwise: RunErrorCode = "code_error"): Text => ({
    ok: false,
    error: thrownError(explain(engine, own.explain, error), otherwise),
  });
  engine.refuel(fuel);
  // On one line with the code's first, so that lines keep their numbers.
  const compiled = context.evalCode(`(async function code(input, answers) {${code}\n})`, CODE_FILE);
  if (compiled.error) return thrown(compiled.error);
  const parsed = call(context, own.parse, context.newString(given));
  if (parsed.error) return thrown(parsed.error);
  const [input, answers] = [context.getProp(parsed.value, 0), context.getProp(parsed.value, 1)];
  const started = call(context, compiled.value, input, answers);
  if (started.error) return thrown(started.error);
  const state = settle(engine, started.value);
  if (state.type === "pending") return { ok: false, error: NEVER_SETTLES };
  if (state.type === "rejected") return thrown(state.error);
  const text = call(context, own.text, state.value);
  if (text.error) return thrown(text.error, "not_json");
  // Looked at before it is copied to the host: it can be as long as the memory.
  const length = context.getNumber(context.getProp(text.value, "length"));
  if (length > VALUE_BYTES) return { ok: false, error: returnedTooMuch(length) };
  return { ok: true, value: context.getString(text.value) };
}

const NEVER_SETTLES: RunError = {
  code: "code_error",
  message: "The code awaits something that never comes: there are no timers and no network here.",
};

function call(context: QuickJSContext, fn: QuickJSHandle, ...args: QuickJSHandle[]) {
  return context.callFunction(fn, context.undefined, ...args);
}

/** Our own functions inside the engine. */
interface Prelude {
  parse: QuickJSHandle;
  text: QuickJSHandle;
  explain: QuickJSHandle;
}

const line = z.string();

function prepare(context: QuickJSContext, console: ConsoleLines): Prelude {
  const emit = context.newFunction("emit", (text) => {
    const more = console.write(line.parse(JSON.parse(context.getString(text))));
    return more ? context.true : context.false;
  });
  const make = context.unwrapResult(context.evalCode(PRELUDE, "prelude.js"));
  const made = context.unwrapResult(call(context, make, emit, context.newNumber(CONSOLE_BYTES)));
  return {
    parse: context.getProp(made, "parse"),
    text: context.getProp(made, "text"),
    explain: context.getProp(made, "explain"),
  };
}

/** Runs what the program waits for until it has ended or nothing is left that could end it. */
function settle({ context, runtime }: Engine, promise: QuickJSHandle) {
  for (;;) {
    const state = context.getPromiseState(promise);
    if (state.type !== "pending" || !runtime.hasPendingJob()) return state;
    const ran = runtime.executePendingJobs(JOBS);
    // What a program throws becomes a rejection; this is a limit of the engine.
    if (ran.error) return { type: "rejected", error: ran.error } as const;
  }
}

const INEXPLICABLE: Explanation = { name: "", message: "a value that cannot be shown", stack: "" };

/** What was thrown, in words. The program may have used up all it had, so there is a little more. */
function explain(engine: Engine, how: QuickJSHandle, thrown: QuickJSHandle): Explanation {
  const { context, runtime } = engine;
  engine.refuel(CLOSING_FUEL);
  runtime.setMemoryLimit(CLOSING_MEMORY_BYTES);
  const explained = call(context, how, thrown);
  if (explained.error) return INEXPLICABLE;
  const parsed = explanation.safeParse(JSON.parse(context.getString(explained.value)));
  if (!parsed.success) return INEXPLICABLE;
  // Without memory for an error the engine throws null.
  const isNull = parsed.data.name === "" && parsed.data.message === "null";
  return isNull && engine.memoryWasFull() ? OUT_OF_MEMORY : parsed.data;
}
