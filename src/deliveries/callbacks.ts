import type { CallbackAttempt, CallbackLog, DeliveryOrder } from "../contract/callbacks.ts";
import { type ExecutionState, type ExecutionStatus, isFinal } from "../contract/execution.ts";
import type { ExecutionSeed, RedeliverReply } from "../contract/session.ts";
import { continuedTrace } from "../lib/trace-context.ts";
import { DeliveryOutbox, type DeliveryOwner, type Owed } from "./outbox.ts";
import type { Deliveries } from "./pending.ts";

/** The part of an execution's state that its callbacks name. */
type Reached = Pick<ExecutionState, "status" | "version">;

/** What callbacks need of their session. */
export interface CallbackContext<State> extends Omit<DeliveryOwner, "ids"> {
  state(): State;
  /** Returns the body of the callback of a state. */
  body(state: State): string;
  attempts(): readonly CallbackAttempt[];
  /** Sends the messages that are due, and resolves when they are sent. */
  sendNow(): Promise<void>;
}

/** The callbacks of one execution: which changes of status are told, and what the receiver gets. */
export class Callbacks<State extends Reached> extends DeliveryOutbox {
  readonly #seed: ExecutionSeed;
  readonly #context: CallbackContext<State>;

  constructor(seed: ExecutionSeed, context: CallbackContext<State>) {
    super({ ...context, ids: { executionId: seed.executionId } });
    this.#seed = seed;
    this.#context = context;
  }

  /** Returns the deliveries with those of statuses just reached. Called within their transaction. */
  announced(statuses: readonly ExecutionStatus[], state: State, now: number): Deliveries {
    const { callback } = this.#seed;
    let deliveries = this.#context.deliveries();
    if (callback === null || callback.url === null) return deliveries;
    for (const status of statuses) {
      if (!callback.events.some((event) => event === status)) continue;
      // A final result can be rendered at any time; a question is gone once it is answered.
      const isPassing = status === "waiting_for_input";
      const body = isPassing ? { body: this.#context.body(state) } : {};
      const owed = { ...this.#eventOf(state), url: callback.url, ...body };
      deliveries = this.added(deliveries, owed, now);
    }
    return deliveries;
  }

  /** Sends the callback of an execution's end once more, under the same id. */
  async redeliver(url: string | null): Promise<RedeliverReply> {
    const state = this.#context.state();
    if (!isFinal(state.status)) return { kind: "not_ready", status: state.status };
    const target = url ?? this.#seed.callback?.url ?? null;
    if (target === null) return { kind: "no_address" };
    const owed = { ...this.#eventOf(state), url: target };
    this.#context.save(this.added(this.#context.deliveries(), owed, Date.now()), null);
    await this.#context.sendNow();
    return { kind: "queued", log: this.log() };
  }

  log(): CallbackLog {
    return { attempts: [...this.#context.attempts()], state: this.#context.deliveries().latest };
  }

  /** Returns what to deliver now, or null if this attempt is over, stale, or running elsewhere. */
  order(deliveryId: string, attempt: number): DeliveryOrder | null {
    const begun = this.begin(deliveryId, attempt);
    if (begun === null) return null;
    const { webhookId, url, body } = begun;
    return {
      webhookId,
      url,
      sealedSecret: this.#seed.callback?.sealedSecret ?? null,
      body: body ?? this.#context.body(this.#context.state()),
      serviceHosts: this.#seed.serviceHosts,
      headers: continuedTrace(this.#seed, "root"),
    };
  }

  #eventOf({ status, version }: Reached): Pick<Owed, "event" | "webhookId"> {
    return { event: `execution.${status}`, webhookId: `msg_${this.#seed.executionId}_${version}` };
  }
}
