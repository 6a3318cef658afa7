import type { LogEntry, RequestStatus } from "../../contract/inbound/log.ts";
import type { Call } from "../command.ts";
import { EXIT, type Exit, exitOf } from "../errors.ts";
import type { Output, Style } from "../terminal.ts";
import { duration, localTime, oneLine } from "../text.ts";
import type { LiveLog, News } from "./live-log.ts";

const POLL_MS = 1_000;

export interface Tailing {
  /** How many of the last entries are shown first. */
  lines: number;
  /** Only these are shown; all, where there are none. */
  statuses: readonly RequestStatus[];
  /** Whether it goes on after them. */
  follow: boolean;
}

/** Shows what comes to an endpoint until Ctrl-C; an outage of the service is waited for. */
export async function tail(
  { output, signal }: Pick<Call, "output" | "signal">,
  log: LiveLog,
  { lines, statuses, follow }: Tailing,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
): Promise<Exit> {
  const show = (news: News[]) => {
    for (const one of news) if (isWanted(one, statuses)) tell(one, output);
  };
  try {
    show(await log.begin(lines, signal));
    if (!follow) return EXIT.done;
    for (let wasAway = false; ; ) {
      await sleep(POLL_MS, signal);
      try {
        show(await log.next(signal));
        if (wasAway) output.note("The service answers again.");
        wasAway = false;
      } catch (error) {
        if (signal.aborted || exitOf(error) !== EXIT.unavailable) throw error;
        if (!wasAway) output.note("The service does not answer; it is asked again.");
        wasAway = true;
      }
    }
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  }
}

function isWanted({ entry }: News, statuses: readonly RequestStatus[]): boolean {
  return statuses.length === 0 || statuses.includes(entry.status);
}

function tell(news: News, output: Output): void {
  output.say(news.entry, () => newsText(news, output));
}

const LINE = 160;
const DIAGNOSIS = 400;
const WIDEST_STATUS = 9;

const STYLES: Record<RequestStatus, Style> = {
  rejected: "red",
  failed: "red",
  succeeded: "green",
  running: "cyan",
  queued: "yellow",
  duplicate: "yellow",
};

/**
 * One line of a live log: when, how it stands, which request, and what there is to say of it. Below it
 * stands what would have matched in place of a signature that did not.
 */
export function newsText({ kind, entry }: News, output: Output): string {
  const { receivedAt, requestId, status, httpStatus } = entry;
  const time = localTime(receivedAt);
  const shown = output.style(STYLES[status], status.padEnd(WIDEST_STATUS));
  const about = kind === "came" ? cameText(entry) : settledText(entry);
  const line = `${output.style("dim", time)}  ${httpStatus}  ${shown}  ${requestId}  ${about}`;
  const diagnosis = kind === "came" ? diagnosisText(entry) : null;
  return diagnosis === null ? line.trimEnd() : `${line}\n  ${output.style("yellow", diagnosis)}`;
}

/** The first thing that was found out, unless the error says it already. */
function diagnosisText({ diagnosis: [first], errors }: LogEntry): string | null {
  if (first === undefined || errors[0]?.message === first) return null;
  return oneLine(first, DIAGNOSIS);
}

function cameText(entry: LogEntry): string {
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
