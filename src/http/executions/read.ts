import { accepts } from "hono/accepts";
import * as z from "zod";
import { executionEvent } from "../../contract/events.ts";
import {
  executionResult,
  executionRow,
  executionState,
  executionStatus,
  isFinal,
  origin,
} from "../../contract/execution.ts";
import type { FileReply, Unknown } from "../../contract/session.ts";
import { executionStep, executionTask } from "../../contract/task.ts";
import { apiKey, apiKeyVerifiedByHandler, authorize, type KeyHolder } from "../authentication.ts";
import type { Http } from "../context.ts";
import { attachment, etag, isUnchanged } from "../headers.ts";
import { executionsBy } from "../jobs.ts";
import { listQuery, listRoute } from "../list.ts";
import { listOf, moment, parameters, wholeNumber, wholeNumberOr } from "../params.ts";
import { HttpProblem, invalid } from "../problem.ts";
import { jsonResponse, type ResponseRule, route } from "../route.ts";
import {
  AGENT,
  type Asked,
  callSession,
  readSession,
  type SessionCall,
  type SessionCalls,
} from "./session.ts";

const list = listRoute(`${AGENT}/trigger/list`, {
  operationId: "listExecutions",
  summary: "List executions",
  description: "Returns executions, newest first, each as soon as it is accepted.",
  auth: apiKey("executions:read"),
  query: listQuery({
    status: listOf(executionStatus),
    origin: listOf(origin),
    workflowId: z.string().min(1).max(100).optional().describe("Only executions of this workflow."),
    q: z
      .string()
      .max(200)
      .optional()
      .meta({
        description:
          "Only executions among the newest 20,000 with all these words in the start of the prompt, the inputs or the result, the metadata, the event id or the id, regardless of case.",
        param: { example: "invoice" },
      }),
    createdAfter: moment.optional().describe("Only executions accepted after this time."),
    createdBefore: moment.optional().describe("Only executions accepted before this time."),
  }),
  items: "executions",
  page: "ExecutionPage",
  item: executionRow,
  async read({ http, caller, query }, after) {
    const { executions: items, next } = await executionsBy(http.env, caller.accountId, {
      limit: query.limit,
      cursor: after && { createdAt: after.createdAt, executionId: after.id },
      statuses: query.status,
      origins: query.origin,
      workflowId: query.workflowId ?? null,
      words: (query.q ?? "").toLowerCase().split(/\s+/).filter(Boolean),
      createdAfter: query.createdAfter ?? null,
      createdBefore: query.createdBefore ?? null,
    });
    return { items, next: next && { createdAt: next.createdAt, id: next.executionId } };
  },
});

const waitSeconds = wholeNumber(1, 30)
  .optional()
  .meta({ description: "The maximum time to wait.", param: { example: 10 } });

const status = route("GET", `${AGENT}/trigger/:executionId/status`, {
  operationId: "getExecutionStatus",
  summary: "Get the status of an execution",
  description:
    "Returns the status and the progress. To wait for a change instead of polling, pass the last `version` as `sinceVersion` together with `waitSeconds`: the response is sent when the version changes or the time is up.",
  auth: apiKeyVerifiedByHandler("executions:read"),
  query: parameters({
    sinceVersion: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .meta({
        description: "The version that you last saw. Wait for a later one.",
        param: { example: 1 },
      }),
    waitSeconds,
  }).refine(
    ({ sinceVersion, waitSeconds }) => waitSeconds === undefined || sinceVersion !== undefined,
    { message: "is required with `waitSeconds`", path: ["sinceVersion"] },
  ),
  response: jsonResponse(200, "The status.", executionState),
  requestHeaders: ["If-None-Match"],
  responseHeaders: ["ETag"],
  async handler(asked) {
    const { http, query } = asked;
    const { sinceVersion, waitSeconds } = query;
    if (sinceVersion === undefined || waitSeconds === undefined) {
      const { state } = await readSession(asked, (host, id) => host.status(id));
      return versioned(http, state);
    }
    // The session holds a waiting request for long: only for a caller that is admitted.
    const caller = await authorize(http, asked.caller);
    const { state } = await callSession({ ...asked, caller }, (host, id) =>
      host.waitForStatus(id, sinceVersion, waitSeconds),
    );
    return versioned(http, state);
  },
});

const task = route("GET", `${AGENT}/trigger/:executionId/task`, {
  operationId: "getExecutionTask",
  summary: "Get the task of an execution",
  description: "Returns the prompt and all settings, defaults included, without secrets.",
  auth: apiKeyVerifiedByHandler("executions:read"),
  response: jsonResponse(200, "The task.", executionTask),
  async handler(asked) {
    return { value: (await readSession(asked, (host, id) => host.task(id))).task };
  },
});

const step = route("GET", `${AGENT}/trigger/:executionId/steps/:step`, {
  operationId: "getExecutionStep",
  summary: "Get a step of an execution",
  description: "Returns what the model was sent, its reply, and all tries with tokens and price.",
  auth: apiKeyVerifiedByHandler("executions:read"),
  response: jsonResponse(200, "The step.", executionStep),
  async handler(asked) {
    const { step: number } = asked.params;
    return { value: (await readSession(asked, (host, id) => host.step(id, number))).step };
  },
});

const result = route("GET", `${AGENT}/trigger/:executionId/result`, {
  operationId: "getExecutionResult",
  summary: "Get the result of an execution",
  description:
    "Returns the outputs, the effects and the cost of an execution that has ended. A failed or stopped execution keeps the outputs that it produced. With `waitSeconds`, the response is sent when the execution ends or the time is up.",
  auth: apiKeyVerifiedByHandler("executions:read"),
  query: parameters({
    partial: z.enum(["true", "false"]).default("false").describe("`true`: also before it ended."),
    waitSeconds,
  }),
  response: jsonResponse(200, "The result.", executionResult),
  problems: ["result_not_ready"],
  requestHeaders: ["If-None-Match"],
  responseHeaders: ["ETag"],
  async handler(asked) {
    const { partial, waitSeconds } = asked.query;
    const call = (host: SessionCalls, id: string) =>
      host.result(id, { partial: partial === "true" });
    const reply =
      waitSeconds === undefined
        ? await readSession(asked, call)
        : await callAtEnd(asked, call, waitSeconds);
    if (reply.kind === "not_ready") throw resultNotReady(reply.status);
    return versioned(asked.http, reply.result);
  },
});

/** Calls a session when its execution has ended, or after this many seconds. */
async function callAtEnd<Known extends { kind: string }>(
  asked: Asked<KeyHolder>,
  call: SessionCall<Known>,
  seconds: number,
): Promise<Known> {
  const until = Date.now() + seconds * 1_000;
  const admitted = { ...asked, caller: await authorize(asked.http, asked.caller) };
  let sinceVersion = 0;
  for (let left = seconds; left > 0; left = (until - Date.now()) / 1_000) {
    const since = sinceVersion;
    const { state } = await callSession(admitted, (host, id) =>
      host.waitForStatus(id, since, left),
    );
    if (isFinal(state.status)) break;
    sinceVersion = state.version;
  }
  return await callSession(admitted, call);
}

/** Returns the value with its ETag, or a 304 if the client has this version. */
function versioned<Value extends { version: number }>(http: Http, value: Value) {
  const headers = { ETag: etag(value.version) };
  if (isUnchanged(http.req.header("If-None-Match"), value.version)) {
    return new Response(null, { status: 304, headers });
  }
  return { value, headers };
}

/** Returns the problem of an execution that has not ended. */
export function resultNotReady(current: string): HttpProblem {
  return new HttpProblem(
    "result_not_ready",
    `The execution is ${current}; its result is available once it ends.`,
    { retryAfterSeconds: 2 },
  );
}

const page = z
  .object({
    events: z.array(executionEvent).describe("The events, oldest first."),
    nextAfter: z.int().meta({ description: "Pass it as `after` to get the next events." }),
  })
  .meta({ id: "EventPage" });

const example = {
  seq: 1,
  type: "status" as const,
  at: "2026-11-20T09:30:00.000Z",
  version: 1,
  data: { status: "active", statusDetail: "queued" },
};

const json = jsonResponse(200, "The events, as a stream or in pages.", page);

const response: ResponseRule<z.infer<typeof page>> = {
  ...json,
  content: {
    "text/event-stream": {
      schema: z.string(),
      example: `id: 1\nevent: status\ndata: ${JSON.stringify(example)}\n\n`,
    },
    ...json.content,
  },
};

const events = route("GET", `${AGENT}/trigger/:executionId/events`, {
  operationId: "readExecutionEvents",
  summary: "Follow the events of an execution",
  description:
    'Streams the execution\'s events as server-sent events and closes after the final one. Between them, events of the type `text` hold pieces of what the model is writing: `{"text": "..."}`, without an id; they are not stored, so a stream that opens later does not get them. With `Accept: application/json` it returns them in pages.',
  auth: apiKey("executions:read"),
  query: parameters({
    after: wholeNumberOr(0, 0, Number.MAX_SAFE_INTEGER).meta({
      description: "The sequence number of the last event that you have.",
      override: { default: 0 },
    }),
    limit: wholeNumberOr(100, 1, 1_000).meta({
      description: "The maximum number of events in a page.",
      override: { default: 100 },
    }),
  }),
  response,
  requestHeaders: ["Last-Event-ID"],
  otherResponses: [
    {
      status: 204,
      description: "No event follows the one in `Last-Event-ID`. An EventSource stops here.",
      content: {},
    },
  ],
  async handler(asked) {
    const { http, query } = asked;
    const { after, limit } = query;
    const supports = ["text/event-stream", "application/json"];
    const wanted = accepts(http, { header: "Accept", supports, default: "text/event-stream" });
    if (wanted === "application/json") {
      const { events: found } = await callSession(asked, (host, id) =>
        host.events(id, { after, limit }),
      );
      return { value: { events: found, nextAfter: found.at(-1)?.seq ?? after } };
    }
    const from = lastEventId(http) ?? after;
    const reply = await callSession(asked, (host, id) => host.follow(id, from));
    if (reply.kind === "over") return new Response(null, { status: 204 });
    const isHead = http.req.method === "HEAD";
    if (isHead) await reply.stream.cancel();
    return new Response(isHead ? null : reply.stream, {
      headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
    });
  },
});

/** An EventSource that reconnects repeats its address, so this header wins over `after`. */
function lastEventId(http: Http): number | null {
  const header = http.req.header("Last-Event-ID");
  if (header === undefined || header === "") return null;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw invalid("Last-Event-ID", "header", "must be the id of an event, a whole number");
}

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/;

/** A file as it is downloaded. */
export type File = Exclude<FileReply, Unknown>;

export const fileResponse: ResponseRule<File> = {
  status: 200,
  description: "The file, with its own media type.",
  content: {
    "*/*": {
      schema: z.string().meta({ override: { format: "binary" } }),
      example: "name,price\nTea,3.20\n",
    },
  },
  render: ({ mediaType, filename, bytes }) =>
    new Response(bytes, {
      headers: {
        "Content-Type": MEDIA_TYPE.test(mediaType) ? mediaType : "application/octet-stream",
        "Content-Disposition": attachment(filename),
        // An agent wrote this file: if it is a page, it must not run with the dashboard's origin.
        "Content-Security-Policy": "sandbox; default-src 'none'",
      },
    }),
};

const file = route("GET", `${AGENT}/trigger/:executionId/files/:outputId`, {
  operationId: "downloadFile",
  summary: "Download a file",
  description: "Returns the bytes of an output of the type `file`, whose `url` is this address.",
  auth: apiKey("executions:read"),
  response: fileResponse,
  responseHeaders: ["Content-Disposition"],
  async handler(asked) {
    return { value: await callSession(asked, (host, id) => host.file(id, asked.params.outputId)) };
  },
});

export const readRoutes = [list, status, task, result, events, step, file];
