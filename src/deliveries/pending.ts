import * as z from "zod";
import type { CallbackAttempt, DeliveryReport } from "../contract/callbacks.ts";
import { afterAttempt, CALLBACK_PLAN, EVENT_PLAN } from "./schedule.ts";

/** An event that is not delivered yet. Times are epoch milliseconds. */
const delivery = z.object({
  deliveryId: z.string(),
  event: z.string(),
  webhookId: z.string(),
  url: z.string(),
  /** Whether its body is stored, since it can change later. */
  hasSnapshot: z.boolean(),
  attempt: z.int(),
  eventAt: z.int(),
  /** When this attempt is due. Older code did not store it. */
  dueAt: z.int().exactOptional(),
  /** When its message is due to be sent, or to be sent again. */
  checkAt: z.int(),
  /** How often the message of this attempt was sent. */
  sends: z.int(),
  /** Whether the attempt has begun. */
  leased: z.boolean(),
  /** Whether it is an event of a subscription, which has a plan of its own. */
  isEvent: z.boolean().exactOptional(),
});
export type Delivery = z.infer<typeof delivery>;

/** What an object owes: the pending deliveries, how many there were, and how the last to end ended. */
export const deliveries = z.object({
  pending: z.array(delivery),
  count: z.int(),
  latest: z.enum(["none", "pending", "delivered", "failed"]),
});
export type Deliveries = z.infer<typeof deliveries>;

/** After this long an unanswered queue message counts as lost and is sent again. */
const GRACE_MS = 10_000;
/** A delivery that is due is looked at within this time. */
export const LONGEST_GRACE_MS = 600_000;
/** After this long a started attempt without a report counts as lost. */
const LEASE_MS = 45_000;
/** The message is sent right after the commit; this is when it is sent if that failed. */
const BACKUP_MS = 2_000;

export const NO_DELIVERIES: Deliveries = { pending: [], count: 0, latest: "none" };

/** Adds a delivery, whose id follows from their number. */
export function addDelivery(
  all: Deliveries,
  owed: Pick<Delivery, "event" | "webhookId" | "url" | "hasSnapshot" | "isEvent">,
  now: number,
): Deliveries {
  const count = all.count + 1;
  const added: Delivery = {
    ...owed,
    deliveryId: deliveryIdOf(count),
    attempt: 1,
    eventAt: now,
    dueAt: now,
    checkAt: now + BACKUP_MS,
    sends: 0,
    leased: false,
  };
  return { pending: [...all.pending, added], count, latest: "pending" };
}

/** Returns the id of the delivery of this number, from 1. */
export function deliveryIdOf(count: number): string {
  return `del_${count}`;
}

/** Returns when the next delivery is due for a check, or null. */
export function nextCheck({ pending }: Deliveries): number | null {
  return pending.length === 0 ? null : Math.min(...pending.map(({ checkAt }) => checkAt));
}

/** Returns the deliveries whose message must be sent now: new, due, or lost. */
export function deliveriesToSend({ pending }: Deliveries, now: number): Delivery[] {
  return pending.filter(
    ({ checkAt, attempt, sends }) => checkAt <= now || (attempt === 1 && sends === 0),
  );
}

/** Records a sent message. If no attempt follows, it is sent again, at growing intervals. */
export function messageSent(all: Deliveries, deliveryId: string, now: number): Deliveries {
  return changed(all, deliveryId, ({ sends, ...delivery }) => ({
    ...delivery,
    sends: sends + 1,
    leased: false,
    checkAt: now + Math.min(GRACE_MS * 2 ** sends, LONGEST_GRACE_MS),
  }));
}

/**
 * Records that the queue refused the message, and retries soon. A refused message does not count, or an
 * outage would delay the retry of the first message lost after it.
 */
export function messageRefused(all: Deliveries, deliveryId: string, now: number): Deliveries {
  return changed(all, deliveryId, (delivery) => ({
    ...delivery,
    sends: Math.max(delivery.sends - 1, 1),
    checkAt: now + BACKUP_MS,
  }));
}

/** Returns the delivery if this attempt of it is due and not running elsewhere, else null. */
export function dueDelivery(
  all: Deliveries,
  deliveryId: string,
  attempt: number,
  now: number,
): Delivery | null {
  const delivery = pendingDelivery(all, deliveryId, attempt);
  return delivery === null || (delivery.leased && delivery.checkAt > now) ? null : delivery;
}

/** Records that an attempt runs. */
export function attemptBegun(all: Deliveries, deliveryId: string, now: number): Deliveries {
  return changed(all, deliveryId, (delivery) => ({
    ...delivery,
    leased: true,
    checkAt: now + LEASE_MS,
  }));
}

/**
 * Records an attempt and plans the next one. Returns null, and nothing changes, if the attempt has been
 * reported before.
 */
export function attemptEnded(
  all: Deliveries,
  { deliveryId, attempt }: { deliveryId: string; attempt: number },
  report: DeliveryReport,
  { now, random }: { now: number; random: number },
): { deliveries: Deliveries; attempt: CallbackAttempt } | null {
  const delivery = pendingDelivery(all, deliveryId, attempt);
  if (delivery === null) return null;
  const { event, webhookId, url, eventAt, isEvent = false } = delivery;
  const plan = isEvent ? EVENT_PLAN : CALLBACK_PLAN;
  const after = afterAttempt({ attempt, eventAt, report, now, random, plan });
  const entry: CallbackAttempt = {
    attempt,
    event,
    webhookId,
    at: new Date(report.at).toISOString(),
    url,
    status: report.status,
    durationMs: report.durationMs,
    ...(report.error === null ? {} : { error: report.error }),
    ...(after.kind === "retry" ? { nextAttemptAt: new Date(after.at).toISOString() } : {}),
  };
  if (after.kind === "retry") {
    const due = { dueAt: after.at, checkAt: after.at };
    const next = { ...due, attempt: attempt + 1, sends: 0, leased: false };
    const deliveries = changed(all, deliveryId, (before) => ({ ...before, ...next }));
    return { deliveries, attempt: entry };
  }
  const pending = all.pending.filter((each) => each.deliveryId !== deliveryId);
  const latest = pending.length > 0 ? "pending" : after.kind;
  return { deliveries: { pending, count: all.count, latest }, attempt: entry };
}

function pendingDelivery(all: Deliveries, deliveryId: string, attempt: number): Delivery | null {
  const found = all.pending.find((each) => each.deliveryId === deliveryId);
  return found?.attempt === attempt ? found : null;
}

function changed(
  { pending, ...rest }: Deliveries,
  deliveryId: string,
  change: (delivery: Delivery) => Delivery,
): Deliveries {
  const next = pending.map((each) => (each.deliveryId === deliveryId ? change(each) : each));
  return { ...rest, pending: next };
}
