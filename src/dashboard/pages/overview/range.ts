import * as z from "zod";
import type { UsageQuery } from "../../../client/paging.ts";

const DAY_MS = 86_400_000;

/** The spans of time that the overview can show. */
export const RANGES = [
  { id: "24h", label: "24 hours" },
  { id: "7d", label: "7 days" },
  { id: "30d", label: "30 days" },
] as const;
export type RangeId = (typeof RANGES)[number]["id"];

const rangeId = z.enum(["24h", "7d", "30d"]);

/** The span that an address names; the usual one where it names none that there is. */
export function readRange(range: string | undefined): RangeId {
  return rangeId.catch("24h").parse(range);
}

export function rangePath(range: RangeId): string {
  return range === "24h" ? "/dashboard" : `/dashboard?range=${range}`;
}

/** What the API is asked for a span that ends now (epoch milliseconds), today or this hour included. */
export function usageQueryOf(range: RangeId, now: number): UsageQuery {
  if (range === "24h") return { bucket: "hour" };
  const days = range === "7d" ? 7 : 30;
  return { bucket: "day", from: new Date(now - (days - 1) * DAY_MS).toISOString() };
}
