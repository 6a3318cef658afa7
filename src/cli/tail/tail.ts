import type { LogEntry, RequestStatus } from "../../contract/webhooks/log.ts";
import type { Call } from "../command.ts";
import { EXIT, type Exit, exitOf } from "../errors.ts";
import type { Output, Style } from "../terminal.ts";
import { duration, localTime, oneLine } from "../text.ts";
import type { LiveLog, LogUpdate } from "./live-log.ts";

const POLL_MS = 1_000;

export interface TailOptions {
  /** How many recent entries to show first. */
  lines: number;
  /** Statuses to show; empty shows all. */
  statuses: readonly RequestStatus[];
  /** Whether to keep following. */
  follow: boolean;
}

type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Prints an endpoint's requests until Ctrl-C, and waits out an outage of the service. */
export async function tail(
  { output, signal }: Pick<Call, "output" | "signal">,
  log: LiveLog,
  { lines, statuses, follow }: TailOptions,
  sleep: Sleep,
): Promise<Exit> {
  const isShown = ({ entry }: LogUpdate) =>
    statuses.length === 0 || statuses.includes(entry.status);
  const show = (news: LogUpdate[]) => {
    for (const one of news.filter(isShown)) printUpdate(one, output);
  };
  try {
    show(await log.begin(lines, statuses, signal));
    return follow ? await followLog({ output, signal }, log, show, sleep) : EXIT.done;
  } catch (error) {
    // Ctrl-C ends it without a word.
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  }
}

/** Shows every change of a log that was begun, until it is interrupted. */
async function followLog(
  { output, signal }: Pick<Call, "output" | "signal">,
  log: LiveLog,
  show: (news: LogUpdate[]) => void,
  sleep: Sleep,
): Promise<never> {
  for (let wasUnavailable = false; ; ) {
    await sleep(POLL_MS, signal);
    try {
      show(await log.next(signal));
      if (wasUnavailable) output.note("The service responds again.");
      wasUnavailable = false;
    } catch (error) {
      if (signal.aborted || exitOf(error) !== EXIT.unavailable) throw error;
      if (!wasUnavailable) output.note("The service does not respond; retrying.");
      wasUnavailable = true;
    }
  }
}

function printUpdate(news: LogUpdate, output: Output): void {
  output.print(news.entry, () => updateText(news, output));
}

const LINE = 160;
const DIAGNOSIS = 400;
const WIDEST_STATUS = 10;

const STYLES: Record<RequestStatus, Style> = {
  rejected: "red",
  failed: "red",
  succeeded: "green",
  running: "cyan",
  queued: "yellow",
  duplicate: "yellow",
  unrouted: "yellow",
  superseded: "dim",
  logged: "green",
};

/**
 * Formats one line of the live log: time, status, request and details. A refused signature adds a line
 * with what would have matched.
 */
function updateText({ kind, entry }: LogUpdate, output: Output): string {
  const { receivedAt, requestId, status, httpStatus } = entry;
  const time = localTime(receivedAt);
  const shown = output.style(STYLES[status], status.padEnd(WIDEST_STATUS));
  const about = kind === "received" ? receivedText(entry) : settledText(entry);
  const line = `${output.style("dim", time)}  ${httpStatus}  ${shown}  ${requestId}  ${about}`;
  const diagnosis = kind === "received" ? diagnosisText(entry) : null;
  return diagnosis === null ? line.trimEnd() : `${line}\n  ${output.style("yellow", diagnosis)}`;
}

/** Returns the first diagnosis, unless the error already contains it. */
function diagnosisText({ diagnosis: [first], errors }: LogEntry): string | null {
  if (first === undefined || errors[0]?.message === first) return null;
  return oneLine(first, DIAGNOSIS);
}

function receivedText(entry: LogEntry): string {
  const { executionId, errors, replayOf } = entry;
  const run = executionId === null ? [] : [`→ ${executionId}`];
  const replay = replayOf === null ? [] : [`replay of ${replayOf}`];
  return [...replay, ...run, ...errorTexts(errors)].join("  ");
}

function settledText({ latencyMs: { toCompletion }, errors }: LogEntry): string {
  const time = toCompletion === null ? [] : [`after ${duration(toCompletion)}`];
  return [...time, ...errorTexts(errors)].join("  ");
}

function errorTexts(errors: LogEntry["errors"]): string[] {
  const [first, ...others] = errors;
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const { stage, path = "", message } = first;
  const parts = [stage, path, message].filter((part) => part !== "");
  return [`${oneLine(parts.join(": "), LINE)}${more}`];
}
