import { ConnectionError, PrompthookError, UnexpectedResponseError } from "../client/error.ts";
import { violationLine } from "../contract/problem.ts";
import { jsonLine, plain, styled, type Terminal } from "./terminal.ts";

/** Exit codes of the program. */
export const EXIT = {
  done: 0,
  /** The execution failed or was stopped. */
  executionFailed: 1,
  /** The command line or the settings are invalid; nothing happened. */
  usage: 2,
  /** The service refused the request; repeating it will not help. */
  refused: 3,
  /** The service is unreachable or overloaded; try again later. */
  unavailable: 4,
  /** A bug in this program. */
  fault: 70,
  /** Ctrl-C, by shell convention. */
  interrupted: 130,
} as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** An invalid command line or setting. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The command whose help explains more; `""` for the program's overview. */
  command = "";
}

/** Returns the exit code for an error. */
export function exitOf(error: unknown): Exit {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof ConnectionError) return EXIT.unavailable;
  if (error instanceof PrompthookError || error instanceof UnexpectedResponseError) {
    return error.status === 429 || error.status >= 500 ? EXIT.unavailable : EXIT.refused;
  }
  return EXIT.fault;
}

/** Prints an error to stderr, as one line of JSON for scripts, and returns the exit code. */
export function reportError(error: unknown, terminal: Terminal, isJson: boolean): Exit {
  const exit = exitOf(error);
  const text = isJson ? jsonLine({ error: detailsOf(error) }) : wordsOf(error, terminal);
  terminal.stderr.write(`${text}\n`);
  return exit;
}

function detailsOf(error: unknown): object {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof PrompthookError)) return { message };
  const { status, code, errors, requestId, retryAfterSeconds } = error;
  return { message, status, code, errors, requestId, retryAfterSeconds };
}

function wordsOf(error: unknown, terminal: Terminal): string {
  const head = styled(terminal.stderr, "red", "error:");
  if (!(error instanceof Error)) return `${head} ${plain(String(error))}`;
  if (exitOf(error) === EXIT.fault) return `${head} ${plain(error.stack ?? error.message)}`;
  const lines = [`${head} ${plain(error.message)}`];
  if (error instanceof UsageError) {
    lines.push(
      error.command === ""
        ? "Run prompthook --help for the list of commands."
        : `Run prompthook ${error.command} --help for its usage.`,
    );
  }
  if (error instanceof PrompthookError) {
    const { status, code, errors, requestId, retryAfterSeconds } = error;
    // The message already contains the first one.
    for (const violation of errors.slice(1)) lines.push(`  ${plain(violationLine(violation))}`);
    if (code === "not_found") lines.push("  This account has nothing with that id.");
    if (retryAfterSeconds !== null) lines.push(`  Try again in ${retryAfterSeconds} s.`);
    lines.push(styled(terminal.stderr, "dim", `  ${status} ${code}, request ${requestId}`));
  }
  return lines.join("\n");
}
