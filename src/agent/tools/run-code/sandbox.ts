import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import * as z from "zod";
import type { Json } from "../../../contract/json.ts";
import { isWithinDepth } from "../process-data/json.ts";
import type { RunError, RunErrorCode, RunResult, Sandbox } from "../run-code.ts";
import { fitText, storedBytes } from "../text.ts";
import { newMemory, type QuickJsEngine, startEngine } from "./engine.ts";
import {
  CLOSING_FUEL,
  CLOSING_MEMORY_BYTES,
  CONSOLE_BYTES,
  type Explanation,
  explanation,
  INPUT_BYTES,
  INPUT_TOO_LARGE,
  limitReached,
  OUT_OF_MEMORY,
  OUTPUT_TOO_DEEP,
  outputTooLarge,
  thrownError,
  VALUE_BYTES,
  VALUE_DEPTH,
  withConsole,
} from "./limits.ts";
import { CODE_FILE, PRELUDE } from "./prelude.ts";

/**
 * Creates a sandbox of metered QuickJS. Each program has an engine of its own and runs until `fuel` is
 * used up. The memory is wiped and reused: an isolate has 128 MB, and its garbage collector let 25
 * dropped memories grow to 440 MB.
 */
export function createSandbox(module: WebAssembly.Module, fuel: number): Sandbox {
  let spare: WebAssembly.Memory | null = null;
  return {
    async run({ code, input, answers }) {
      const given = JSON.stringify([input, answers]);
      if (new TextEncoder().encode(given).byteLength > INPUT_BYTES) {
        return { ok: false, error: INPUT_TOO_LARGE };
      }
      // A concurrent program needs a memory of its own.
      const memory = spare ?? newMemory();
      spare = null;
      const engine = await startEngine(module, memory);
      const console = new ConsoleBuffer();
      const text = guarded(engine, () => evaluate(engine, { code, given, fuel }, console));
      spare = memory;
      if (!text.ok) return { ok: false, error: withConsole(text.error, console.lines) };
      return contentOf(text.value, console);
    },
  };
}

/**
 * Turns an exception of the engine into the program's error: the trap when the fuel is used up, a full
 * host stack, an assertion. The engine is unusable afterwards.
 */
function guarded(engine: QuickJsEngine, run: () => ProgramOutput): ProgramOutput {
  try {
    return run();
  } catch (error) {
    if (engine.outOfFuel()) return { ok: false, error: limitReached("time_limit") };
    if (error instanceof RangeError) return { ok: false, error: limitReached("stack_limit") };
    return { ok: false, error: limitReached("engine_error") };
  }
}

function contentOf(text: string, { lines, cut }: ConsoleBuffer): RunResult {
  const value: Json = JSON.parse(text);
  if (!isWithinDepth(value, VALUE_DEPTH)) return { ok: false, error: OUTPUT_TOO_DEEP };
  const bytes = storedBytes(value);
  if (bytes > VALUE_BYTES) return { ok: false, error: outputTooLarge(bytes) };
  return { ok: true, content: { value, console: [...lines], cut } };
}

/** A program's return value as JSON text, or its error. */
type ProgramOutput = { ok: true; value: string } | { ok: false; error: RunError };

/** Jobs that run before the host checks whether the program has ended. */
const JOBS = 1_000;

/**
 * Runs a program and returns its value. `given` is the JSON of its input and answers. Throws if the
 * engine fails.
 */
function evaluate(
  engine: QuickJsEngine,
  { code, given, fuel }: { code: string; given: string; fuel: number },
  console: ConsoleBuffer,
): ProgramOutput {
  const { context } = engine;
  const own = prepare(context, console);
  const thrown = (error: QuickJSHandle, otherwise: RunErrorCode = "code_error"): ProgramOutput => ({
    ok: false,
    error: thrownError(explain(engine, own.explain, error), otherwise),
  });
  engine.refuel(fuel);
  // On the line of the code's first line, so that line numbers stay the same.
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
  // Checked before it is copied to the host: it can be as long as the memory.
  const length = context.getNumber(context.getProp(text.value, "length"));
  if (length > VALUE_BYTES) return { ok: false, error: outputTooLarge(length) };
  return { ok: true, value: context.getString(text.value) };
}

const NEVER_SETTLES: RunError = {
  code: "code_error",
  message: "The code waits for a promise that never settles. There are no timers and no network.",
};

function call(context: QuickJSContext, fn: QuickJSHandle, ...args: QuickJSHandle[]) {
  return context.callFunction(fn, context.undefined, ...args);
}

const line = z.string();

/** Returns the prelude's functions inside the engine. */
function prepare(context: QuickJSContext, console: ConsoleBuffer) {
  const emit = context.newFunction("emit", (text) => {
    const more = console.write(line.parse(JSON.parse(context.getString(text))));
    return more ? context.true : context.false;
  });
  const make = context.unwrapResult(context.evalCode(PRELUDE, "prelude.js"));
  const functions = context.unwrapResult(
    call(context, make, emit, context.newNumber(CONSOLE_BYTES)),
  );
  return {
    parse: context.getProp(functions, "parse"),
    text: context.getProp(functions, "text"),
    explain: context.getProp(functions, "explain"),
  };
}

/** Runs pending jobs until the program has ended or no job is left. */
function settle({ context, runtime }: QuickJsEngine, promise: QuickJSHandle) {
  for (;;) {
    const state = context.getPromiseState(promise);
    if (state.type !== "pending" || !runtime.hasPendingJob()) return state;
    const ran = runtime.executePendingJobs(JOBS);
    // A program's own errors are rejections; this error is a limit of the engine.
    if (ran.error) return { type: "rejected", error: ran.error } as const;
  }
}

const INEXPLICABLE: Explanation = { name: "", message: "a value that cannot be shown", stack: "" };

/** Explains a thrown value, with additional fuel and memory in case the program used all of its own. */
function explain(engine: QuickJsEngine, how: QuickJSHandle, thrown: QuickJSHandle): Explanation {
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

/** Collects the console lines of a program up to a limit. */
class ConsoleBuffer {
  readonly lines: string[] = [];
  cut = false;
  #left = CONSOLE_BYTES;

  /** Adds a line. Returns whether there is room for more. */
  write(line: string): boolean {
    if (this.cut) return false;
    const { kept, cut } = fitText(line, this.#left - 1);
    this.cut = cut;
    this.#left -= storedBytes(kept) + 1;
    if (!cut || kept !== "") this.lines.push(kept);
    return !cut;
  }
}
