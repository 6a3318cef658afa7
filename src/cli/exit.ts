import { ConnectionError, PrompthookError, UnexpectedAnswerError } from "../client/error.ts";
import type { ExecutionStatus } from "../contract/execution.ts";

/** What the program's exit code says. */
export const EXIT = {
  done: 0,
  /** The run ended, and not as it should. */
  runFailed: 1,
  /** The command line or the settings are wrong; nothing was done. */
  usage: 2,
  /** The service refused, and would again. */
  refused: 3,
  /** The service could not be reached or could not take it; later it may. */
  unavailable: 4,
  /** A fault of this program. */
  fault: 70,
  /** Ctrl-C, as shells have it. */
  interrupted: 130,
} as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** The command line asks for something that there is not, or leaves out what is needed. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The command whose help says more; "" for the program's own. */
  command = "";
}

/** What an error makes of the exit code. */
export function exitOf(error: unknown): Exit {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof ConnectionError) return EXIT.unavailable;
  if (error instanceof PrompthookError || error instanceof UnexpectedAnswerError) {
    return error.status === 429 || error.status >= 500 ? EXIT.unavailable : EXIT.refused;
  }
  return EXIT.fault;
}

/** What the end of a run makes of it. */
export function exitAfter(status: ExecutionStatus): Exit {
  return status === "completed" ? EXIT.done : EXIT.runFailed;
}
