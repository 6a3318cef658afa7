import * as z from "zod";
import type { CallbackAttempt, DeliveryOrder, DeliveryReport } from "../contract/callbacks.ts";
import type { JsonObject } from "../contract/json.ts";
import {
  type CallbackFault,
  callbackFault,
  cursorOf,
  type DeliveryStatus,
  type EventFilter,
  type FeedEvent,
  MAX_EVENT_BYTES,
  MAX_SUBSCRIPTIONS,
  type NewSubscription,
  SECRET_OVERLAP_MS,
  type StoredSubscription,
  type SubscribeReply,
  storedSubscription,
  subscriptionContext,
} from "../contract/mcp-events.ts";
import { jsonColumn, type TableSql, Tables } from "../durable/rows.ts";
import { isObject, type Json } from "../lib/json-values.ts";
import { logWarning } from "../lib/log.ts";
import type { Resealer } from "../lib/resealer.ts";
import { DeliveryOutbox } from "./outbox.ts";
import { deliveries, NO_DELIVERIES, nextCheck } from "./pending.ts";

/** The table of the subscriptions of an object, as a step of its schema. */
export const SUBSCRIPTIONS_TABLE = `
  CREATE TABLE subscriptions (
    subscription_id TEXT PRIMARY KEY, subscription TEXT NOT NULL, progress TEXT NOT NULL
  ) WITHOUT ROWID;
`;

/** Places that may be looked at again after a restart, since nothing was found there. */
const UNSTORED_PLACES = 1_000;
/** The time until what could not be asked or read is tried again. */
const RETRY_MS = 1_000;
/** A key that was revoked delivers nothing after this time. */
const KEY_CHECK_MS = 30_000;

const progress = z.object({
  /** Everything up to here was looked at, and delivered or given up. */
  position: z.int(),
  /** Everything up to here was acknowledged. */
  acknowledged: z.int(),
  /** The place of the event that is being delivered. */
  seq: z.int().nullable(),
  deliveries,
  /** Whether an event was given up. */
  isLossy: z.boolean(),
  lastDeliveryAt: z.int().nullable(),
  lastError: z.string().nullable(),
  failedSince: z.int().nullable(),
});
type Progress = z.infer<typeof progress>;

const row = z.object({
  subscription: jsonColumn<StoredSubscription>(storedSubscription),
  progress: jsonColumn(progress),
});

/** A subscription, and how far it is. */
interface Live {
  subscription: StoredSubscription;
  progress: Progress;
  /** The position that is stored. */
  stored: number;
}

/** The events of an object in their order. Places are whole numbers that grow. */
export interface EventSource {
  /** The place of the newest event that there ever was. */
  head(): number;
  /** Returns the first place with an event from this time on, less one. */
  before(time: number): number;
  /** Whether something after this place is gone. */
  isCut(after: number): boolean;
  /** Returns the place of the first event after `after` that is wanted, and up to where it looked. */
  next(
    filter: EventFilter,
    after: number,
  ): Promise<{ seq: number | null; upTo: number; more: boolean }>;
  /** Returns an event; null if it is gone. */
  event(seq: number, origin: string): Promise<FeedEvent | null>;
}

interface Parts {
  sql: TableSql;
  source: EventSource;
  /** Puts the message of an attempt into the callbacks queue. */
  send(message: { subscriptionId: string; deliveryId: string; attempt: number }): Promise<unknown>;
  /** Whether a key of the account is still valid. */
  isValidKey(keyId: string): Promise<boolean>;
  /** Something is due now. */
  due(): void;
}

/**
 * The subscriptions to the events of an object. Each delivers one event at a time, in the order of their
 * places; only what became of an event is stored, so that after a restart it is found and sent again under
 * the same id.
 */
export class Subscriptions extends Tables {
  readonly #parts: Parts;
  #live: Map<string, Live> | null = null;
  readonly #keysSeen = new Map<string, number>();

  constructor(parts: Parts) {
    super(parts.sql);
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#all().size === 0;
  }

  subscribe({ ttlMs, after, since, ...given }: NewSubscription, now: number): SubscribeReply {
    const { source } = this.#parts;
    const { subscriptionId: id } = given;
    const known = this.#find(id, now);
    const expiresAt = now + ttlMs;
    if (known !== null) {
      const { secretHash, sealedSecret } = known.subscription;
      const isSame = secretHash === given.secretHash;
      const replaced = { sealedSecret, until: now + SECRET_OVERLAP_MS };
      const previous = isSame ? known.subscription.previous : replaced;
      const kept = isSame ? { sealedSecret } : {};
      known.subscription = { ...given, ...kept, previous, expiresAt };
      this.#store(known);
      this.#parts.due();
      const { acknowledged } = known.progress;
      const status = statusOf(known.progress);
      return { kind: "subscribed", expiresAt, acknowledged, isTruncated: false, status };
    }
    this.#removeExpired(now);
    if (this.#all().size >= MAX_SUBSCRIPTIONS) return { kind: "full" };
    const head = source.head();
    const wanted = Math.min(after ?? head, head);
    const floor = since === null ? 0 : Math.min(source.before(since), head);
    const position = Math.max(wanted, floor);
    const begun: Progress = {
      position,
      acknowledged: position,
      seq: null,
      deliveries: NO_DELIVERIES,
      isLossy: false,
      lastDeliveryAt: null,
      lastError: null,
      failedSince: null,
    };
    this.#store({
      subscription: { ...given, previous: null, expiresAt },
      progress: begun,
      stored: position,
    });
    this.#parts.due();
    const isTruncated = position > wanted || source.isCut(position);
    return { kind: "subscribed", expiresAt, acknowledged: position, isTruncated, status: null };
  }

  remove(subscriptionId: string): void {
    this.sql.exec("DELETE FROM subscriptions WHERE subscription_id = ?", subscriptionId);
    this.#all().delete(subscriptionId);
  }

  has(keyId: string, url: string, now: number): boolean {
    return [...this.#all().values()].some(
      ({ subscription: one }) => one.keyId === keyId && one.url === url && one.expiresAt > now,
    );
  }

  /** Seals the secrets anew. */
  async reseal(sealer: Resealer): Promise<void> {
    for (const [id, live] of this.#all()) {
      const before = live.subscription.sealedSecret;
      const sealedSecret = await sealer.reseal(before, subscriptionContext(id));
      if (live.subscription.sealedSecret !== before) continue;
      live.subscription = { ...live.subscription, sealedSecret };
      this.#store(live);
    }
  }

  /** Sends what is due. Returns when to look again (epoch milliseconds), or null. */
  async advance(until: number): Promise<number | null> {
    this.#removeExpired(Date.now());
    let next: number | null = null;
    for (const id of [...this.#all().keys()]) {
      if (Date.now() >= until) return Date.now();
      const at = await this.#advance(id).catch((error: unknown) => {
        logWarning("subscription not advanced", { subscriptionId: id }, error);
        return Date.now() + RETRY_MS;
      });
      if (at !== null) next = Math.min(next ?? at, at);
    }
    return next;
  }

  /** Begins an attempt. Returns what to deliver; null if the attempt is over, stale or running elsewhere. */
  async begin(id: string, deliveryId: string, attempt: number): Promise<DeliveryOrder | null> {
    const now = Date.now();
    const live = this.#find(id, now);
    const seq = live?.progress.seq ?? null;
    if (live === null || seq === null) return null;
    const { subscription } = live;
    const event = await this.#parts.source.event(seq, subscription.origin);
    const begun = event && this.#outboxOf(id).begin(deliveryId, attempt);
    if (event === null || begun === null) return null;
    const { previous } = subscription;
    const { eventId, timestamp, data } = event;
    const cursor = cursorOf(live.progress.acknowledged);
    const isOverlapping = previous !== null && previous.until > now;
    return {
      webhookId: begun.webhookId,
      url: subscription.url,
      sealedSecret: subscription.sealedSecret,
      ...(isOverlapping && { previousSecret: previous.sealedSecret }),
      context: subscriptionContext(id),
      headers: { "x-mcp-subscription-id": id },
      body: JSON.stringify({ eventId, name: subscription.name, timestamp, data, cursor }),
      serviceHosts: [new URL(subscription.origin).host],
    };
  }

  /** Records how an attempt went. */
  end(id: string, deliveryId: string, attempt: number, report: DeliveryReport): void {
    if (this.#outboxOf(id).end(deliveryId, attempt, report)) this.#parts.due();
  }

  async #advance(id: string): Promise<number | null> {
    const { source } = this.#parts;
    const live = this.#all().get(id);
    if (live === undefined) return null;
    const { subscription } = live;
    if (!(await this.#isAllowed(subscription.keyId))) {
      this.remove(id);
      return null;
    }
    let more = false;
    if (live.progress.seq === null) {
      const from = live.progress.position;
      const found = await source.next(subscription, from);
      const event = found.seq === null ? null : await source.event(found.seq, subscription.origin);
      // It may have been removed meanwhile, or have found its event in another call.
      const now = this.#all().get(id);
      if (now?.progress.seq !== null || now.progress.position !== from) return Date.now();
      if (found.seq !== null && event !== null) {
        const { name, url } = subscription;
        const owed = { event: name, webhookId: event.eventId, url, isEvent: true };
        const added = this.#outboxOf(id).added(now.progress.deliveries, owed, Date.now());
        now.progress = { ...now.progress, seq: found.seq, deliveries: added };
      } else {
        this.#passed(now, found.seq ?? found.upTo);
        more = found.more || found.seq !== null;
      }
    }
    await this.#outboxOf(id).send();
    if (more) return Date.now();
    const { progress: at } = this.#all().get(id) ?? live;
    return Math.min(nextCheck(at.deliveries) ?? subscription.expiresAt, subscription.expiresAt);
  }

  /** Notes that nothing up to a place is wanted. */
  #passed(live: Live, upTo: number): void {
    const position = Math.max(upTo, live.progress.position);
    const acknowledged = live.progress.isLossy ? live.progress.acknowledged : position;
    live.progress = { ...live.progress, position, acknowledged };
    if (position - live.stored >= UNSTORED_PLACES) this.#store(live);
  }

  #outboxOf(id: string): DeliveryOutbox {
    const progressOf = () => this.#all().get(id)?.progress;
    return new DeliveryOutbox({
      deliveries: () => progressOf()?.deliveries ?? NO_DELIVERIES,
      save: (changed, attempt) => {
        const live = this.#all().get(id);
        if (live === undefined) return;
        live.progress = { ...live.progress, deliveries: changed };
        if (attempt === null) return;
        live.progress = afterAttempt(live.progress, attempt);
        this.#store(live);
      },
      send: (message) => this.#parts.send({ subscriptionId: id, ...message }),
      store: null,
      ids: { subscriptionId: id },
    });
  }

  async #isAllowed(keyId: string): Promise<boolean> {
    const now = Date.now();
    if (now - (this.#keysSeen.get(keyId) ?? 0) < KEY_CHECK_MS) return true;
    const isValid = await this.#parts.isValidKey(keyId);
    if (isValid) this.#keysSeen.set(keyId, now);
    return isValid;
  }

  #find(id: string, now: number): Live | null {
    const live = this.#all().get(id);
    return live !== undefined && live.subscription.expiresAt > now ? live : null;
  }

  #removeExpired(now: number): void {
    for (const [id, { subscription }] of this.#all()) {
      if (subscription.expiresAt <= now) this.remove(id);
    }
  }

  #store(live: Live): void {
    const { subscription, progress } = live;
    const { subscriptionId } = subscription;
    this.upsert("subscriptions", "subscription_id", { subscriptionId, subscription, progress });
    live.stored = live.progress.position;
    this.#all().set(subscriptionId, live);
  }

  #all(): Map<string, Live> {
    this.#live ??= new Map(
      this.rows(row, "SELECT * FROM subscriptions").map((found) => [
        found.subscription.subscriptionId,
        { ...found, stored: found.progress.position },
      ]),
    );
    return this.#live;
  }
}

/** Returns the progress after an attempt whose delivery is over, or goes on. */
function afterAttempt(before: Progress, attempt: CallbackAttempt): Progress {
  const at = Date.parse(attempt.at);
  const isDelivered = attempt.error === undefined;
  const noted = isDelivered
    ? { lastDeliveryAt: at, lastError: null, failedSince: null }
    : { lastError: faultOf(attempt), failedSince: before.failedSince ?? at };
  if (attempt.nextAttemptAt !== undefined || before.seq === null) return { ...before, ...noted };
  const isLossy = before.isLossy || !isDelivered;
  const acknowledged = isLossy ? before.acknowledged : before.seq;
  return { ...before, ...noted, position: before.seq, seq: null, isLossy, acknowledged };
}

/** Returns the kind of a failure, and nothing that the receiver said. */
function faultOf({ status, error = "" }: CallbackAttempt): CallbackFault {
  if (status !== null) return status >= 500 ? "http_5xx" : "http_4xx";
  return /time|within/i.test(error) ? "timeout" : "connection_refused";
}

function statusOf({ lastDeliveryAt, lastError, failedSince }: Progress): DeliveryStatus {
  return {
    active: true,
    lastDeliveryAt: lastDeliveryAt === null ? null : new Date(lastDeliveryAt).toISOString(),
    lastError: callbackFault.safeParse(lastError).data ?? null,
    ...(failedSince !== null && { failedSince: new Date(failedSince).toISOString() }),
  };
}

/** Bytes of a body beside its data: ids, the name and the cursor. */
const ENVELOPE_BYTES = 8_192;

/** Returns a payload as the data of an event: always an object, and a pointer to one that is too large. */
export function eventData(payload: Json, pointer: { requestId: string; url: string }): JsonObject {
  const data: JsonObject = isObject(payload) ? payload : { value: payload };
  const { length } = new TextEncoder().encode(JSON.stringify(data));
  return length > MAX_EVENT_BYTES - ENVELOPE_BYTES ? { truncated: true, ...pointer } : data;
}
