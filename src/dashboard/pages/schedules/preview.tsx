import * as z from "zod";
import type { Timing } from "../../../contract/schedule.ts";
import { cronFault, nextOccurrence } from "../../../workflows/occurrences.ts";
import { Time } from "../../components/elements.tsx";
import type { Dashboard } from "../../context.ts";
import { moment } from "../../forms/form.ts";
import { timesInWords } from "./words.ts";

/** The times of a schedule as a form sends them; `timeZone` is empty for UTC. */
const typedTimes = z
  .object({ timeZone: z.string().transform((zone) => zone.trim() || "UTC") })
  .and(
    z.union([
      z.object({ cron: z.string().trim().min(1) }),
      z.object({ everySeconds: z.coerce.number().int().min(10) }),
      z.object({ at: moment }),
    ]),
  );

/** The times that are shown. */
const SHOWN = 5;

/** Serves the times of a schedule that is being typed, in words and as the next five. */
export function servePreview(app: Dashboard): void {
  app.get("/schedules/preview", (http) => {
    const typed = typedTimes.safeParse(http.req.query());
    if (!typed.success || hasFault(typed.data)) return http.html("");
    const times = nextTimes(typed.data, Date.now());
    return http.html(
      <>
        <strong>{timesInWords(typed.data)}</strong> <NextTimes times={times} />
      </>,
    );
  });
}

const hasFault = (timing: Timing): boolean =>
  "cron" in timing && cronFault(timing.cron, timing.timeZone) !== null;

function nextTimes(timing: Timing, now: number): string[] {
  const times: string[] = [];
  for (let at = nextOccurrence(timing, now, now); at !== null && times.length < SHOWN; ) {
    times.push(new Date(at).toISOString());
    at = nextOccurrence(timing, now, at);
  }
  return times;
}

/** Times one below the other, in full. */
export function NextTimes({ times }: { times: readonly string[] }) {
  return (
    <>
      {times.map((at) => (
        <div>
          <Time at={at} isExact />
        </div>
      ))}
    </>
  );
}
