import type { Prompthook } from "../client/prompthook.ts";
import type { LogEntry, RequestStatus } from "../contract/webhooks/log.ts";
import type { Call } from "./command.ts";
import { EXIT, type Exit, exitOf } from "./errors.ts";
import type { Output, Style } from "./terminal.ts";
import { localTime, oneLine } from "./text.ts";

const POLL_MS = 1_000;
/** How far back the log is read again, because entries can arrive slightly out of order. */
const OVERLAP_MS = 5_000;

type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;
type Webhooks = Pick<Prompthook["webhooks"], "allRequests">;

/** Follows an endpoint's request log by polling. */
class LiveLog {
  readonly #webhooks: Webhooks;
  readonly #endpointId: string;
  readonly #signal: AbortSignal;
  /** When each of the newest requests was received, in epoch milliseconds. */
  readonly #seen = new Map<string, number>();
  /** When the newest request was received; null while none is known. */
  #newest: number | null = null;

  constructor(webhooks: Webhooks, endpointId: string, signal: AbortSignal) {
    this.#webhooks = webhooks;
    this.#endpointId = endpointId;
    this.#signal = signal;
  }

  /** Returns the newest `lines` entries, oldest first. */
  async begin(lines: number): Promise<LogEntry[]> {
    const found = await this.#unseen(lines);
    return lines === 0 ? [] : found.slice(-lines);
  }

  /** Returns the entries that arrived since the last call, oldest first. */
  next(): Promise<LogEntry[]> {
    return this.#unseen(Number.POSITIVE_INFINITY);
  }

  /** Reads at least `most` new entries, or all. A log that has none yet is read from its beginning. */
  async #unseen(most: number): Promise<LogEntry[]> {
    const after = new Date(this.#from - 1).toISOString();
    const query = this.#newest === null ? {} : { receivedAfter: after };
    const options = { signal: this.#signal };
    const news: LogEntry[] = [];
    for await (const entry of this.#webhooks.allRequests(this.#endpointId, query, options)) {
      const receivedAt = Date.parse(entry.receivedAt);
      if (news.length >= most && receivedAt < this.#from) break;
      if (!this.#seen.has(entry.requestId)) news.push(entry);
      this.#seen.set(entry.requestId, receivedAt);
      this.#newest = Math.max(this.#newest ?? receivedAt, receivedAt);
    }
    for (const [id, receivedAt] of this.#seen) if (receivedAt < this.#from) this.#seen.delete(id);
    return news.reverse();
  }

  /** Where the log is read again from, in epoch milliseconds. */
  get #from(): number {
    return (this.#newest ?? 0) - OVERLAP_MS;
  }
}

interface TailOptions {
  endpointId: string;
  /** How many recent entries to show first. */
  lines: number;
  /** Whether to keep following. */
  follow: boolean;
}

/** Prints an endpoint's requests until Ctrl-C, and waits out an outage of the service. */
export async function tail(
  { output, signal }: Pick<Call, "output" | "signal">,
  webhooks: Webhooks,
  { endpointId, lines, follow }: TailOptions,
  sleep: Sleep,
): Promise<Exit> {
  const log = new LiveLog(webhooks, endpointId, signal);
  const show = (news: LogEntry[]) => {
    for (const entry of news) output.print(entry, () => entryText(entry, output));
  };
  try {
    show(await log.begin(lines));
    for (let wasUnavailable = false; follow; ) {
      await sleep(POLL_MS, signal);
      try {
        show(await log.next());
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
  const diagnosis = diagnosisText(entry);
  return diagnosis === null ? line : `${line}\n  ${output.style("yellow", diagnosis)}`;
}

/** Returns the first diagnosis, unless the error already contains it. */
function diagnosisText({ diagnosis: [first], errors }: LogEntry): string | null {
  if (first === undefined || errors[0]?.message === first) return null;
  return oneLine(first, DIAGNOSIS);
}

function detailsOf({ executionId, errors, replayOf }: LogEntry): string {
  const run = executionId === null ? [] : [`→ ${executionId}`];
  const replay = replayOf === null ? [] : [`replay of ${replayOf}`];
  return [...replay, ...run, ...errorTexts(errors)].join("  ");
}

function errorTexts(errors: LogEntry["errors"]): string[] {
  const [first, ...others] = errors;
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const { stage, path = "", message } = first;
  const parts = [stage, path, message].filter((part) => part !== "");
  return [`${oneLine(parts.join(": "), LINE)}${more}`];
}
