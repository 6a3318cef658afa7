import { PrompthookError } from "../client/error.ts";
import { EXIT, type Exit, exitOf, UsageError } from "./exit.ts";
import { styled, type Terminal } from "./terminal.ts";
import { jsonLine, plain } from "./text.ts";

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
