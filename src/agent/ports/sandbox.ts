import type { Json } from "../../contract/json.ts";
import type { CodeContent } from "../../contract/tools/run-code.ts";

/** The body of an async function, and what it sees. */
export interface Program {
  code: string;
  input: Json;
  answers: readonly Json[];
}

/** Why a program came to nothing; the code says what to change. */
export type RunErrorCode =
  /** It threw, or it is no JavaScript. */
  | "code_error"
  | "time_limit"
  | "memory_limit"
  | "stack_limit"
  | "output_too_large"
  /** What it returned cannot be written as JSON. */
  | "not_json"
  /** The engine itself broke down. */
  | "engine_error";

export interface RunError {
  code: RunErrorCode;
  message: string;
}

export type RunOutcome = { ok: true; content: CodeContent } | { ok: false; error: RunError };

/** Runs a stranger's JavaScript without any way out: no network, no files, no host objects. */
export interface Sandbox {
  /** Whatever the program does ends within the limits; nothing of it is left for the next one. */
  run(program: Program): Promise<RunOutcome>;
}
