import type { Prompthook } from "../client/prompthook.ts";
import { RUNTIME } from "../client/transport.ts";
import type { LogEntry, RequestStatus } from "../contract/webhooks/log.ts";
import type { Call, Command } from "./command.ts";
import { NAMED } from "./commands/endpoints.ts";
import { EXIT, type Exit, exitOf } from "./errors.ts";
import { endpointIdOf } from "./lookup.ts";
import { localTime, type Output, oneLine, type Style } from "./terminal.ts";

const POLL_MS = 1_000;
/** How far back the log is read again, because entries can arrive slightly out of order. */
const OVERLAP_MS = 5_000;

type Webhooks = Pick<Prompthook["webhooks"], "allRequests">;

/** Returns a function that returns the entries since its last call, oldest first: at least `most`, or all. */
function liveLog(webhooks: Webhooks, endpointId: string, signal: AbortSignal) {
  /** When each of the newest requests was received, in epoch milliseconds. */
  const seen = new Map<string, number>();
  /** When the newest request was received; null while none is known. */
  let newest: number | null = null;
  /** Where the log is read again from, in epoch milliseconds. */
  const from = () => (newest ?? 0) - OVERLAP_MS;
  return async (most = Number.POSITIVE_INFINITY): Promise<LogEntry[]> => {
    // A log that has none yet is read from its beginning.
    const query = newest === null ? {} : { receivedAfter: new Date(from() - 1).toISOString() };
    const news: LogEntry[] = [];
    for await (const entry of webhooks.allRequests(endpointId, query, { signal })) {
      const receivedAt = Date.parse(entry.receivedAt);
      if (news.length >= most && receivedAt < from()) break;
      if (!seen.has(entry.requestId)) news.push(entry);
      seen.set(entry.requestId, receivedAt);
      newest = Math.max(newest ?? receivedAt, receivedAt);
    }
    for (const [id, receivedAt] of seen) if (receivedAt < from()) seen.delete(id);
    return news.reverse();
  };
}

/**
 * Prints an endpoint's requests, the last `lines` first and with `follow` all others until Ctrl-C, and waits
 * out an outage of the service.
 */
export async function tail(
  { output, signal }: Pick<Call, "output" | "signal">,
  webhooks: Webhooks,
  { endpointId, lines, follow }: { endpointId: string; lines: number; follow: boolean },
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
): Promise<Exit> {
  const unseen = liveLog(webhooks, endpointId, signal);
  const show = (news: LogEntry[]) => {
    for (const entry of news) output.print(entry, () => entryText(entry, output));
  };
  try {
    const recent = await unseen(lines);
    show(lines === 0 ? [] : recent.slice(-lines));
    for (let wasUnavailable = false; follow; ) {
      await sleep(POLL_MS, signal);
      try {
        show(await unseen());
        if (wasUnavailable) output.note("The service responds again.");
        wasUnavailable = false;
      } catch (error) {
        if (signal.aborted || exitOf(error) !== EXIT.unavailable) throw error;
        if (!wasUnavailable) output.note("The service does not respond; retrying.");
        wasUnavailable = true;
      }
    }
    return EXIT.done;
  } catch (error) {
    // Ctrl-C ends it without a word.
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  }
}

export const tailCommand: Command = {
  name: "tail",
  summary: "Show an endpoint's requests as they arrive",
  args: ["endpoint"],
  options: {
    lines: { short: "n", value: "N", help: "recent requests to show first (default: 10)" },
    "no-follow": { help: "exit after the recent requests" },
  },
  notes: NAMED,
  async run({ client, output, values, args: [name = ""], signal }) {
    const endpointId = await endpointIdOf(client, name, signal);
    const lines = values.wholeNumber("lines") ?? 10;
    const options = { endpointId, lines, follow: !values.flag("no-follow") };
    return tail({ output, signal }, client.webhooks, options, RUNTIME.sleep);
  },
};

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
 * Formats one line of the log: time, status, request and details. A refused signature adds a line with
 * what would have matched.
 */
function entryText(entry: LogEntry, output: Output): string {
  const { receivedAt, requestId, status, httpStatus } = entry;
  const time = output.style("dim", localTime(receivedAt));
  const shown = output.style(STYLES[status], status.padEnd(WIDEST_STATUS));
  const line = `${time}  ${httpStatus}  ${shown}  ${requestId}  ${detailsOf(entry)}`.trimEnd();
  const [diagnosis] = entry.diagnosis;
  // The error may contain it already.
  if (diagnosis === undefined || entry.errors[0]?.message === diagnosis) return line;
  return `${line}\n  ${output.style("yellow", oneLine(diagnosis, DIAGNOSIS))}`;
}

function detailsOf({ executionId, errors: [first, ...others], replayOf }: LogEntry): string {
  const run = executionId === null ? "" : `→ ${executionId}`;
  const replay = replayOf === null ? "" : `replay of ${replayOf}`;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const parts = [first?.stage, first?.path, first?.message].filter(Boolean);
  return [replay, run, `${oneLine(parts.join(": "), LINE)}${more}`].filter(Boolean).join("  ");
}
