import * as z from "zod";
import {
  type CallbackAttempt,
  callbackAttempt,
  type DeliveryReport,
  type OwedAddress,
} from "../contract/callbacks.ts";
import {
  DELIVERY_DAYS,
  type DeliveryQuery,
  type DeliveryRecord,
  type DestinationMessage,
  type DestinationOrder,
  deliveryRecord,
  destinationMessage,
  type EventData,
  type EventType,
  MAX_PENDING_DELIVERIES,
  type Recipient,
} from "../contract/destinations.ts";
import { DeliveryOutbox } from "../deliveries/outbox.ts";
import { type Deliveries, deliveries, NO_DELIVERIES, nextCheck } from "../deliveries/pending.ts";
import { EarliestFirst } from "../durable/alarm-scheduler.ts";
import { jsonColumn, rowShape, type TableSql, Tables } from "../durable/rows.ts";
import { mapConcurrently } from "../lib/async.ts";
import { type Destinations, shownUrl } from "./destinations.ts";

const SENT_AT_ONCE = 16;
/** Attempts that a delivery shows, the last ones. */
const SHOWN_ATTEMPTS = 30;
/** Addresses that are no destination have their deliveries under their own name. */
const MAIL = "mailto:";

const messageRow = rowShape({
  destinationId: z.string(),
  deliveryId: z.string(),
  deliveries: jsonColumn(deliveries),
  state: deliveryRecord.shape.state,
  message: jsonColumn(destinationMessage),
  attempts: jsonColumn(z.array(callbackAttempt)),
});
const OF_ADDRESS = "destination_id = ? AND delivery_id = ?";
type MessageRow = z.infer<typeof messageRow>;

/** What the deliveries need of their account. */
interface MessageParts {
  sql: TableSql;
  destinations: Destinations;
  accountId(): string;
  /** Puts a message into the callbacks queue. */
  send(message: OwedAddress & { deliveryId: string; attempt: number }): Promise<unknown>;
  /** A delivery was added, or has another attempt. */
  owed(): void;
  /** Whether there are subscriptions of MCP clients. */
  isSubscribed(): boolean;
  /** Adds an event for them. */
  publish(type: EventType, event: EventData): void;
}

/**
 * What the account owes to its destinations: a row for each message and destination, written in the
 * transaction of what happened. Messages that are on their way are known in memory alone: after a restart
 * they are sent again, under the same id.
 */
export class Messages extends Tables {
  readonly #parts: MessageParts;
  /** When each pending row is due for a check. */
  readonly #checks = new EarliestFirst<string>();
  /** The pending rows by destination. */
  readonly #counts = new Map<string, number>();
  /** The deliveries whose message is on its way, or whose attempt runs. */
  readonly #underWay = new Map<string, Deliveries>();

  constructor(parts: MessageParts) {
    super(parts.sql);
    this.#parts = parts;
    for (const { destinationId, deliveryId, deliveries } of this.#rows("state = 'pending'"))
      this.#plan(keyOf({ destinationId, messageId: deliveryId }), deliveries);
  }

  /** Returns when the next delivery is due for a check (epoch milliseconds), or null. */
  get nextCheck(): number | null {
    const { earliest } = this.#checks;
    return Number.isFinite(earliest) ? earliest : null;
  }

  /** Whether anybody takes events of this type. */
  isWanted(type: EventType): boolean {
    return this.#parts.isSubscribed() || this.#parts.destinations.wanting(type).length > 0;
  }

  /** Sends an event to the destinations that take its type. Called within the transaction of the event. */
  emit(type: EventType, event: () => EventData): void {
    if (!this.isWanted(type)) return;
    const wanting = this.#parts.destinations.wanting(type);
    const message = { type, ...event() };
    if (this.#parts.isSubscribed()) this.#parts.publish(type, message);
    for (const { destinationId } of wanting) this.#add(destinationId, message);
  }

  /**
   * Sends one message to one recipient, whatever events it takes. Returns the id of the delivery, which is
   * the same for the same key; null if there is no such destination or it is disabled.
   */
  sendTo(recipient: Recipient, message: DestinationMessage): string | null {
    if ("email" in recipient) return this.#add(`${MAIL}${recipient.email}`, message);
    const found = this.#parts.destinations.find(recipient.destinationId);
    return found?.status === "enabled" ? this.#add(recipient.destinationId, message) : null;
  }

  /** Returns the deliveries of a destination, newest first. */
  list(destinationId: string, { limit, after }: DeliveryQuery): DeliveryRecord[] {
    return this.#rows(
      "destination_id = ? AND delivery_id < ? ORDER BY delivery_id DESC LIMIT ?",
      destinationId,
      after ?? "del_~",
      limit,
    ).map(recordOf);
  }

  /** Delivers a message once more, under the same id; null if there is none. */
  redeliver(address: OwedAddress): DeliveryRecord | null {
    const row = this.#row(address);
    if (row === null) return null;
    const owed = this.#owed(address, row.message, row.deliveries);
    this.#store(address, owed, null);
    this.#planned(keyOf(address), owed);
    return recordOf({ ...row, state: "pending" });
  }

  /** Sends what is due to the queue. Returns when to look again. */
  async send(): Promise<number | null> {
    const due = this.#checks.upTo(Date.now()).map(addressOf);
    await mapConcurrently(SENT_AT_ONCE, due, async (address) => {
      if (this.#row(address) === null) this.#forget(keyOf(address));
      else await this.#outboxOf(address).send();
    });
    return this.nextCheck;
  }

  begin(address: OwedAddress, deliveryId: string, attempt: number): DestinationOrder | null {
    const row = this.#row(address);
    const to = row && this.#destinationOf(row);
    const begun = to && this.#outboxOf(address).begin(deliveryId, attempt);
    if (row === null || to === null || begun === null) return null;
    const accountId = this.#parts.accountId();
    const { webhookId } = begun;
    return { kind: "destination", accountId, webhookId, message: row.message, to };
  }

  /** Records how an attempt went. */
  end(address: OwedAddress, deliveryId: string, attempt: number, report: DeliveryReport): void {
    if (!this.#outboxOf(address).end(deliveryId, attempt, report)) return;
    // The next attempt is due before the time at which this one would have counted as lost.
    if (report.error !== null) this.#parts.owed();
    const { destinationId } = address;
    const now = Date.now();
    if (!this.#parts.destinations.attempted(destinationId, report.error === null, now)) return;
    this.#disabled(destinationId, now);
  }

  /** Gives up what waits for a destination. */
  drop(destinationId: string): void {
    for (const key of [...this.#checks.all.keys()]) {
      if (addressOf(key).destinationId === destinationId) this.#forget(key);
    }
    const given: Deliveries = { ...NO_DELIVERIES, latest: "failed" };
    const changes = { state: "failed", deliveries: given };
    this.update("deliveries", changes, "destination_id = ? AND state = 'pending'", destinationId);
  }

  /** Removes the deliveries of a destination. */
  remove(destinationId: string): void {
    this.drop(destinationId);
    this.sql.exec("DELETE FROM deliveries WHERE destination_id = ?", destinationId);
  }

  /** Deletes the deliveries that ended long ago. */
  prune(now: number): void {
    const oldest = deliveryIdAt(now - DELIVERY_DAYS * 86_400_000);
    this.sql.exec("DELETE FROM deliveries WHERE state <> 'pending' AND delivery_id < ?", oldest);
  }

  #add(destinationId: string, message: DestinationMessage): string {
    const messageId = `${deliveryIdAt(message.at)}${message.key}`;
    if ((this.#counts.get(destinationId) ?? 0) >= MAX_PENDING_DELIVERIES) {
      this.#overfull(destinationId, message.at);
      return messageId;
    }
    const address = { destinationId, messageId };
    const owed = this.#owed(address, message, NO_DELIVERIES);
    const ids = { destinationId, deliveryId: messageId };
    const row = { ...ids, state: "pending", message, deliveries: owed, attempts: [] };
    const added = this.insert("deliveries", row, "ON CONFLICT DO NOTHING RETURNING 1").toArray();
    if (added.length > 0) this.#planned(keyOf(address), owed);
    return messageId;
  }

  /** Returns the deliveries of a row with one more. */
  #owed(address: OwedAddress, { type: event, key }: DestinationMessage, before: Deliveries) {
    const found = this.#parts.destinations.find(address.destinationId);
    const url = found === null ? address.destinationId : shownUrl(found);
    const owed = { event, webhookId: `msg_${key}`, url };
    return this.#outboxOf(address).added(before, owed, Date.now());
  }

  /** Sees to it that a new delivery is sent right after the transaction. */
  #planned(key: string, owed: Deliveries): void {
    this.#plan(key, owed);
    this.#checks.set(key, Date.now());
    this.#parts.owed();
  }

  /** Writes what became of a delivery. */
  #store(address: OwedAddress, changed: Deliveries, attempt: CallbackAttempt | null): void {
    const before = attempt === null ? null : this.#row(address);
    const attempts = before && [...before.attempts, attempt].slice(-SHOWN_ATTEMPTS);
    const changes = { state: changed.latest, deliveries: changed, ...(attempts && { attempts }) };
    this.update("deliveries", changes, OF_ADDRESS, address.destinationId, address.messageId);
    const key = keyOf(address);
    this.#underWay.delete(key);
    this.#plan(key, changed);
  }

  #outboxOf(address: OwedAddress): DeliveryOutbox {
    const key = keyOf(address);
    return new DeliveryOutbox({
      deliveries: () => this.#underWay.get(key) ?? this.#row(address)?.deliveries ?? NO_DELIVERIES,
      save: (changed, attempt) => {
        if (attempt !== null) return this.#store(address, changed, attempt);
        this.#underWay.set(key, changed);
        this.#plan(key, changed);
      },
      send: (message) => this.#parts.send({ ...address, ...message }),
      store: null,
      ids: { ...address },
    });
  }

  /** Disables a destination for which too much waits. */
  #overfull(destinationId: string, now: number): void {
    const disabledReason = `${MAX_PENDING_DELIVERIES} deliveries waited for it.`;
    this.#parts.destinations.change(destinationId, { status: "disabled", disabledReason });
    this.#disabled(destinationId, now);
  }

  /** Tells the others of a destination that was disabled. */
  #disabled(destinationId: string, at: number): void {
    this.drop(destinationId);
    const { name, disabledReason = "" } = this.#parts.destinations.find(destinationId) ?? {};
    this.emit("destination.disabled", () => ({
      key: `${destinationId}_${at}`,
      at,
      page: `/dashboard/destinations/${destinationId}`,
      data: { destinationId, name: name ?? "", reason: disabledReason },
    }));
  }

  /** Returns where a row goes; null if that was removed or disabled. */
  #destinationOf({ destinationId: id, message }: MessageRow): DestinationOrder["to"] | null {
    const found = this.#parts.destinations.find(id);
    if (found !== null) return found.status === "enabled" ? found : null;
    return id.startsWith(MAIL) ? mailTo(id.slice(MAIL.length), message.origin ?? "") : null;
  }

  #plan(key: string, changed: Deliveries): void {
    const check = nextCheck(changed);
    const isNew = !this.#checks.all.has(key);
    if (check === null) {
      this.#forget(key);
      return;
    }
    this.#checks.set(key, check);
    if (isNew) this.#count(key, 1);
  }

  #forget(key: string): void {
    if (this.#checks.all.has(key)) this.#count(key, -1);
    this.#checks.set(key, null);
    this.#underWay.delete(key);
  }

  #count(key: string, change: number): void {
    const { destinationId } = addressOf(key);
    this.#counts.set(destinationId, (this.#counts.get(destinationId) ?? 0) + change);
  }

  #row({ destinationId, messageId }: OwedAddress): MessageRow | null {
    return this.#rows(OF_ADDRESS, destinationId, messageId)[0] ?? null;
  }

  #rows(condition: string, ...values: (string | number)[]): MessageRow[] {
    return this.rows(messageRow, `SELECT * FROM deliveries WHERE ${condition}`, ...values);
  }
}

/** Returns the beginning of the ids of deliveries of a time, by which they sort. */
function deliveryIdAt(at: number): string {
  return `del_${Math.max(0, at).toString(16).padStart(12, "0")}_`;
}

const SEPARATOR = "\n";

function keyOf({ destinationId, messageId }: OwedAddress): string {
  return `${destinationId}${SEPARATOR}${messageId}`;
}

function addressOf(key: string): OwedAddress {
  const [destinationId = "", messageId = ""] = key.split(SEPARATOR);
  return { destinationId, messageId };
}

function recordOf({ deliveryId, state, message, attempts }: MessageRow): DeliveryRecord {
  const { type, at } = message;
  return { deliveryId, type, at: new Date(at).toISOString(), state, attempts };
}

function mailTo(email: string, origin: string): DestinationOrder["to"] {
  const none = { url: null, sealedSecret: null, sealedHeaders: null };
  const how = { format: "email", payload: "thin", content: false } as const;
  return { destinationId: "", email, origin, ...none, ...how };
}
