import type { UsageBucket } from "../contract/usage.ts";
import { durationText } from "../lib/text.ts";

const whole = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const hour = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });

/** Returns the sum of counts by their names. */
export function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** Formats a number of things: `12,000`; `–` for none. */
export function formatNumber(value: number | null): string {
  return value === null ? "–" : whole.format(value);
}

/** Formats a price: `$0.0042`, `$3.42`; with `isAligned`, as a column has them: `$3.4200`. */
export function formatUsd(value: number, isAligned = false): string {
  const most = isAligned || value < 1 ? 4 : 2;
  const least = isAligned ? most : 2;
  return `$${value.toLocaleString("en", { minimumFractionDigits: least, maximumFractionDigits: most })}`;
}

/** Formats a number where there is little room: `12K`. */
export const formatCompact = (value: number): string => compact.format(value);

const SIZES = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** Formats a number of bytes: `512 bytes`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), SIZES.length - 1);
  return `${compact.format(bytes / 1_024 ** power)} ${SIZES[power]}`;
}

/** Formats a number of things with their name: `1 step`, `2 steps`. */
export function formatCount(count: number, one: string): string {
  return `${whole.format(count)} ${one}${count === 1 ? "" : "s"}`;
}

/** Formats a duration; `–` for none. */
export const formatDuration = (ms: number | null) => (ms === null ? "–" : durationText(ms));

/** Formats a moment by its distance from the start: `+0.42 s`, `+4 min 10 s`. */
export function formatOffset(ms: number): string {
  return ms < 10_000 ? `+${(Math.max(ms, 0) / 1_000).toFixed(2)} s` : `+${formatDuration(ms)}`;
}

/** Formats the start of a bucket for an axis. */
export function formatTick(start: string, bucket: UsageBucket): string {
  return (bucket === "hour" ? hour : day).format(new Date(start));
}

/** Formats the start of a bucket in full, in UTC. */
export function formatBucket(start: string, bucket: UsageBucket): string {
  const at = new Date(start);
  return bucket === "hour" ? `${day.format(at)}, ${hour.format(at)} UTC` : day.format(at);
}

/** Returns the start of a text as one line of at most `most` characters. */
export function headline(text: string, most = 70): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, " ")
    .trim();
  const points = [...line];
  if (points.length <= most) return line;
  const start = points.slice(0, most - 1).join("");
  return `${start.trimEnd()}…`;
}

/** A table or a list in Markdown, with the colon and the empty lines that lead to it. */
const TABLE = /:?\s*(?:^[ \t]*(?:\||- ).*(?:\n|$))+/gm;

/** Returns the start of a result's summary as one line, without the tables and lists between its sentences. */
export function summaryLine(text: string, most: number): string {
  const sentences = text
    .slice(0, 4_000)
    .replace(TABLE, (found) => (found.startsWith(":") ? ".\n" : "\n"));
  return headline(sentences, most) || headline(text, most);
}
