import * as z from "zod";
import type { RunError, RunErrorCode } from "../../ports/sandbox.ts";
import { INPUT_BYTES, MEMORY_BYTES, VALUE_BYTES, VALUE_DEPTH } from "./limits.ts";
import { CODE_FILE } from "./prelude.ts";

/** What was thrown, as the engine explains it. Its program may have made it up: it is only shown. */
export const explanation = z.object({ name: z.string(), message: z.string(), stack: z.string() });
export type Explanation = z.infer<typeof explanation>;

/** What the engine throws when its memory is used up. */
export const OUT_OF_MEMORY: Explanation = {
  name: "InternalError",
  message: "out of memory",
  stack: "",
};

const MESSAGES = {
  time_limit:
    "The code computed for too long and was ended. Work on less data, or in fewer steps; it must not loop without end.",
  memory_limit: `The code used more than ${size(MEMORY_BYTES)} of memory. Work on less data at a time.`,
  stack_limit: "The code nested or recursed too deeply. Use a loop instead.",
  engine_error: "The JavaScript engine broke down over this code. Write it in another way.",
} as const;

export function limitReached(code: keyof typeof MESSAGES): RunError {
  return { code, message: MESSAGES[code] };
}

export function inputTooLarge(): RunError {
  const message = `The input and the answers together are over ${size(INPUT_BYTES)}. Give less.`;
  return { code: "memory_limit", message };
}

export function outputTooLarge(bytes: number): RunError {
  const message = `The code returned ${size(bytes)}, and at most ${size(VALUE_BYTES)} are kept. Return less.`;
  return { code: "output_too_large", message };
}

export function outputTooDeep(): RunError {
  const message = `What the code returned nests deeper than ${VALUE_DEPTH} levels. Return it flatter.`;
  return { code: "not_json", message };
}

function size(bytes: number): string {
  const kib = Math.ceil(bytes / 1_024);
  return kib < 1_024 ? `${kib} KiB` : `${Math.ceil(kib / 1_024)} MiB`;
}

/** The error of a program that threw, told apart by what the engine itself throws at its limits. */
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
/** Of a pattern that nests too deeply it is a SyntaxError. */
const STACK = /^(?:InternalError|SyntaxError): stack overflow$/;
const FRAMES = 5;
const FRAME = new RegExp(`^\\s*at (?:(.*) \\()?${CODE_FILE.replace(".", "\\.")}:(\\d+)`);

/** The innermost places in the user's code. */
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

/** An error with the last lines that the program wrote before it: they tell how far it came. */
export function withConsole(error: RunError, lines: readonly string[]): RunError {
  if (lines.length === 0) return error;
  const shown = lines.slice(-SHOWN_LINES).map((line) => line.slice(0, SHOWN_LINE_LENGTH));
  return { ...error, message: [error.message, "Its console ended with:", ...shown].join("\n") };
}
