import type { CallbackAttempt, DeliveryReport } from "../contract/callbacks.ts";
import { within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import {
  addDelivery,
  attemptBegun,
  attemptEnded,
  type Deliveries,
  type Delivery,
  deliveriesToSend,
  deliveryIdOf,
  dueDelivery,
  messageRefused,
  messageSent,
} from "./pending.ts";

const SEND_TIMEOUT_MS = 10_000;

/** The object that owes deliveries, in whose storage they are kept. */
export interface DeliveryOwner {
  deliveries(): Deliveries;
  /** Stores changed deliveries, and the attempt that changed them. */
  save(deliveries: Deliveries, attempt: CallbackAttempt | null): void;
  /** Puts the message of an attempt into the queue. */
  send(message: { deliveryId: string; attempt: number }): Promise<unknown>;
  /** Keeps the bodies that cannot be rendered again, because what they tell has changed since; null for none. */
  store: {
    transaction(change: () => void): void;
    putBlob(name: string, bytes: Uint8Array): void;
    blob(name: string): Uint8Array;
    deleteBlob(name: string): void;
  } | null;
  /** What log lines name. */
  ids: Record<string, string>;
}

/** What is owed: an event for an address. `body` is left out where it can be rendered at any time. */
export type Owed = Pick<Delivery, "event" | "webhookId" | "url" | "isEvent"> & { body?: string };

/**
 * The deliveries that an object owes, on their way through the queue. The queue carries ids only and may
 * lose or repeat them: what is pending lives with its owner, in the transaction that made it due.
 */
export class DeliveryOutbox {
  readonly #owner: DeliveryOwner;

  constructor(owner: DeliveryOwner) {
    this.#owner = owner;
  }

  /** Returns deliveries with one more. Called within the owner's transaction. */
  added(all: Deliveries, { body, ...owed }: Owed, now: number): Deliveries {
    const hasSnapshot = body !== undefined;
    if (hasSnapshot) {
      const name = snapshotOf(deliveryIdOf(all.count + 1));
      this.#owner.store?.putBlob(name, new TextEncoder().encode(body));
    }
    return addDelivery(all, { ...owed, hasSnapshot }, now);
  }

  /** Sends the messages that are due or lost. */
  async send(): Promise<undefined> {
    const owner = this.#owner;
    const now = Date.now();
    for (const { deliveryId, attempt } of deliveriesToSend(owner.deliveries(), now)) {
      // Recorded first: a concurrent send must not send the same message again.
      owner.save(messageSent(owner.deliveries(), deliveryId, now), null);
      try {
        await within("the queue", SEND_TIMEOUT_MS, owner.send({ deliveryId, attempt }));
      } catch (error) {
        logWarning("callback not queued", owner.ids, error);
        owner.save(messageRefused(owner.deliveries(), deliveryId, Date.now()), null);
      }
    }
  }

  /**
   * Begins an attempt. Returns the delivery with its stored body, if it has one, or null if this attempt is
   * over, stale, or running elsewhere.
   */
  begin(deliveryId: string, attempt: number): (Delivery & { body: string | null }) | null {
    const owner = this.#owner;
    const now = Date.now();
    const delivery = dueDelivery(owner.deliveries(), deliveryId, attempt, now);
    if (delivery === null) return null;
    owner.save(attemptBegun(owner.deliveries(), deliveryId, now), null);
    const stored = delivery.hasSnapshot ? owner.store?.blob(snapshotOf(deliveryId)) : undefined;
    return { ...delivery, body: stored === undefined ? null : new TextDecoder().decode(stored) };
  }

  /** Records how an attempt went. A report for a finished attempt changes nothing, and returns false. */
  end(deliveryId: string, attempt: number, report: DeliveryReport): boolean {
    const owner = this.#owner;
    const clock = { now: Date.now(), random: Math.random() };
    const ended = attemptEnded(owner.deliveries(), { deliveryId, attempt }, report, clock);
    if (ended === null) return false;
    const { store } = owner;
    const save = () => owner.save(ended.deliveries, ended.attempt);
    if (store === null) save();
    else
      store.transaction(() => {
        save();
        const isPending = ended.deliveries.pending.some((each) => each.deliveryId === deliveryId);
        if (!isPending) store.deleteBlob(snapshotOf(deliveryId));
      });
    return true;
  }
}

/** Returns the name under which a delivery's body is stored. */
function snapshotOf(deliveryId: string): string {
  return `callback/${deliveryId}`;
}
