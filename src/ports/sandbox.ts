import type { Json } from "../contract/json.ts";
import type { CodeContent } from "../contract/tools/run-code.ts";

/** The body of an async function with its arguments. */
interface Program {
  code: string;
  input: Json;
  answers: readonly Json[];
}

/** Why a program failed. */
export type RunErrorCode =
  /** It threw, or it is not valid JavaScript. */
  | "code_error"
  | "time_limit"
  | "memory_limit"
  | "stack_limit"
  | "output_too_large"
  /** Its return value cannot be serialized as JSON. */
  | "not_json"
  /** The engine failed. */
  | "engine_error";

export interface RunError {
  code: RunErrorCode;
  message: string;
}

export type RunOutcome = { ok: true; content: CodeContent } | { ok: false; error: RunError };

/** Runs untrusted JavaScript without network, files or host objects. */
export interface Sandbox {
  /** Runs a program within the limits and leaves no state for the next one. */
  run(program: Program): Promise<RunOutcome>;
}
