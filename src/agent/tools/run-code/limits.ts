import * as z from "zod";
import { binarySize } from "../../../lib/text.ts";
import type { RunError, RunErrorCode } from "../run-code.ts";
import { CODE_FILE } from "./prelude.ts";

const KIB = 1_024;
const MIB = KIB * KIB;

/**
 * Fuel of one program: loop iterations and function calls in the engine's machine code (see
 * scripts/quickjs/meter.ts). The clock cannot serve, as it stands still while a Worker computes; nor can
 * the engine's own interrupts, which count one indexOf in a long list like one addition. A unit was
 * measured at 1 to 5 ns, mostly 3, and at 10 for random memory access: an endless loop ends after 0.6 s,
 * anything after 2 s. One iteration of an empty loop takes about 10 units.
 */
export const FUEL = 200_000_000;

/** Fuel to explain an error after the program has ended. */
export const CLOSING_FUEL = 10_000_000;

/** Memory of the program's values. */
export const MEMORY_BYTES = 32 * MIB;

/** Memory including the room to explain that it is used up. */
export const CLOSING_MEMORY_BYTES = MEMORY_BYTES + 4 * MIB;

/** 48 MiB in pages of WebAssembly: the engine, the program's memory, its input and its output. */
export const WASM_PAGES = 768;

/** Stack of the engine, well below the host's own stack. */
export const STACK_BYTES = 192 * KIB;

/** The most bytes of `input` and `answers` as JSON. */
export const INPUT_BYTES = 8 * MIB;

/** The most stored bytes of a return value; with the console it fits one row. */
export const VALUE_BYTES = 448 * KIB;

/** The most stored bytes of the console's lines. */
export const CONSOLE_BYTES = 32 * KIB;

/** The deepest nesting; deeper data could exhaust the stack of the code that walks it. */
export const VALUE_DEPTH = 128;

/** A thrown value as the engine explains it. The program can forge it, so it is only displayed. */
export const explanation = z.object({ name: z.string(), message: z.string(), stack: z.string() });
export type Explanation = z.infer<typeof explanation>;

/** The engine's error when its memory is used up. */
export const OUT_OF_MEMORY: Explanation = {
  name: "InternalError",
  message: "out of memory",
  stack: "",
};

const MESSAGES = {
  time_limit:
    "The code ran too long and was stopped. Process less data or use fewer steps, and avoid endless loops.",
  memory_limit: `The code used more than ${binarySize(MEMORY_BYTES)} of memory. Process less data at a time.`,
  stack_limit: "The code nested or recursed too deeply. Use a loop instead.",
  engine_error: "The JavaScript engine failed on this code. Write it differently.",
} as const;

export function limitReached(code: keyof typeof MESSAGES): RunError {
  return { code, message: MESSAGES[code] };
}

/** The error of a program whose input and answers are too large together. */
export const INPUT_TOO_LARGE: RunError = {
  code: "memory_limit",
  message: `The input and the answers are larger than ${binarySize(INPUT_BYTES)} in total. Pass less.`,
};

export const OUTPUT_TOO_DEEP: RunError = {
  code: "not_json",
  message: `The returned value nests deeper than ${VALUE_DEPTH} levels. Return a flatter value.`,
};

export function outputTooLarge(bytes: number): RunError {
  const returned = `${Math.ceil(bytes / KIB).toLocaleString("en")} KiB`;
  const message = `The code returned ${returned}, more than the limit of ${binarySize(VALUE_BYTES)}. Return less.`;
  return { code: "output_too_large", message };
}

/** Returns the error of a program that threw; the engine's own limit errors are recognised. */
export function thrownError(
  { name, message, stack }: Explanation,
  otherwise: RunErrorCode,
): RunError {
  if (name === "InternalError" && MEMORY.test(message)) return limitReached("memory_limit");
  if (STACK.test(`${name}: ${message}`)) return limitReached("stack_limit");
  const what = name === "" ? `The code threw ${message}` : `${name}: ${message}`;
  return { code: otherwise, message: [what, ...framesOf(stack)].join("\n") };
}

const MEMORY = /^(?:out of memory|string too long$)/;
/** A regular expression that nests too deeply throws a SyntaxError. */
const STACK = /^(?:InternalError|SyntaxError): stack overflow$/;
const FRAMES = 5;
const FRAME = new RegExp(`^\\s*at (?:(.*) \\()?${CODE_FILE.replace(".", "\\.")}:(\\d+)`);

/** Returns the innermost stack frames in the user's code. */
function framesOf(stack: string): string[] {
  return stack
    .split("\n")
    .flatMap((line) => {
      const [, name, number] = FRAME.exec(line) ?? [];
      if (number === undefined) return [];
      return name === undefined ? `  at line ${number}` : `  at ${name}, line ${number}`;
    })
    .slice(0, FRAMES);
}

const SHOWN_LINES = 10;
const SHOWN_LINE_LENGTH = 200;

/** Adds the last console lines to an error: they show how far the program came. */
export function withConsole(error: RunError, lines: readonly string[]): RunError {
  if (lines.length === 0) return error;
  const shown = lines.slice(-SHOWN_LINES).map((line) => line.slice(0, SHOWN_LINE_LENGTH));
  return { ...error, message: [error.message, "Its console ended with:", ...shown].join("\n") };
}
