import type {
  CallbackLog,
  DeliveryMessage,
  DeliveryOrder,
  DeliveryReport,
} from "../contract/callbacks.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { CallbackEvent } from "../contract/trigger.ts";
import type { Wakeup } from "../durable/alarm-scheduler.ts";
import { within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import type { MachineState } from "./machine/state.ts";
import type { Fact } from "./machine/transition.ts";
import { Deliveries } from "./store/deliveries.ts";
import type { SessionStore } from "./store/session-store.ts";
import { resultView, toIso } from "./views.ts";

const SEND_TIMEOUT_MS = 10_000;

/**
 * Schedules callbacks, sends them to the queue, and records the attempts. The queue carries ids only
 * and may lose or repeat them: the deliveries are stored here.
 */
export class CallbackScheduler {
  readonly #env: CloudflareEnv;
  readonly #deliveries: Deliveries;
  readonly #wakeup: Wakeup;

  /** `wakeup` sends the messages if the immediate attempt is lost. */
  constructor(storage: DurableObjectStorage, env: CloudflareEnv, wakeup: Wakeup) {
    this.#env = env;
    this.#deliveries = new Deliveries(storage);
    this.#wakeup = wakeup;
  }

  /** Stores the callbacks that a transition announces. Call it within the transition's transaction. */
  schedule(
    seed: ExecutionSeed,
    state: MachineState,
    facts: readonly Fact[],
    store: SessionStore,
  ): void {
    const { callback } = seed;
    if (callback === null || callback.url === null) return;
    for (const fact of facts) {
      if (fact.kind !== "announce" || !isSubscribed(callback.events, fact.status)) continue;
      // A final result can be rendered at any time; a question is gone once it is answered.
      const snapshot =
        fact.status === "waiting_for_input" ? callbackBody(seed, state, store) : null;
      this.#add(seed, state, callback.url, snapshot);
    }
  }

  /** Stores the callback of an execution's end once more, under the same id. */
  redeliver(seed: ExecutionSeed, state: MachineState, url: string): void {
    this.#add(seed, state, url, null);
  }

  /** Plans the next check of the pending deliveries. Returns whether there are any. */
  plan(): boolean {
    const check = this.#deliveries.nextCheck();
    this.#wakeup.plan(check);
    return check !== null;
  }

  log(): CallbackLog {
    return this.#deliveries.log();
  }

  /** Sends the messages that are due or lost. */
  async send(executionId: string): Promise<void> {
    const now = Date.now();
    for (const delivery of this.#deliveries.toSend(now)) {
      const message: DeliveryMessage = {
        v: 1,
        executionId,
        deliveryId: delivery.delivery_id,
        attempt: delivery.attempt,
      };
      // Recorded first: a concurrent send must not send the same message again.
      this.#deliveries.sent(delivery, now);
      try {
        await within("the queue", SEND_TIMEOUT_MS, this.#env.CALLBACKS.send(message));
      } catch (error) {
        logWarning("callback not queued", { executionId }, error);
        this.#deliveries.notSent(delivery, Date.now());
      }
    }
    this.plan();
  }

  /** Returns what to deliver now, or null if this attempt is over, stale, or running elsewhere. */
  beginAttempt(
    deliveryId: string,
    attempt: number,
    execution: { seed: ExecutionSeed; state: MachineState; store: SessionStore },
  ): DeliveryOrder | null {
    const delivery = this.#deliveries.begin(deliveryId, attempt, Date.now());
    if (delivery === null) return null;
    const { seed, state, store } = execution;
    return {
      webhookId: delivery.webhook_id,
      url: delivery.url,
      sealedSecret: seed.callback?.sealedSecret ?? null,
      body: delivery.snapshot ?? callbackBody(seed, state, store),
      serviceHosts: seed.serviceHosts,
    };
  }

  endAttempt(deliveryId: string, attempt: number, report: DeliveryReport): void {
    this.#deliveries.end(deliveryId, attempt, report, { now: Date.now(), random: Math.random() });
  }

  #add(seed: ExecutionSeed, state: MachineState, url: string, snapshot: string | null): void {
    const event = `execution.${state.status}`;
    const webhookId = `msg_${seed.executionId}_${state.version}`;
    this.#deliveries.add({ event, webhookId, url, snapshot }, Date.now());
  }
}

function isSubscribed(events: readonly CallbackEvent[], status: string): boolean {
  return events.some((event) => event === status);
}

/** Returns the body of a callback: the result with the event's type and time. */
function callbackBody(seed: ExecutionSeed, state: MachineState, store: SessionStore): string {
  const result = resultView(seed, state, {
    outputs: store.outputs.all(),
    effects: store.effects(),
  });
  return JSON.stringify({
    type: `execution.${state.status}`,
    timestamp: toIso(state.finishedAt ?? state.updatedAt),
    ...result,
  });
}
