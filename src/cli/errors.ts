import { ConnectionError, PrompthookError, UnexpectedAnswerError } from "../client/error.ts";
import type { ExecutionStatus } from "../contract/execution.ts";
import { styled, type Terminal } from "./terminal.ts";
import { jsonLine, plain } from "./text.ts";

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

/** Tells on stderr what went wrong: for a script as one line of JSON; answers the exit code. */
export function tellFailure(error: unknown, terminal: Terminal, isJson: boolean): Exit {
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
        ? "prompthook --help tells what there is."
        : `prompthook ${error.command} --help tells what it takes.`,
    );
  }
  if (error instanceof PrompthookError) {
    const { status, code, errors, requestId, retryAfterSeconds } = error;
    // The first one is in the message already.
    for (const { path, message } of errors.slice(1)) {
      lines.push(`  ${plain(path === "" ? message : `${path}: ${message}`)}`);
    }
    if (code === "not_found") lines.push("  Nothing of this account has that id.");
    if (retryAfterSeconds !== null) lines.push(`  Try again in ${retryAfterSeconds} s.`);
    lines.push(styled(terminal.stderr, "dim", `  ${status} ${code}, request ${requestId}`));
  }
  return lines.join("\n");
}
