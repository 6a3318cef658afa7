import type { TriggerAccepted, TriggerBatchResult } from "../contract/account.ts";
import type { CallbackLog } from "../contract/callbacks.ts";
import type { ExecutionEvent } from "../contract/events.ts";
import type {
  ExecutionResult,
  ExecutionRow,
  ExecutionState,
  ExecutionStatus,
  ForkOf,
  Origin,
} from "../contract/execution.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import type { ScoreRecord } from "../contract/rehearsals.ts";
import type { MessageAccepted } from "../contract/session.ts";
import type { ExecutionStep, ExecutionTask } from "../contract/task.ts";
import { mapConcurrently } from "../lib/async.ts";
import type * as bodies from "./bodies.ts";
import { UnexpectedResponseError, withExecution } from "./error.ts";
import { eachItem, type Page, type PageQuery, Resource } from "./resource.ts";
import { follow, type StreamOptions } from "./stream.ts";
import type { CallOptions, RepeatableOptions } from "./transport.ts";
import { untilFinished, type WaitOptions } from "./wait.ts";

/** Executions of one batch, and those of it that are waited for at the same time. */
const MOST_AT_ONCE = 100;
const WAITS_AT_ONCE = 8;
/** The pause while the account has no place for any. */
const FULL_PAUSE_MS = 10_000;

type Problem = Extract<TriggerBatchResult["results"][number], { problem: unknown }>["problem"];

export interface ListExecutions extends PageQuery {
  status?: readonly ExecutionStatus[];
  origin?: readonly Origin[];
  workflowId?: string | undefined;
  /** Words in the start of the prompt, inputs or result, the metadata, the event id or the id. */
  q?: string;
  /** ISO 8601. */
  createdAfter?: string;
  createdBefore?: string;
}

type EventPage = { events: ExecutionEvent[]; nextAfter: number };
type Stopped = Pick<ExecutionState, "executionId" | "status" | "statusDetail" | "version">;
type Forked = TriggerAccepted & { forkOf: ForkOf };

type RunAllOptions = CallOptions & { onStarted?(executionId: string, at: number): void };

/** The same for `run`, with JSON Schema or a schema of a library. */
export type RunBody<Data> = Omit<bodies.TriggerBody, "outputSchema"> & {
  outputSchema?: JsonObject | ResultSchema<Data>;
};

/** Executions: agents started from a prompt, a workflow or a webhook. */
export class Executions extends Resource {
  /** Returns the request that started the execution. */
  readonly task = this.reads<ExecutionTask>("/task");
  /** Returns a page of events after a sequence number. */
  readonly events = this.asks<EventPage, { after?: number; limit?: number }>("/events");
  readonly stop = this.sends<bodies.StopBody, Stopped>("/stop");
  readonly callbacks = this.reads<CallbackLog>("/callbacks");
  readonly scores = this.reads<{ scores: ScoreRecord[] }>("/scores");
  /** Stores a judgement, in place of the caller's earlier one of the same name. */
  readonly score = this.sends<bodies.ScoreBody, ScoreRecord>("/scores");
  readonly redeliver = this.sends<bodies.RedeliverBody, CallbackLog>("/callbacks/redeliver");

  /** Starts an agent. Generates an idempotency key unless you pass one, so that retries start it once. */
  trigger(body: bodies.TriggerBody, options: RepeatableOptions = {}) {
    return this.transport.once<TriggerAccepted>(this.path, body, options);
  }

  /** Starts up to 100 agents with one request; each is accepted or rejected by itself. */
  triggerMany(executions: readonly bodies.TriggerBody[], options: RepeatableOptions = {}) {
    return this.transport.once<TriggerBatchResult>(this.at("batch"), { executions }, options);
  }

  /**
   * Starts any number of agents, within the account's limits, and waits for all of them. Returns the result
   * of each in their order, or the problem for which it was refused. What has started continues after an
   * error or an abort: `onStarted` tells of each, by its place in the list.
   */
  async runAll(
    bodies: readonly bodies.TriggerBody[],
    { signal = new AbortController().signal, onStarted }: RunAllOptions = {},
  ): Promise<(ExecutionResult | Problem)[]> {
    const results: (ExecutionResult | Problem)[] = [];
    let rest = bodies.map((body, at) => ({ body, at }));
    while (rest.length > 0) {
      const some = rest.slice(0, MOST_AT_ONCE);
      const asked = some.map(({ body }) => body);
      const replies = await this.triggerMany(asked, { signal });
      const replied = some.map((one, n) => ({ ...one, reply: replies.results[n] }));
      for (const { at, reply } of replied)
        if (reply && "executionId" in reply) onStarted?.(reply.executionId, at);
      // What the account has no place for waits for those that it has.
      const limited = replied.filter(({ reply }) => reply?.status === 429);
      await mapConcurrently(WAITS_AT_ONCE, replied, async ({ at, reply }) => {
        if (reply === undefined || limited.some((one) => one.at === at)) return;
        results[at] =
          "problem" in reply ? reply.problem : await this.wait(reply.executionId, { signal });
      });
      if (limited.length === some.length)
        await this.transport.options.runtime.sleep(FULL_PAUSE_MS, signal);
      rest = [...limited, ...rest.slice(MOST_AT_ONCE)];
    }
    return results;
  }

  /**
   * Starts an agent and waits for its result. A failed or stopped execution has a result too. Aborting
   * the wait does not stop the execution. Every error after the start has its `executionId`, with which
   * `wait` continues. With a schema of zod's as `outputSchema`, `data` has the schema's type.
   */
  run<Data = Json>(
    body: RunBody<Data>,
    options?: RepeatableOptions & WaitOptions,
  ): Promise<ResultOf<Data>>;
  async run(
    { outputSchema, ...rest }: RunBody<unknown>,
    { idempotencyKey, ...waiting }: RepeatableOptions & WaitOptions = {},
  ): Promise<ResultOf<unknown>> {
    const { signal } = waiting;
    const schema = isResultSchema(outputSchema) ? outputSchema : null;
    const written = schema === null ? outputSchema : jsonSchemaOf(schema);
    const body = { ...rest, ...(written !== undefined && { outputSchema: written }) };
    const { executionId } = await this.trigger(body, { idempotencyKey, signal });
    const result = await this.wait(executionId, waiting);
    return schema === null ? result : await parsedResult(result, schema);
  }

  /**
   * Waits until the execution finishes and returns its result, whatever its final status. Goes on while
   * the rate limit refuses polls. Every error has the `executionId`.
   */
  wait<Data = Json>(executionId: string, waiting: WaitOptions = {}): Promise<ResultOf<Data>> {
    const { runtime } = this.transport.options;
    return untilFinished<ResultOf<Data>>(this, executionId, waiting, runtime);
  }

  /**
   * Returns the result. With `partial`, also returns what an active execution has so far. `Data` is the type
   * of its `data`, which the service has checked against the `outputSchema`.
   */
  result<Data = Json>(
    executionId: string,
    query: { partial?: boolean } = {},
    options?: CallOptions,
  ) {
    return this.transport.get<ResultOf<Data>>(this.at(executionId, "/result"), query, options);
  }

  /** Streams the execution's events until the final one and resumes after a broken connection. */
  stream(
    executionId: string,
    options: StreamOptions = {},
  ): AsyncGenerator<ExecutionEvent, void, void> {
    return follow(this.transport, this.at(executionId, "/events"), options);
  }

  list(query: ListExecutions = {}, options?: CallOptions) {
    return this.transport.get<Page<"executions", ExecutionRow>>(this.at("list"), query, options);
  }

  /** Iterates over all of them, newest first, page by page. */
  all(query: Omit<ListExecutions, "cursor"> = {}, options?: CallOptions) {
    return eachItem("executions", (place) =>
      this.list({ limit: 100, ...query, ...place }, options),
    );
  }

  /** Returns the status. With `sinceVersion`, waits up to `waitSeconds` for a higher version. */
  status(
    executionId: string,
    query: { sinceVersion?: number; waitSeconds?: number } = {},
    { signal }: CallOptions = {},
  ) {
    const waitMs = (query.waitSeconds ?? 0) * 1_000;
    const path = this.at(executionId, "/status");
    return this.transport.json<ExecutionState>({ method: "GET", path, query, waitMs, signal });
  }

  /** Returns a step: what the model was sent and replied, from step 1. */
  step(executionId: string, step: number, options?: CallOptions) {
    return this.transport.get<ExecutionStep>(this.at(executionId, `/steps/${step}`), {}, options);
  }

  message(executionId: string, body: bodies.MessageBody, options: RepeatableOptions = {}) {
    return this.transport.once<MessageAccepted>(this.at(executionId, "/message"), body, options);
  }

  /** Continues an execution from a step, its failure or its end, as a new one. */
  fork(executionId: string, body: bodies.ForkBody = {}, options: RepeatableOptions = {}) {
    return this.transport.once<Forked>(this.at(executionId, "/fork"), body, options);
  }

  /** Returns a file output as a response with its media type. */
  file(executionId: string, outputId: string, { signal }: CallOptions = {}): Promise<Response> {
    const path = this.at(executionId, `/files/${encodeURIComponent(outputId)}`);
    return this.transport.send({ method: "GET", path, headers: { Accept: "*/*" }, signal });
  }
}

/**
 * A schema of a library such as zod, which checks values and writes itself as JSON Schema (Standard Schema
 * and Standard JSON Schema, https://standardschema.dev).
 */
export interface ResultSchema<Data> {
  readonly "~standard": {
    validate(value: unknown): Validated<Data> | Promise<Validated<Data>>;
    readonly jsonSchema: {
      input(options: { target: "draft-2020-12" }): Record<string, unknown>;
    };
  };
}

type Validated<Data> =
  | { readonly value: Data; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** A result whose `data` has this type. */
export type ResultOf<Data> = ExecutionResult extends infer Result extends ExecutionResult
  ? Result extends unknown
    ? Omit<Result, "presentedResult"> & {
        presentedResult: Omit<Result["presentedResult"], "data"> & { data?: Data };
      }
    : never
  : never;

/** Whether `outputSchema` is a library's, rather than JSON Schema itself. */
function isResultSchema<Data>(
  schema: JsonObject | ResultSchema<Data> | undefined,
): schema is ResultSchema<Data> {
  return schema !== undefined && "~standard" in schema;
}

/** Returns JSON Schema for the data that the agent has to produce: what the schema takes, not what it makes of it. */
function jsonSchemaOf(schema: ResultSchema<unknown>): JsonObject {
  const written = schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  return JSON.parse(JSON.stringify(written));
}

/** Returns the result with its `data` as the schema parses it. Throws where the schema refuses it. */
async function parsedResult<Data>(
  result: ExecutionResult,
  schema: ResultSchema<Data>,
): Promise<ResultOf<Data>> {
  const { data, ...presented } = result.presentedResult;
  if (data === undefined) return { ...result, presentedResult: presented };
  const validated = await schema["~standard"].validate(data satisfies Json);
  if (validated.issues === undefined) {
    return { ...result, presentedResult: { ...presented, data: validated.value } };
  }
  const [issue] = validated.issues;
  const message = `The result's data is not as its schema says: ${issue?.message}`;
  throw withExecution(new UnexpectedResponseError(message, { status: 200 }), result.executionId);
}
