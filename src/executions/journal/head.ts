import * as z from "zod";
import { deliveries } from "../../deliveries/pending.ts";
import { machineState } from "../machine/state.ts";

/** The version of this code's heads and entries, and the oldest code that can read them. */
export const WRITER = { writtenBy: 1, readableBy: 1 };

/**
 * The names of an execution's wake-ups. Those that are due together start in this order. Only older code
 * made `compaction` due, which does nothing now.
 */
export const TASKS = [
  "deadline",
  "report",
  "log",
  "callbacks",
  "step",
  "compaction",
  "retention",
] as const;
export type Task = (typeof TASKS)[number];

/** Whether this code knows the wake-up. */
function isTask(name: string): boolean {
  return TASKS.some((known) => known === name);
}

/** When wake-ups are due, in epoch milliseconds, by name. Newer code may have more of them. */
const dueTimes = z.record(z.string(), z.number());
type DueTimes = z.infer<typeof dueTimes>;

const fields = z.object({
  state: machineState,
  deliveries,
  due: dueTimes,
  /** The number of the journal's entries. */
  entries: z.int(),
  /** The number of the last event. */
  events: z.int(),
});
export type Head = z.infer<typeof fields>;

/**
 * The newest state of an execution: all that decides what it does next. It is rewritten with every
 * commit; what happened before is in the journal. Fields that only newer code knows stay in it: dropped
 * here, they would be lost for that code when it runs again. Newer code whose field must not become
 * stale raises `readableBy`.
 */
export const head: z.ZodType<Head> = fields
  .extend({ readableBy: z.int(), state: machineState.loose() })
  .loose()
  .refine(({ readableBy }) => readableBy <= WRITER.writtenBy, {
    error: "Only newer code can read this execution.",
  });

/** When a wake-up that is due, but that only newer code knows, is looked at again. */
const UNKNOWN_MS = 3_600_000;

/**
 * Returns when to wake an execution next, or null for never. A wake-up that only newer code knows counts
 * too, and stays due until that code runs again.
 */
export function nextWakeup(due: DueTimes, now: number): number | null {
  const times = Object.entries(due).map(([name, at]) =>
    isTask(name) || at > now ? at : now + UNKNOWN_MS,
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** Returns the times of the wake-ups that this code knows. */
export function knownTimes(due: DueTimes): (readonly [Task, number])[] {
  return TASKS.flatMap((name) => {
    const at = due[name];
    return at === undefined ? [] : [[name, at] as const];
  });
}

/** Returns these times of known wake-ups with those that only newer code knows. */
export function withUnknown(due: DueTimes, before: DueTimes): DueTimes {
  const unknown = Object.entries(before).filter(([name]) => !isTask(name));
  return { ...Object.fromEntries(unknown), ...due };
}
