import type { SkipReason, StoredSchedule } from "../contract/schedule.ts";
import { nextOccurrence, occurrencesBetween } from "./occurrences.ts";

/** A run that starts this much later than its time was missed. */
const LATE_MS = 60_000;
/** Runs of one schedule that wait for the end of earlier ones. */
const MAX_WAITING = 100;

/** What a schedule does at a time. Runs are named by their times, in epoch milliseconds, the oldest first. */
export interface DueRuns {
  /** Those that start now. */
  starts: number[];
  /** Those that wait for the end of earlier ones. */
  waiting: number[];
  /** Those that are left out. */
  skipped: { at: number; why: SkipReason }[];
  /** The next time, in epoch milliseconds, or null. */
  nextAt: number | null;
}

/**
 * Decides which runs of a schedule start at `now`, in epoch milliseconds. `waiting` are earlier runs that are
 * still queued; `isLive` says whether an earlier execution has not ended.
 */
export function decideRuns(
  schedule: Pick<StoredSchedule, "timing" | "overlap" | "catchUp" | "nextAt" | "createdAt">,
  { waiting, isLive, now }: { waiting: readonly number[]; isLive: boolean; now: number },
): DueRuns {
  const { timing, overlap, createdAt, nextAt } = schedule;
  const isDue = nextAt !== null && nextAt <= now;
  const times = isDue
    ? occurrencesBetween(timing, createdAt, { after: nextAt - 1, until: now })
    : [];
  const kept = keptOf(times, schedule.catchUp, now);
  const next = isDue ? nextOccurrence(timing, createdAt, now) : nextAt;
  const missed = skip(
    times.filter((at) => !kept.includes(at)),
    "missed",
  );
  switch (overlap) {
    case "allow":
      return { starts: kept, waiting: [], skipped: missed, nextAt: next };
    case "skip": {
      const starts = isLive ? [] : kept.slice(-1);
      const skipped = [...missed, ...skip(kept.slice(0, kept.length - starts.length), "overlap")];
      return { starts, waiting: [], skipped, nextAt: next };
    }
    case "queue": {
      const all = [...waiting, ...kept];
      const starts = isLive ? [] : all.slice(0, 1);
      const left = all.slice(starts.length);
      const skipped = [...missed, ...skip(left.slice(MAX_WAITING), "queue_full")];
      return { starts, waiting: left.slice(0, MAX_WAITING), skipped, nextAt: next };
    }
  }
}

function skip(times: readonly number[], why: SkipReason): DueRuns["skipped"] {
  return times.map((at) => ({ at, why }));
}

function keptOf(times: number[], catchUp: StoredSchedule["catchUp"], now: number): number[] {
  switch (catchUp) {
    case "all":
      return times;
    case "last":
      return times.slice(-1);
    case "none":
      return times.filter((at) => now - at < LATE_MS).slice(-1);
  }
}
