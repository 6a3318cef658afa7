import type {
  CallbackAttempt,
  CallbackLog,
  DeliveryMessage,
  DeliveryOrder,
  DeliveryReport,
} from "../contract/callbacks.ts";
import { isFinal } from "../contract/execution.ts";
import type { ExecutionSeed, RedeliverReply } from "../contract/session.ts";
import type { CallbackEvent } from "../contract/trigger.ts";
import { within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import {
  addDelivery,
  attemptBegun,
  attemptEnded,
  deliveriesToSend,
  deliveryIdOf,
  dueDelivery,
  messageRefused,
  messageSent,
} from "./deliveries.ts";
import type { Deliveries } from "./journal/head.ts";
import type { Journal } from "./journal/journal.ts";
import type { MachineState } from "./machine/state.ts";
import type { Fact } from "./machine/transition.ts";

const SEND_TIMEOUT_MS = 10_000;

/** What the sender needs of its session. */
export interface CallbackContext {
  state(): MachineState;
  deliveries(): Deliveries;
  /** Stores changed deliveries, and the attempt that changed them. */
  save(deliveries: Deliveries, attempt: CallbackAttempt | null): void;
  /** Returns the body of the callback of a state. */
  body(state: MachineState): string;
  attempts(): readonly CallbackAttempt[];
  /** Sends the messages that are due, and resolves when they are sent. */
  sendNow(): Promise<void>;
  journal: Journal;
}

/**
 * Sends the callbacks of one execution to the queue, and records the attempts. The queue carries ids
 * only and may lose or repeat them: the deliveries are part of the execution's head.
 */
export class CallbackSender {
  readonly #env: CloudflareEnv;
  readonly #seed: ExecutionSeed;
  readonly #context: CallbackContext;

  constructor(env: CloudflareEnv, seed: ExecutionSeed, context: CallbackContext) {
    this.#env = env;
    this.#seed = seed;
    this.#context = context;
  }

  /** Returns the deliveries with those that a transition announces. Called within its transaction. */
  announced(facts: readonly Fact[], state: MachineState, now: number): Deliveries {
    const { callback } = this.#seed;
    let deliveries = this.#context.deliveries();
    if (callback === null || callback.url === null) return deliveries;
    for (const fact of facts) {
      if (fact.kind !== "announce" || !isSubscribed(callback.events, fact.status)) continue;
      // A final result can be rendered at any time; a question is gone once it is answered.
      const hasSnapshot = fact.status === "waiting_for_input";
      if (hasSnapshot) {
        const body = new TextEncoder().encode(this.#context.body(state));
        this.#context.journal.putBlob(snapshotOf(deliveryIdOf(deliveries.count + 1)), body);
      }
      deliveries = this.#added(deliveries, state, { url: callback.url, hasSnapshot }, now);
    }
    return deliveries;
  }

  /** Sends the callback of an execution's end once more, under the same id. */
  async redeliver(url: string | null): Promise<RedeliverReply> {
    const state = this.#context.state();
    if (!isFinal(state.status)) return { kind: "not_ready", status: state.status };
    const target = url ?? this.#seed.callback?.url ?? null;
    if (target === null) return { kind: "no_address" };
    const owed = { url: target, hasSnapshot: false };
    this.#context.save(this.#added(this.#context.deliveries(), state, owed, Date.now()), null);
    await this.#context.sendNow();
    return { kind: "queued", log: this.log() };
  }

  log(): CallbackLog {
    const attempts = [...this.#context.attempts()];
    return { attempts, state: this.#context.deliveries().latest };
  }

  /** Sends the messages that are due or lost. */
  async send(): Promise<undefined> {
    const { executionId, accountId } = this.#seed;
    const now = Date.now();
    for (const { deliveryId, attempt } of deliveriesToSend(this.#context.deliveries(), now)) {
      const message: DeliveryMessage = { v: 1, accountId, executionId, deliveryId, attempt };
      // Recorded first: a concurrent send must not send the same message again.
      this.#context.save(messageSent(this.#context.deliveries(), deliveryId, now), null);
      try {
        await within("the queue", SEND_TIMEOUT_MS, this.#env.CALLBACKS.send(message));
      } catch (error) {
        logWarning("callback not queued", { executionId }, error);
        const deliveries = this.#context.deliveries();
        this.#context.save(messageRefused(deliveries, deliveryId, Date.now()), null);
      }
    }
  }

  /** Returns what to deliver now, or null if this attempt is over, stale, or running elsewhere. */
  begin(deliveryId: string, attempt: number): DeliveryOrder | null {
    const now = Date.now();
    const { journal, deliveries, save, body, state } = this.#context;
    const delivery = dueDelivery(deliveries(), deliveryId, attempt, now);
    if (delivery === null) return null;
    save(attemptBegun(deliveries(), deliveryId, now), null);
    return {
      webhookId: delivery.webhookId,
      url: delivery.url,
      sealedSecret: this.#seed.callback?.sealedSecret ?? null,
      body: delivery.hasSnapshot
        ? new TextDecoder().decode(journal.blob(snapshotOf(deliveryId)))
        : body(state()),
      serviceHosts: this.#seed.serviceHosts,
    };
  }

  /** Records how an attempt went. A report for a finished attempt changes nothing. */
  end(deliveryId: string, attempt: number, report: DeliveryReport): void {
    const { journal, deliveries, save } = this.#context;
    const clock = { now: Date.now(), random: Math.random() };
    const ended = attemptEnded(deliveries(), { deliveryId, attempt }, report, clock);
    if (ended === null) return;
    journal.transaction(() => {
      save(ended.deliveries, ended.attempt);
      const isPending = ended.deliveries.pending.some((each) => each.deliveryId === deliveryId);
      if (!isPending) journal.deleteBlob(snapshotOf(deliveryId));
    });
  }

  #added(
    all: Deliveries,
    { status, version }: MachineState,
    target: { url: string; hasSnapshot: boolean },
    now: number,
  ): Deliveries {
    const webhookId = `msg_${this.#seed.executionId}_${version}`;
    return addDelivery(all, { event: `execution.${status}`, webhookId, ...target }, now);
  }
}

function isSubscribed(events: readonly CallbackEvent[], status: string): boolean {
  return events.some((event) => event === status);
}

/** Returns the name of the blob that holds a delivery's body. */
function snapshotOf(deliveryId: string): string {
  return `callback/${deliveryId}`;
}
