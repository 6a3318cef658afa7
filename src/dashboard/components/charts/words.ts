import type { UsageBucket } from "../../../contract/usage.ts";
import type { Measure } from "./layout.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A unit of time, and up to which figure it is read with ease. */
export const UNITS = [
  { name: "ms", ms: 1, upTo: 2 * SECOND_MS },
  { name: "s", ms: SECOND_MS, upTo: 2 * MINUTE_MS },
  { name: "min", ms: MINUTE_MS, upTo: 2 * HOUR_MS },
  { name: "h", ms: HOUR_MS, upTo: Number.POSITIVE_INFINITY },
] as const;

const whole = new Intl.NumberFormat("en-GB");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const decimal = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 3 });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const hour = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });

/** The unit in which times up to this many milliseconds are told. */
export function unitFor(ms: number) {
  return UNITS.find(({ upTo }) => ms < upTo) ?? UNITS[3];
}

/** A figure as it is told in words and tables. */
export function told(value: number | null, measure: Measure): string {
  if (value === null) return "–";
  if (measure === "count") return whole.format(value);
  const { ms, name } = unitFor(value);
  return `${decimal.format(value / ms)} ${name}`;
}

/** A figure at an axis, where there is little room. */
export function shortly(value: number): string {
  return short.format(value);
}

/** A bucket at an axis. */
export function bucketMark(start: string, bucket: UsageBucket): string {
  return (bucket === "hour" ? hour : day).format(new Date(start));
}

/** A bucket in words, all of it in UTC. */
export function bucketName(start: string, bucket: UsageBucket): string {
  const at = new Date(start);
  return bucket === "hour" ? `${day.format(at)}, ${hour.format(at)} UTC` : day.format(at);
}
