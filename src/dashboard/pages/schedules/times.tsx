import * as z from "zod";
import type { ScheduleRecord, Timing } from "../../../contract/schedule.ts";
import { cronFault, nextOccurrence } from "../../../workflows/occurrences.ts";
import { Time } from "../../components/elements.tsx";
import type { Dashboard } from "../../context.ts";
import { formatDuration } from "../../format.ts";
import { moment } from "../../forms/form.ts";

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

const DAYS = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"];
const NAMES = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

type Times = Pick<ScheduleRecord, "cron" | "everySeconds" | "at" | "timeZone">;

/** Says when a schedule runs: `Mondays at 08:00, Europe/Berlin`; a rare cron expression as it is. */
export function timesInWords({ cron, everySeconds, at, timeZone }: Times): string {
  if (everySeconds !== undefined) return `Every ${formatDuration(everySeconds * 1_000)}`;
  if (cron === undefined) return `Once, at ${(at ?? "").slice(0, 16).replace("T", " ")} UTC`;
  return `${cronInWords(cron) ?? cron}, ${timeZone}`;
}

/** Puts the usual shapes of a cron expression in words; null for any other. */
function cronInWords(cron: string): string | null {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.trim().split(/\s+/);
  if (month !== "*") return null;
  const every = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (hour === "*" && day === "*" && weekday === "*") {
    if (every !== undefined) return `Every ${every} minutes`;
    return /^\d+$/.test(minute) ? `Every hour at :${minute.padStart(2, "0")}` : null;
  }
  if (!/^\d+$/.test(minute) || !/^\d+$/.test(hour)) return null;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (weekday === "*") {
    if (day === "*") return `Every day at ${time}`;
    return /^\d+$/.test(day) ? `Day ${day} of each month at ${time}` : null;
  }
  const days = day === "*" ? daysInWords(weekday.toLowerCase()) : null;
  return days && `${days} at ${time}`;
}

function daysInWords(field: string): string | null {
  if (/^(?:1-5|mon-fri)$/.test(field)) return "Weekdays";
  const days = field.split(",").map((one) => {
    const at = NAMES.indexOf(one);
    return DAYS[at >= 0 ? at : /^[0-7]$/.test(one) ? Number(one) % 7 : -1];
  });
  return days.every((one) => one !== undefined) ? days.join(", ") : null;
}
