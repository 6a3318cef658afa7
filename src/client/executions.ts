import * as z from "zod";
import { triggerAccepted } from "../contract/account.ts";
import { callbackLog } from "../contract/callbacks.ts";
import { type ExecutionEvent, executionEvent } from "../contract/events.ts";
import {
  type ExecutionResult,
  type ExecutionRow,
  type ExecutionState,
  type ExecutionStatus,
  executionResult,
  executionRow,
  executionState,
  isFinal,
  type Origin,
} from "../contract/execution.ts";
import { messageAccepted } from "../contract/session.ts";
import { executionTask } from "../contract/task.ts";
import type { messageBody, redeliverBody, stopBody, triggerBody } from "../contract/trigger.ts";
import { startDeadline } from "../lib/deadline.ts";
import { WaitTimeoutError } from "./error.ts";
import { type Abortable, eachPage, type Paging } from "./paging.ts";
import { follow, type Streaming } from "./stream.ts";
import type { Ask, Surroundings, Transport } from "./transport.ts";

const page = z.object({ executions: z.array(executionRow), nextCursor: z.string().nullable() });
const eventPage = z.object({ events: z.array(executionEvent), nextAfter: z.int() });
const stopped = executionState.pick({
  executionId: true,
  status: true,
  statusDetail: true,
  version: true,
});

export interface ListExecutions extends Paging {
  status?: readonly ExecutionStatus[];
  origin?: readonly Origin[];
  workflowId?: string;
  /** ISO 8601. */
  createdAfter?: string;
  createdBefore?: string;
}

export interface Once extends Abortable {
  /** The same key and body act once and are answered alike. */
  idempotencyKey?: string | undefined;
}

/** Runs of agents. */
export class Executions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts an agent. Without an `idempotencyKey` the call makes one, to be tried again under. */
  trigger(body: z.input<typeof triggerBody>, options: Once = {}) {
    return this.#transport.json(
      { method: "POST", path: "/agent/trigger", body, ...this.#once(options) },
      triggerAccepted,
    );
  }

  /**
   * Starts an agent and waits for its result, which tells how it ended: a run that fails or is stopped
   * has one too. Giving up the wait does not stop the run.
   */
  async run(
    body: z.input<typeof triggerBody>,
    { idempotencyKey, ...waiting }: Once & Waiting = {},
  ): Promise<ExecutionResult> {
    const { signal } = waiting;
    const { executionId } = await this.trigger(body, { idempotencyKey, signal });
    return this.wait(executionId, waiting);
  }

  /** Waits for the end of a run; answers its result, however it ended. */
  wait(executionId: string, waiting: Waiting = {}): Promise<ExecutionResult> {
    return untilEnded(this, executionId, waiting, this.#transport.options.surroundings);
  }

  /** The log of a run as it grows, to its last entry; a connection that breaks is taken up again. */
  stream(
    executionId: string,
    streaming: Streaming = {},
  ): AsyncGenerator<ExecutionEvent, void, void> {
    return follow(this.#transport, at(executionId, "/events"), streaming);
  }

  list(query: ListExecutions = {}, { signal }: Abortable = {}) {
    return this.#transport.json(
      { method: "GET", path: "/agent/trigger/list", query: { ...query }, signal },
      page,
    );
  }

  /** All of them, the newest first, read page by page. */
  async *all(
    query: Omit<ListExecutions, "cursor"> = {},
    options: Abortable = {},
  ): AsyncGenerator<ExecutionRow, void, void> {
    const read = (place: Paging) => this.list({ limit: 100, ...query, ...place }, options);
    for await (const { executions } of eachPage(read)) yield* executions;
  }

  /** With `sinceVersion` the answer waits, at most `waitSeconds`, until the version has passed it. */
  status(
    executionId: string,
    query: { sinceVersion?: number; waitSeconds?: number } = {},
    { signal }: Abortable = {},
  ) {
    const waitMs = (query.waitSeconds ?? 0) * 1_000;
    return this.#transport.json(
      { method: "GET", path: at(executionId, "/status"), query, waitMs, signal },
      executionState,
    );
  }

  /** What it was asked to do. */
  task(executionId: string, { signal }: Abortable = {}) {
    const ask = { method: "GET", path: at(executionId, "/task"), signal } as const;
    return this.#transport.json(ask, executionTask);
  }

  /** What came out. With `partial` also before the end: what there is until now. */
  result(executionId: string, query: { partial?: boolean } = {}, { signal }: Abortable = {}) {
    return this.#transport.json(
      { method: "GET", path: at(executionId, "/result"), query, signal },
      executionResult,
    );
  }

  message(executionId: string, body: z.input<typeof messageBody>, options: Once = {}) {
    return this.#transport.json(
      { method: "POST", path: at(executionId, "/message"), body, ...this.#once(options) },
      messageAccepted,
    );
  }

  stop(executionId: string, body: z.input<typeof stopBody> = {}, { signal }: Abortable = {}) {
    return this.#transport.json(
      { method: "POST", path: at(executionId, "/stop"), body, signal },
      stopped,
    );
  }

  /** A page of the log, from after an entry on. */
  events(
    executionId: string,
    query: { after?: number; limit?: number } = {},
    { signal }: Abortable = {},
  ) {
    return this.#transport.json(
      { method: "GET", path: at(executionId, "/events"), query, signal },
      eventPage,
    );
  }

  /** The bytes of a file that it made, as a response with its media type. */
  file(executionId: string, outputId: string, { signal }: Abortable = {}): Promise<Response> {
    const path = at(executionId, `/files/${encodeURIComponent(outputId)}`);
    return this.#transport.send({ method: "GET", path, headers: { Accept: "*/*" }, signal });
  }

  callbacks(executionId: string, { signal }: Abortable = {}) {
    return this.#transport.json(
      { method: "GET", path: at(executionId, "/callbacks"), signal },
      callbackLog,
    );
  }

  redeliver(
    executionId: string,
    body: z.input<typeof redeliverBody> = {},
    { signal }: Abortable = {},
  ) {
    return this.#transport.json(
      { method: "POST", path: at(executionId, "/callbacks/redeliver"), body, signal },
      callbackLog,
    );
  }

  #once({ idempotencyKey, signal }: Once): Pick<Ask, "idempotencyKey" | "signal"> {
    const { randomId } = this.#transport.options.surroundings;
    return { idempotencyKey: idempotencyKey ?? randomId(), signal };
  }
}

function at(executionId: string, rest: string): string {
  return `/agent/trigger/${encodeURIComponent(executionId)}${rest}`;
}

const LONG_POLL_SECONDS = 30;
const FIRST_PAUSE_MS = 100;
/** With it, one wait takes half of the sixty requests that an account has a minute, at the most. */
const LONGEST_PAUSE_MS = 2_000;
/** The longest time that a timer can be set to. */
const FOREVER_MS = 2 ** 31 - 1;

export interface Waiting extends Abortable {
  /** Told of each state that is seen. While it is `waiting_for_input`, `question` says for what. */
  onProgress?: ((state: ExecutionState) => void | Promise<void>) | undefined;
  /** After this long, `WaitTimeoutError`; as long as it takes, where it is left out. */
  timeoutMs?: number | undefined;
}

/** The calls that waiting is made of. */
export interface Waited {
  status(
    executionId: string,
    query: { sinceVersion?: number; waitSeconds?: number },
    options: Abortable,
  ): Promise<ExecutionState>;
  result(executionId: string, query: object, options: Abortable): Promise<ExecutionResult>;
}

/** Waits for the end of an execution; answers its result, whether or not it came to a good one. */
export async function untilEnded(
  executions: Waited,
  executionId: string,
  { onProgress, signal = new AbortController().signal, timeoutMs = FOREVER_MS }: Waiting,
  { sleep }: Surroundings,
): Promise<ExecutionResult> {
  const deadline = startDeadline(Math.min(timeoutMs, FOREVER_MS), signal);
  const within = { signal: deadline.signal };
  try {
    let state = await executions.status(executionId, {}, within);
    let pauseMs = FIRST_PAUSE_MS;
    await onProgress?.(state);
    while (!isFinal(state.status)) {
      // A busy execution has news at once, each time: asking without a pause would use up the rate.
      await sleep(pauseMs, deadline.signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      const { version } = state;
      const query = { sinceVersion: version, waitSeconds: LONG_POLL_SECONDS };
      state = await executions.status(executionId, query, within);
      if (state.version > version) await onProgress?.(state);
    }
    return await executions.result(executionId, {}, within);
  } catch (error) {
    if (deadline.expired && !signal.aborted) throw new WaitTimeoutError(executionId, timeoutMs);
    throw error;
  } finally {
    deadline.clear();
  }
}
