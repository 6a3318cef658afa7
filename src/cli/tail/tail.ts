import type { RequestStatus } from "../../contract/inbound/log.ts";
import type { Call } from "../command.ts";
import { EXIT, type Exit, exitOf } from "../exit.ts";
import type { Output } from "../terminal.ts";
import type { LiveLog } from "./live-log.ts";
import { newsText } from "./news-text.ts";
import type { News } from "./tracker.ts";

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
