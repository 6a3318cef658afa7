import * as z from "zod";
import { machineState } from "../machine/state.ts";

/** The version of this code's heads and entries, and the oldest code that can read them. */
export const WRITER = { writtenBy: 1, readableBy: 1 };

/** A callback that is not delivered yet, or was given up. Times are epoch milliseconds. */
const delivery = z.object({
  deliveryId: z.string(),
  event: z.string(),
  webhookId: z.string(),
  url: z.string(),
  /** Whether its body is stored, since it can change later. */
  hasSnapshot: z.boolean(),
  attempt: z.int(),
  eventAt: z.int(),
  /** When its message is due to be sent, or to be sent again. */
  checkAt: z.int(),
  /** How often the message of this attempt was sent. */
  sends: z.int(),
  /** Whether the attempt has begun. */
  leased: z.boolean(),
});
export type Delivery = z.infer<typeof delivery>;

/** The callbacks of an execution: those pending, how many there were, and what became of the latest. */
const deliveries = z.object({
  pending: z.array(delivery),
  count: z.int(),
  latest: z.enum(["none", "pending", "delivered", "failed"]),
});
export type Deliveries = z.infer<typeof deliveries>;

/** The names of an execution's wake-ups. Those that are due together start in this order. */
export const TASKS = ["deadline", "report", "log", "callbacks", "step", "retention"] as const;
export type Task = (typeof TASKS)[number];

/** When wake-ups are due, in epoch milliseconds. */
export const dueTimes = z.partialRecord(z.enum(TASKS), z.number());

/**
 * The newest state of an execution: all that decides what it does next. It is rewritten with every
 * commit; what happened before is in the journal.
 */
export const head = z
  .object({
    readableBy: z.int(),
    state: machineState,
    deliveries,
    due: dueTimes,
    /** The number of the journal's entries. */
    entries: z.int(),
    /** The number of the last event. */
    events: z.int(),
  })
  .refine(({ readableBy }) => readableBy <= WRITER.writtenBy, {
    error: "This execution was stored by newer code and cannot be read.",
  })
  .transform(({ readableBy: _, ...rest }) => rest);
export type Head = z.infer<typeof head>;

/** Returns when the first wake-up is due, or null. */
export function nextWakeup(due: Head["due"]): number | null {
  const times = Object.values(due);
  return times.length === 0 ? null : Math.min(...times);
}
