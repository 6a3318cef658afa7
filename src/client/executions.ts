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
import { executionStep } from "../contract/step.ts";
import { executionTask } from "../contract/task.ts";
import type { messageBody, redeliverBody, stopBody, triggerBody } from "../contract/trigger.ts";
import { startDeadline } from "../lib/async.ts";
import { isRateLimited, WaitTimeoutError, withExecution } from "./error.ts";
import { type CallOptions, eachPage, type PageQuery } from "./paging.ts";
import { follow, type StreamOptions } from "./stream.ts";
import type { ApiRequest, ClientRuntime, Transport } from "./transport.ts";

const page = z.object({ executions: z.array(executionRow), nextCursor: z.string().nullable() });
const eventPage = z.object({ events: z.array(executionEvent), nextAfter: z.int() });
const stopped = executionState.pick({
  executionId: true,
  status: true,
  statusDetail: true,
  version: true,
});

export interface ListExecutions extends PageQuery {
  status?: readonly ExecutionStatus[];
  origin?: readonly Origin[];
  workflowId?: string;
  /** Words in the start of the prompt, the start of the result, the metadata or the id. */
  q?: string;
  /** ISO 8601. */
  createdAfter?: string;
  createdBefore?: string;
}

export interface RepeatableOptions extends CallOptions {
  /** Repeating a call with the same key and body has no further effect and returns the same response. */
  idempotencyKey?: string | undefined;
}

/** Executions: agents started from a prompt, a workflow or a webhook. */
export class Executions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts an agent. Generates an idempotency key unless you pass one, so that retries start it once. */
  trigger(body: z.input<typeof triggerBody>, options: RepeatableOptions = {}) {
    return this.#transport.json(
      { method: "POST", path: "/agent/trigger", body, ...this.#once(options) },
      triggerAccepted,
    );
  }

  /**
   * Starts an agent and waits for its result. A failed or stopped execution has a result too. Aborting
   * the wait does not stop the execution. Every error after the start has its `executionId`, with which
   * `wait` continues.
   */
  async run(
    body: z.input<typeof triggerBody>,
    { idempotencyKey, ...waiting }: RepeatableOptions & WaitOptions = {},
  ): Promise<ExecutionResult> {
    const { signal } = waiting;
    const { executionId } = await this.trigger(body, { idempotencyKey, signal });
    return this.wait(executionId, waiting);
  }

  /**
   * Waits until the execution finishes and returns its result, whatever its final status. Goes on while
   * the rate limit refuses polls. Every error has the `executionId`.
   */
  wait(executionId: string, waiting: WaitOptions = {}): Promise<ExecutionResult> {
    return untilFinished(this, executionId, waiting, this.#transport.options.runtime);
  }

  /** Streams the execution's events until the final one and resumes after a broken connection. */
  stream(
    executionId: string,
    options: StreamOptions = {},
  ): AsyncGenerator<ExecutionEvent, void, void> {
    return follow(this.#transport, at(executionId, "/events"), options);
  }

  list(query: ListExecutions = {}, { signal }: CallOptions = {}) {
    return this.#transport.json(
      { method: "GET", path: "/agent/trigger/list", query: { ...query }, signal },
      page,
    );
  }

  /** Iterates over all of them, newest first, page by page. */
  async *all(
    query: Omit<ListExecutions, "cursor"> = {},
    options: CallOptions = {},
  ): AsyncGenerator<ExecutionRow, void, void> {
    const read = (place: PageQuery) => this.list({ limit: 100, ...query, ...place }, options);
    for await (const { executions } of eachPage(read)) yield* executions;
  }

  /** Returns the status. With `sinceVersion`, waits up to `waitSeconds` for a higher version. */
  status(
    executionId: string,
    query: { sinceVersion?: number; waitSeconds?: number } = {},
    { signal }: CallOptions = {},
  ) {
    const waitMs = (query.waitSeconds ?? 0) * 1_000;
    return this.#transport.json(
      { method: "GET", path: at(executionId, "/status"), query, waitMs, signal },
      executionState,
    );
  }

  /** Returns the request that started the execution. */
  task(executionId: string, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: at(executionId, "/task"), signal } as const;
    return this.#transport.json(request, executionTask);
  }

  /** Returns a step: what the model was sent and replied, from step 1. */
  step(executionId: string, step: number, { signal }: CallOptions = {}) {
    const path = at(executionId, `/steps/${step}`);
    return this.#transport.json({ method: "GET", path, signal }, executionStep);
  }

  /** Returns the result. With `partial`, also returns what an active execution has so far. */
  result(executionId: string, query: { partial?: boolean } = {}, { signal }: CallOptions = {}) {
    return this.#transport.json(
      { method: "GET", path: at(executionId, "/result"), query, signal },
      executionResult,
    );
  }

  message(executionId: string, body: z.input<typeof messageBody>, options: RepeatableOptions = {}) {
    return this.#transport.json(
      { method: "POST", path: at(executionId, "/message"), body, ...this.#once(options) },
      messageAccepted,
    );
  }

  stop(executionId: string, body: z.input<typeof stopBody> = {}, { signal }: CallOptions = {}) {
    return this.#transport.json(
      { method: "POST", path: at(executionId, "/stop"), body, signal },
      stopped,
    );
  }

  /** Returns a page of events after a sequence number. */
  events(
    executionId: string,
    query: { after?: number; limit?: number } = {},
    { signal }: CallOptions = {},
  ) {
    return this.#transport.json(
      { method: "GET", path: at(executionId, "/events"), query, signal },
      eventPage,
    );
  }

  /** Returns a file output as a response with its media type. */
  file(executionId: string, outputId: string, { signal }: CallOptions = {}): Promise<Response> {
    const path = at(executionId, `/files/${encodeURIComponent(outputId)}`);
    return this.#transport.send({ method: "GET", path, headers: { Accept: "*/*" }, signal });
  }

  callbacks(executionId: string, { signal }: CallOptions = {}) {
    return this.#transport.json(
      { method: "GET", path: at(executionId, "/callbacks"), signal },
      callbackLog,
    );
  }

  redeliver(
    executionId: string,
    body: z.input<typeof redeliverBody> = {},
    { signal }: CallOptions = {},
  ) {
    return this.#transport.json(
      { method: "POST", path: at(executionId, "/callbacks/redeliver"), body, signal },
      callbackLog,
    );
  }

  #once({
    idempotencyKey,
    signal,
  }: RepeatableOptions): Pick<ApiRequest, "idempotencyKey" | "signal"> {
    const { randomId } = this.#transport.options.runtime;
    return { idempotencyKey: idempotencyKey ?? randomId(), signal };
  }
}

function at(executionId: string, rest: string): string {
  return `/agent/trigger/${encodeURIComponent(executionId)}${rest}`;
}

const LONG_POLL_SECONDS = 30;
const FIRST_PAUSE_MS = 100;
/** Keeps one wait within half of an account's 60 requests a minute. */
const LONGEST_PAUSE_MS = 2_000;
/** The window of the rate limit: the pause after a refusal that names none. */
const RATE_WINDOW_SECONDS = 60;
/** The longest delay that a timer accepts. */
const FOREVER_MS = 2 ** 31 - 1;

export interface WaitOptions extends CallOptions {
  /** Receives each new state. In `waiting_for_input`, `question` holds what the agent asks. */
  onProgress?: ((state: ExecutionState) => void | Promise<void>) | undefined;
  /** Throws `WaitTimeoutError` after this many milliseconds (default: no timeout). */
  timeoutMs?: number | undefined;
}

/** The calls that waiting uses. */
interface StatusReader {
  status(
    executionId: string,
    query: { sinceVersion?: number; waitSeconds?: number },
    options: CallOptions,
  ): Promise<ExecutionState>;
  result(executionId: string, query: object, options: CallOptions): Promise<ExecutionResult>;
}

/** Polls until the execution finishes and returns its result. */
async function untilFinished(
  executions: StatusReader,
  executionId: string,
  { onProgress, signal = new AbortController().signal, timeoutMs = FOREVER_MS }: WaitOptions,
  { sleep }: ClientRuntime,
): Promise<ExecutionResult> {
  const deadline = startDeadline(Math.min(timeoutMs, FOREVER_MS), signal);
  const within = { signal: deadline.signal };
  /** Repeats a poll that the rate limit refused: the execution is paid for, and continues. */
  async function allowed<T>(poll: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await poll();
      } catch (error) {
        if (!isRateLimited(error)) throw error;
        const pauseMs = (error.retryAfterSeconds ?? RATE_WINDOW_SECONDS) * 1_000;
        await sleep(Math.min(pauseMs, FOREVER_MS), deadline.signal);
      }
    }
  }
  try {
    let state = await allowed(() => executions.status(executionId, {}, within));
    let pauseMs = FIRST_PAUSE_MS;
    await onProgress?.(state);
    while (!isFinal(state.status)) {
      // A busy execution changes all the time: polling without a pause would use up the rate limit.
      await sleep(pauseMs, deadline.signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      const { version } = state;
      const query = { sinceVersion: version, waitSeconds: LONG_POLL_SECONDS };
      state = await allowed(() => executions.status(executionId, query, within));
      if (state.version > version) await onProgress?.(state);
    }
    return await allowed(() => executions.result(executionId, {}, within));
  } catch (error) {
    if (deadline.expired && !signal.aborted) throw new WaitTimeoutError(executionId, timeoutMs);
    throw withExecution(error, executionId);
  } finally {
    deadline.clear();
  }
}
