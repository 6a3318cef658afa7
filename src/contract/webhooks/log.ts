import * as z from "zod";
import { atMostOne, closed, flag, listOf, oneOf, open, timestamp } from "../fields.ts";
import { json, jsonObject } from "../json.ts";
import { advice } from "./advice.ts";
import { isBefore, stage, stageError } from "./payload.ts";
import { matchFields } from "./routing.ts";
import { headerName, place } from "./signature.ts";

export const requestId = z.uuid().describe("The id of the request in the log.");

export const requestStatus = oneOf(
  "rejected",
  "queued",
  "running",
  "succeeded",
  "failed",
  "duplicate",
  "unrouted",
  "superseded",
  "logged",
).describe(
  "`queued` while it is held or about to start; one with errors could not be mapped when it was released, and stays held. `running` while its execution is active, `succeeded` once it has completed, or for an answered check of the address, `failed` if it ended otherwise or could not be started. `unrouted`: no route matched. `superseded`: a further event of its case replaced it, before it started or while its execution was live. `logged`: it was accepted and starts nothing. Of several routes, the one that is not over yet counts, else a failure.",
);
export type RequestStatus = z.infer<typeof requestStatus>;

/** The fewest characters of a text that payloads are searched for. */
export const MIN_SEARCHED = 3;
/** What payloads are searched for. */
export const searchedText = z
  .string()
  .min(MIN_SEARCHED, `must have at least ${MIN_SEARCHED} characters`)
  .max(200);

/** Returns whether an entry in this status never changes again. */
export function isSettled(status: RequestStatus): boolean {
  return status !== "queued" && status !== "running";
}

const startedId = z.uuid().nullable().describe("The execution that it started, or null.");
export const eventIdSource = place
  .safeExtend({
    rule: oneOf("endpoint", "preset", "header", "body", "body_and_hash").describe(
      "`endpoint`: the endpoint's setting. `preset`: the preset of the sender. `header` and `body`: a place that many senders share. `body_and_hash`: the body's `id`, followed by a hash of the payload.",
    ),
  })
  .nullable()
  .describe("The rule that found the event id, and the place; null without an event id.");
export type EventIdSource = NonNullable<z.infer<typeof eventIdSource>>;

const workflowRevision = z
  .int()
  .nullable()
  .describe("The revision of the workflow that it ran under; null if unknown.");
const mappedInputs = jsonObject
  .nullable()
  .describe("The inputs of the workflow, including defaults; null if there are none.");

/** What became of a request at one route. */
const loggedRoute = open({
  ...matchFields,
  executionId: startedId,
  status: requestStatus.nullable().describe("The state of its execution; null if none starts."),
  workflowRevision,
  mappedInputs,
}).meta({ id: "LoggedRoute" });
export type LoggedRoute = z.infer<typeof loggedRoute>;

/** The place of a request in the batch that it was split from. */
export const batchItem = open({
  requestId: requestId.describe("The id of the batch: that of its first request."),
  index: z.int().describe("The place in the batch, from 0."),
  count: z.int().describe("The number of requests of the batch."),
}).meta({ id: "BatchItem" });
export type BatchItem = z.infer<typeof batchItem>;

/** An entry of an endpoint's request log. */
export const logEntry = open({
  requestId,
  endpointId: z.string().describe("The endpoint that received it."),
  method: z.string().describe("The method of the request."),
  path: z.string().describe("The path of the request."),
  query: z
    .record(z.string(), z.union([z.string(), listOf(z.string())]))
    .describe("The query. A repeated parameter is a list."),
  headers: z.record(z.string(), z.string()).describe("The headers, credentials redacted."),
  body: z
    .string()
    .nullable()
    .describe("The decompressed body, or null. Lists include only its beginning."),
  bodyTruncated: z.boolean().describe("Whether `body` is only the beginning of the body."),
  sourceIp: z.string().nullable().describe("The sender's address, as Cloudflare reports it."),
  receivedAt: timestamp.describe("When the request was received."),
  status: requestStatus,
  httpStatus: z.int().describe("The status code of the response to the sender."),
  errors: listOf(stageError).describe("The errors that the checks found."),
  warnings: listOf(z.string()).describe("What did not cause a rejection, such as a new shape."),
  diagnosis: listOf(z.string()).describe("Why it is not authenticated, and what to change."),
  advice: advice.nullable().describe("The same for programs."),
  eventId: z.string().nullable().describe("The sender's id of the event, or null."),
  eventIdSource,
  eventType: z.string().nullable().describe("The sender's name of the event's type, or null."),
  duplicate: z.boolean().describe("Whether the event is a duplicate."),
  duplicateOf: requestId.nullable().describe("The first one of its event id, or null."),
  executionId: startedId,
  replayOf: requestId.nullable().describe("The request that it replays, or null."),
  edited: z.boolean().describe("Whether it has another payload than the original."),
  batch: batchItem.nullable().describe("The place of an item of a batch."),
  drifted: z.boolean().describe("Whether it differs from the learned shape."),
  latencyMs: open({
    toStart: z.int().nullable().describe("Until the execution was started; null before."),
    toCompletion: z.int().nullable().describe("Until the execution ended; null before."),
  }).describe("Milliseconds from the receipt of the request or, if it was held, from its release."),
  mappedInputs: mappedInputs.describe(
    "The inputs of the workflow, including defaults; null if there are none. With `routing`, each of `routes` has its own.",
  ),
  revision: z.int().nullable().describe("That of the endpoint at its run; null if unknown."),
  workflowRevision,
  routes: listOf(loggedRoute).describe("The routes at that time; empty for none."),
}).meta({ id: "InboundRequest" });
export type LogEntry = z.infer<typeof logEntry>;

export const logPage = open({
  requests: listOf(logEntry).describe("The items, newest first."),
  nextCursor: z.string().nullable().describe("The `cursor` of the next page, or null."),
}).meta({ id: "InboundRequestPage" });

/**
 * Returns whether a request was refused before its sender was authenticated. Without methods in `auth` no
 * sender ever is, and only a refusal by a former one counts.
 */
export function failedAuthentication(
  { status, errors: [first] }: Pick<LogEntry, "status" | "errors">,
  auth: object,
): boolean {
  if (status !== "rejected" || first === undefined) return false;
  const byAuth = ["ip", "auth", "signature"].includes(first.stage);
  const hasMethod = Object.values(auth).some((method) =>
    Array.isArray(method) ? method.length > 0 : Boolean(method),
  );
  return byAuth || (isBefore(first.stage, "parse") && hasMethod);
}

/** The body of POST .../requests/:requestId/replay. */
export const replayBody = closed({
  payload: json.optional().describe("Another payload. If left out, the logged one is replayed."),
  revision: oneOf("then", "now")
    .default("now")
    .describe(
      "Whether the replay runs under the revisions of the endpoint and its workflows that the request ran under (`then`), or under the current ones. Secrets are the current ones.",
    ),
  acceptUnverified: z.boolean().default(false).describe("To replay one that anyone may have sent."),
}).meta({ id: "ReplayRequest" });

/** The response to a replay. */
export const replayAccepted = open({
  requestId: requestId.describe("The id of the replay in the log."),
  status: oneOf("accepted", "queued", "unrouted", "logged").describe("As senders get it."),
  executionId: startedId,
  duplicate: z.literal(false).describe("Always false: a replay is never a duplicate."),
  replayOf: requestId.describe("The request that it replays."),
  edited: z.boolean().describe("Whether it has another payload than the original."),
}).meta({ id: "ReplayAccepted" });
export type ReplayAccepted = z.infer<typeof replayAccepted>;

/** The verdict of one check, in a dry run. */
const checkReport = open({
  stage,
  verdict: oneOf("passed", "refused", "skipped").describe("The outcome of the check."),
  errors: listOf(stageError).describe("The errors that the check found."),
  note: z.string().optional().describe("A remark on the verdict."),
}).meta({ id: "CheckReport" });
export type CheckReport = z.infer<typeof checkReport>;

/** RFC 9110, section 5.5, less obs-text: no CR, LF or NUL, which would begin another header. */
const headerValue = z
  .string()
  .max(10_000)
  .regex(/^[\t\x20-\x7e]*$/, "must contain only characters that are valid in a header");

const queryValue = z.string().max(10_000);

/** The body of POST /webhooks/:endpointId/test: a sample request. */
export const testBody = closed({
  method: oneOf("POST", "GET").default("POST").describe("The method of the request."),
  headers: z.record(headerName, headerValue).default({}).describe("The headers of the request."),
  query: z
    .record(z.string().max(500), z.union([queryValue, listOf(queryValue)]))
    .default({})
    .describe("The query. A repeated parameter is a list."),
  body: json.optional().describe("The body: a string as it is, any other value as JSON."),
  payload: json.optional().describe("A value to send as JSON, even if it is a string."),
  sourceIp: z.string().max(50).optional().describe("The sender's address. Defaults to your own."),
  send: flag
    .default(false)
    .describe("Whether to send it: it is logged and starts an execution, whatever its address."),
  sign: z.boolean().default(false).describe("Whether to authenticate it as the sender does."),
})
  .apply(atMostOne(["body", "payload"], "must not be set together with `payload`", "body"))
  .refine(
    ({ method, body, payload }) =>
      method === "POST" || (body === undefined && payload === undefined),
    { message: "must not be set for GET, whose payload is the query", path: ["method"] },
  )
  .refine(({ send, sourceIp }) => !send || sourceIp === undefined, {
    message: "must not be set together with `send`",
    path: ["sourceIp"],
  })
  .meta({ id: "TestRequest" });

export const testResult = open({
  ...logEntry.pick({
    eventId: true,
    eventIdSource: true,
    eventType: true,
    duplicate: true,
    mappedInputs: true,
    executionId: true,
  }).shape,
  accepted: z.boolean().describe("Whether the request would be accepted."),
  httpStatus: z.int().describe("The status code that the sender would get."),
  checks: listOf(checkReport).describe("The checks, in order."),
  warnings: listOf(z.string()).describe("Issues that would not cause a rejection."),
  diagnosis: listOf(z.string()).describe("Why it is not authenticated, and what to change."),
  advice: advice.nullable().describe("The same for programs."),
  requestId: requestId.nullable().describe("With `send`, its id in the log; null otherwise."),
  items: z
    .int()
    .nullable()
    .describe("How many `split` makes, of which a rejected one is shown first; null for none."),
}).meta({ id: "TestResult" });

/** What became of an item of a batch. */
const answeredItem = open({
  requestId,
  status: oneOf("accepted", "queued", "duplicate", "unrouted", "logged", "rejected").describe(
    "As for a request; `rejected`: the item failed validation or mapping.",
  ),
  executionId: z.uuid().nullable().describe("The execution that it started, or null."),
  duplicate: z.boolean().describe("Whether the event is a duplicate."),
  errors: listOf(stageError).optional().describe("Why it was rejected."),
}).meta({ id: "WebhookAnswerItem" });
export type AnsweredItem = z.infer<typeof answeredItem>;

/** The response to the sender of an accepted webhook. */
export const hookAnswer = open({
  requestId: z.uuid().describe("The id of the request in the endpoint's log."),
  status: oneOf("accepted", "queued", "duplicate", "unrouted", "logged").describe(
    "`queued`: held until a workflow is attached, gathered with others of its case, or behind another of it. `duplicate`: a repeated event, which starts nothing. `unrouted`: no route matched. `logged`: it starts nothing.",
  ),
  executionId: startedId.describe("The first execution that it started, or that a duplicate did."),
  duplicate: z.boolean().describe("Whether the event is a duplicate."),
  requests: listOf(answeredItem).optional().meta({
    description:
      "With `split`, each item of the batch, in order. The fields above are then those of the first item that is accepted; a batch of duplicates alone is one.",
  }),
}).meta({ id: "WebhookAnswer" });
export type HookAnswer = z.infer<typeof hookAnswer>;
