import { Temporal } from "temporal-polyfill";
import type { Transform } from "../../../contract/inbound/mapping.ts";
import { memoize } from "../../../lib/lru-map.ts";
import { readMoment } from "./moment.ts";
import { made, type Outcome, refused, type TransformOf } from "./outcome.ts";

type TimestampSetting = Extract<Transform, { type: "timestamp" }>;

const isTimeZone = memoize(200, (timeZone) => {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
});

/**
 * A moment from one form into another. With a `timeZone`, times without an offset and dates are of that
 * zone (else of UTC), and times and dates are written in it: `iso` is `2026-01-31T09:30:00.000Z`, or
 * `...+01:00` with a zone. `epoch_seconds` are whole ones, rounded down.
 */
export const timestamp: TransformOf<"timestamp"> = (value, setting) => {
  const fault = timestampFault(setting);
  if (fault !== null) return refused(fault);
  const { from, to, timeZone } = setting;
  const read = readMoment(value, from, timeZone ?? "UTC");
  return read.ok ? written(read.moment, to, timeZone) : refused(read.message);
};

/** What is wrong with a setting, as a sentence without its subject; null for nothing. */
export function timestampFault({ timeZone }: TimestampSetting): string | null {
  return timeZone === undefined || isTimeZone(timeZone)
    ? null
    : `names the time zone ${JSON.stringify(timeZone)}, which is not known`;
}

function written(ms: number, to: TimestampSetting["to"], timeZone: string | undefined): Outcome {
  if (to === "epoch_ms") return made(ms);
  if (to === "epoch_seconds") return made(Math.floor(ms / 1_000));
  if (to === "iso" && timeZone === undefined) return made(new Date(ms).toISOString());
  const moment = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone ?? "UTC");
  if (moment.year < 0 || moment.year > 9_999) return refused("is not within the years 0 to 9999");
  if (to === "date") return made(moment.toPlainDate().toString());
  return made(moment.toString({ timeZoneName: "never", fractionalSecondDigits: 3 }));
}
