import * as z from "zod";
import type { Attempted, DeliveryOrder, DeliveryReport } from "./callbacks.ts";
import { oneOf, open } from "./fields.ts";
import type { JsonObject } from "./json.ts";
import { condition } from "./webhooks/routing.ts";

/** The most subscriptions of one endpoint, and of the account's own events. */
export const MAX_SUBSCRIPTIONS = 100;
/** How long a subscription lasts unless the client asks for less or more, and the longest time. */
export const SUBSCRIPTION_TTL_MS = 86_400_000;
export const MAX_SUBSCRIPTION_TTL_MS = 7 * 86_400_000;
/** How long the secret before a change still signs. */
export const SECRET_OVERLAP_MS = 600_000;
/** The largest body of a delivered event. */
export const MAX_EVENT_BYTES = 262_144;

/** The events of an account that clients can subscribe to. */
export const ACCOUNT_EVENTS = [
  "execution.completed",
  "execution.failed",
  "execution.waiting_for_input",
  "decision.requested",
] as const;

/** Which events are wanted: those of a type, null for those without one, that fulfil a condition. */
const eventFilter = open({
  eventType: z.string().nullable(),
  when: condition.nullable(),
});
export type EventFilter = z.infer<typeof eventFilter>;

/** An event as clients get it. */
export interface FeedEvent {
  eventId: string;
  timestamp: string;
  data: JsonObject;
}

/** A part of the log of events. Times are epoch milliseconds. */
export interface FeedQuery extends EventFilter {
  /** The place after which to read; null for the end of the log. */
  after: number | null;
  /** Leaves out what is older. */
  since: number | null;
  limit: number;
  /** The address of the service, for links. */
  origin: string;
}

export interface FeedPage {
  events: FeedEvent[];
  /** The place from which to go on. */
  upTo: number;
  more: boolean;
  /** Whether events after the place are no longer in the log. */
  isTruncated: boolean;
}

/** A subscription as the object that has its events stores it. Times are epoch milliseconds. */
export const storedSubscription = eventFilter.extend({
  subscriptionId: z.string(),
  /** The key that made it: without the key it ends. */
  keyId: z.string(),
  name: z.string(),
  url: z.string(),
  /** The address of the service, which it never calls. */
  origin: z.string(),
  sealedSecret: z.string(),
  /** The secret before, which signs as well for a while. */
  previous: open({ sealedSecret: z.string(), until: z.int() }).nullable(),
  /** A hash of the secret, which tells a change. */
  secretHash: z.string(),
  expiresAt: z.int(),
});
export type StoredSubscription = z.infer<typeof storedSubscription>;

/** A subscription that is made or renewed. */
export type NewSubscription = Omit<StoredSubscription, "previous" | "expiresAt"> & {
  ttlMs: number;
  /** Where to begin; null for now. A subscription that is live goes on where it is. */
  after: number | null;
  since: number | null;
};

/** What became of the deliveries of a subscription. */
export interface DeliveryStatus {
  active: boolean;
  lastDeliveryAt: string | null;
  lastError: CallbackFault | null;
  failedSince?: string;
}

/** Why a callback address did not take a delivery. Its answers are never repeated. */
export const callbackFault = oneOf(
  "connection_refused",
  "timeout",
  "tls_error",
  "http_4xx",
  "http_5xx",
  "challenge_failed",
);
export type CallbackFault = z.infer<typeof callbackFault>;

export type SubscribeReply =
  | {
      kind: "subscribed";
      expiresAt: number;
      /** Everything up to here was acknowledged. */
      acknowledged: number;
      isTruncated: boolean;
      /** Null for a new subscription. */
      status: DeliveryStatus | null;
    }
  | { kind: "full" };

/** The part of an object's interface that serves subscriptions to its events. */
export interface SubscriptionsApi {
  /** Makes a subscription, or renews it. */
  subscribe(subscription: NewSubscription): Promise<SubscribeReply>;
  /** Ends a subscription; one that is gone stays so. */
  unsubscribe(subscriptionId: string): Promise<void>;
  /** Returns whether a key has a live subscription with this address, which was verified for it. */
  hasSubscription(keyId: string, url: string): Promise<boolean>;
  /** Begins an attempt to deliver an event; null if there is nothing to do. */
  beginEvent(subscriptionId: string, ...of: Attempted): Promise<DeliveryOrder | null>;
  endEvent(subscriptionId: string, ...of: [...Attempted, report: DeliveryReport]): Promise<void>;
}

/** Returns the context under which the secret of a subscription is sealed. */
export function subscriptionContext(subscriptionId: string): string {
  return `mcp-subscription:${subscriptionId}`;
}

/** Returns a place in the log as clients get it, and back; null for what is none. */
export const cursorOf = (place: number): string => `e${place}`;
export function placeOfCursor(cursor: string): number | null {
  return /^e\d{1,15}$/.test(cursor) ? Number(cursor.slice(1)) : null;
}
