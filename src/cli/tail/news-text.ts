import type { LogEntry, RequestStatus } from "../../contract/inbound/log.ts";
import type { Output, Style } from "../terminal.ts";
import { duration, localTime, oneLine } from "../text.ts";
import type { News } from "./tracker.ts";

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
