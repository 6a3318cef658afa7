import { Cron } from "croner";
import type { Timing } from "../contract/schedule.ts";
import { memoize } from "../lib/lru-map.ts";

/** Occurrences that one look returns at most. */
const MOST = 100;

/** Returns the first time of a schedule after a time, both in epoch milliseconds, or null. */
export function nextOccurrence(timing: Timing, createdAt: number, after: number): number | null {
  if ("at" in timing) {
    const at = Date.parse(timing.at);
    return at > after ? at : null;
  }
  if ("everySeconds" in timing) {
    const interval = timing.everySeconds * 1_000;
    return createdAt + (Math.floor(Math.max(0, after - createdAt) / interval) + 1) * interval;
  }
  const times = compiled(JSON.stringify([timing.cron, timing.timeZone]))
    .map((cron) => cron.nextRun(new Date(after))?.getTime())
    .filter((time) => time !== undefined);
  return times.length === 0 ? null : Math.min(...times);
}

/** Returns the times of a schedule after one time, up to another, the newest ones if they are many. */
export function occurrencesBetween(
  timing: Timing,
  createdAt: number,
  { after, until }: { after: number; until: number },
): number[] {
  const found: number[] = [];
  let from = after;
  if ("everySeconds" in timing) from = Math.max(from, until - MOST * timing.everySeconds * 1_000);
  for (let at = nextOccurrence(timing, createdAt, from); at !== null && at <= until; ) {
    found.push(at);
    if (found.length > MOST) found.shift();
    at = nextOccurrence(timing, createdAt, at);
  }
  return found;
}

/** Returns why a cron expression cannot be used in a time zone, as a predicate, or null. */
export function cronFault(cron: string, timeZone: string): string | null {
  try {
    const [first] = compiled(JSON.stringify([cron, timeZone]));
    return first?.nextRun() == null ? "never runs" : null;
  } catch {
    return "must be five cron fields, such as `30 6 * * 1-5`";
  }
}

/**
 * Compiles a cron expression. If a day field begins with `*`, both day fields have to match, else either
 * one: that is Vixie cron's rule, where the library looks for a lone `*`. At a change of the clock the
 * library handles one minute of one hour as Vixie cron does, but not lists of them. So an expression with
 * fixed times becomes one for each time. One whose minute or hour begins with `*` runs by the clock as it
 * is, which is Vixie cron's rule for those.
 */
const compiled = memoize(500, (key): Cron[] => {
  const [cron = "", timeZone = "UTC"]: string[] = JSON.parse(key);
  const [minute = "*", hour = "*", ...rest] = cron.trim().split(/\s+/);
  const [dayOfMonth = "*", , dayOfWeek = "*"] = rest;
  const domAndDow = dayOfMonth.startsWith("*") || dayOfWeek.startsWith("*");
  const make = (pattern: string) =>
    new Cron(pattern, { timezone: timeZone, paused: true, mode: "5-part", domAndDow });
  const whole = make(cron);
  if (minute.startsWith("*") || hour.startsWith("*")) return [whole];
  const minutes = valuesOf(minute);
  const hours = valuesOf(hour);
  if (minutes === null || hours === null) return [whole];
  return hours.flatMap((h) => minutes.map((m) => make([m, h, ...rest].join(" "))));
});

const ITEM = /^(\d{1,2})(?:-(\d{1,2})(?:\/(\d{1,2}))?)?$/;

/** Returns the numbers of a field of lists and ranges, or null for another form. */
function valuesOf(field: string): number[] | null {
  const values = new Set<number>();
  for (const item of field.split(",")) {
    const [, first, last = first, step = "1"] = ITEM.exec(item) ?? [];
    if (first === undefined || Number(step) === 0) return null;
    for (let n = Number(first); n <= Number(last); n += Number(step)) values.add(n);
  }
  return [...values];
}
