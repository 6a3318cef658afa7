import type { ScheduleRecord } from "../contract/schedule.ts";
import { formatDuration } from "./format.ts";

const DAYS = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"];
const NAMES = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

export type Times = Pick<ScheduleRecord, "cron" | "everySeconds" | "at" | "timeZone">;

/** Says when a schedule repeats: `Mondays at 08:00, Europe/Berlin`; a rare cron expression as it is. */
export function timesInWords({ cron, everySeconds, timeZone }: Times): string {
  if (everySeconds !== undefined) return `Every ${formatDuration(everySeconds * 1_000)}`;
  return `${cronInWords(cron ?? "") ?? cron}, ${timeZone}`;
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
