import * as z from "zod";
import { triggerAccepted } from "../contract/account.ts";
import { callbackLog } from "../contract/callbacks.ts";
import { executionEvent } from "../contract/events.ts";
import {
  type ExecutionStatus,
  executionResult,
  executionRow,
  executionState,
  type Origin,
} from "../contract/execution.ts";
import { messageAccepted } from "../contract/session.ts";
import { executionTask } from "../contract/task.ts";
import type { messageBody, redeliverBody, stopBody, triggerBody } from "../contract/trigger.ts";
import type { Transport } from "./transport.ts";

const page = z.object({ executions: z.array(executionRow), nextCursor: z.string().nullable() });
const eventPage = z.object({ events: z.array(executionEvent), nextAfter: z.int() });
const stopped = executionState.pick({
  executionId: true,
  status: true,
  statusDetail: true,
  version: true,
});

export interface ListExecutions {
  limit?: number;
  cursor?: string;
  status?: readonly ExecutionStatus[];
  origin?: readonly Origin[];
  workflowId?: string;
  /** ISO 8601. */
  createdAfter?: string;
  createdBefore?: string;
}

export interface Once {
  /** The same key and body act once and are answered alike. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Runs of agents. */
export class Executions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  trigger(body: z.input<typeof triggerBody>, { idempotencyKey, signal }: Once = {}) {
    const headers = onceHeaders(idempotencyKey);
    return this.#transport.json(
      { method: "POST", path: "/agent/trigger", body, headers, signal },
      triggerAccepted,
    );
  }

  list(query: ListExecutions = {}) {
    return this.#transport.json(
      { method: "GET", path: "/agent/trigger/list", query: { ...query } },
      page,
    );
  }

  /** With `sinceVersion` the answer waits, at most `waitSeconds`, until the version has passed it. */
  status(executionId: string, query: { sinceVersion?: number; waitSeconds?: number } = {}) {
    return this.#transport.json(
      { method: "GET", path: at(executionId, "/status"), query },
      executionState,
    );
  }

  /** What it was asked to do. */
  task(executionId: string) {
    return this.#transport.json({ method: "GET", path: at(executionId, "/task") }, executionTask);
  }

  /** With `partial` also before the end, as far as it has come. */
  result(executionId: string, query: { partial?: boolean } = {}) {
    return this.#transport.json(
      { method: "GET", path: at(executionId, "/result"), query },
      executionResult,
    );
  }

  message(
    executionId: string,
    body: z.input<typeof messageBody>,
    { idempotencyKey, signal }: Once = {},
  ) {
    const headers = onceHeaders(idempotencyKey);
    return this.#transport.json(
      { method: "POST", path: at(executionId, "/message"), body, headers, signal },
      messageAccepted,
    );
  }

  stop(executionId: string, body: z.input<typeof stopBody> = {}) {
    return this.#transport.json({ method: "POST", path: at(executionId, "/stop"), body }, stopped);
  }

  /** A page of the log, from after an entry on. */
  events(executionId: string, query: { after?: number; limit?: number } = {}) {
    return this.#transport.json(
      { method: "GET", path: at(executionId, "/events"), query },
      eventPage,
    );
  }

  /** The bytes of a file that it made, as a response with its media type. */
  file(executionId: string, outputId: string): Promise<Response> {
    const path = at(executionId, `/files/${encodeURIComponent(outputId)}`);
    return this.#transport.send({ method: "GET", path, headers: { Accept: "*/*" } });
  }

  callbacks(executionId: string) {
    return this.#transport.json(
      { method: "GET", path: at(executionId, "/callbacks") },
      callbackLog,
    );
  }

  redeliver(executionId: string, body: z.input<typeof redeliverBody> = {}) {
    return this.#transport.json(
      { method: "POST", path: at(executionId, "/callbacks/redeliver"), body },
      callbackLog,
    );
  }
}

function at(executionId: string, rest: string): string {
  return `/agent/trigger/${encodeURIComponent(executionId)}${rest}`;
}

function onceHeaders(idempotencyKey: string | undefined): Record<string, string> {
  return idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
}
