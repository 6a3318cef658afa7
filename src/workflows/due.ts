import type { StoredSchedule } from "../contract/schedule.ts";
import { nextOccurrence, occurrencesBetween } from "./occurrences.ts";

/** A run that starts this much later than its time was missed. */
const LATE_MS = 60_000;

/** What a schedule does at a time. */
export interface DueRuns {
  /** How many executions start now. */
  starts: number;
  /** How many wait for the end of earlier ones. */
  waiting: number;
  /** The next time, in epoch milliseconds, or null. */
  nextAt: number | null;
}

/**
 * Decides what a schedule does at `now`, epoch milliseconds: a pure function of what is stored. `waiting`
 * runs were due before, and `isLive` says whether an earlier execution is.
 */
export function decideRuns(
  schedule: Pick<StoredSchedule, "timing" | "overlap" | "catchUp" | "nextAt" | "createdAt">,
  { waiting, isLive, now }: { waiting: number; isLive: boolean; now: number },
): DueRuns {
  const { timing, overlap, createdAt, nextAt } = schedule;
  const isDue = nextAt !== null && nextAt <= now;
  const times = isDue
    ? occurrencesBetween(timing, createdAt, { after: nextAt - 1, until: now })
    : [];
  const runs = keptOf(times, schedule.catchUp, now).length;
  const next = isDue ? nextOccurrence(timing, createdAt, now) : nextAt;
  switch (overlap) {
    case "allow":
      return { starts: runs, waiting: 0, nextAt: next };
    case "skip":
      return { starts: isLive ? 0 : Math.min(1, runs), waiting: 0, nextAt: next };
    case "queue": {
      const all = waiting + runs;
      const starts = isLive || all === 0 ? 0 : 1;
      return { starts, waiting: all - starts, nextAt: next };
    }
  }
}

function keptOf(
  times: readonly number[],
  catchUp: StoredSchedule["catchUp"],
  now: number,
): readonly number[] {
  switch (catchUp) {
    case "all":
      return times;
    case "last":
      return times.slice(-1);
    case "none":
      return times.filter((at) => now - at < LATE_MS).slice(-1);
  }
}
