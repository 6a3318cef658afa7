import * as z from "zod";
import { closed, timestamp } from "../fields.ts";
import { json, jsonObject } from "../json.ts";
import { stage, stageError } from "./payload.ts";
import { headerName } from "./signature.ts";

export const requestId = z.uuid().describe("The entry of the log.");

export const requestStatus = z
  .enum(["rejected", "queued", "running", "succeeded", "failed", "duplicate"])
  .describe(
    "`running` while its execution goes on, `succeeded` once that is completed; `failed` otherwise, or when it could not be started.",
  );
export type RequestStatus = z.infer<typeof requestStatus>;

/** Whether an entry in this status changes no more. */
export function isSettled(status: RequestStatus): boolean {
  return status !== "queued" && status !== "running";
}

const startedId = z.uuid().nullable().describe("The execution that it started, or null.");
const mappedInputs = jsonObject
  .nullable()
  .describe("What the workflow gets, its defaults included; null where there is nothing.");

/** An entry of an endpoint's request log. */
export const logEntry = z
  .object({
    requestId,
    endpointId: z.string().describe("The endpoint that got it."),
    method: z.string().describe("Its method."),
    path: z.string().describe("The path that it came to."),
    query: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .describe("The query; a parameter that came more than once is a list."),
    headers: z
      .record(z.string(), z.string())
      .describe("The headers; credentials and signatures are hidden."),
    body: z
      .string()
      .nullable()
      .meta({ description: "As it was sent, inflated; null for none. Lists show the beginning." }),
    bodyTruncated: z.boolean().describe("Whether `body` is only the beginning."),
    sourceIp: z.string().nullable().describe("The address that it came from, where it is known."),
    receivedAt: timestamp.describe("When it came."),
    status: requestStatus,
    httpStatus: z.int().meta({ description: "What the sender was answered." }),
    errors: z.array(stageError).describe("Everything that was wrong, step by step."),
    warnings: z.array(z.string()).meta({
      description: "What did not hinder it: an ambiguous name, a shape never seen before.",
    }),
    diagnosis: z
      .array(z.string())
      .meta({ description: "What would have made the signature match, where it did not." }),
    eventId: z.string().nullable().describe("The sender's id of the event, where it has one."),
    duplicate: z.boolean().describe("Whether the event came before."),
    duplicateOf: requestId
      .nullable()
      .meta({ description: "The first request with its event id; null where that is gone." }),
    executionId: startedId,
    replayOf: requestId.nullable().describe("The entry that it repeats, or null."),
    edited: z.boolean().describe("Whether it repeats that with another payload."),
    drifted: z.boolean().meta({ description: "Its shape is not what was learned before it." }),
    latencyMs: z
      .object({
        toStart: z.int().nullable().describe("Until the execution was started; null before."),
        toCompletion: z.int().nullable().describe("Until the execution had ended; null before."),
      })
      .describe("How long things took, from its arrival."),
    mappedInputs,
  })
  .meta({ id: "InboundRequest" });
export type LogEntry = z.infer<typeof logEntry>;

export const logPage = z
  .object({
    requests: z.array(logEntry).describe("The newest first."),
    nextCursor: z.string().nullable().describe("`cursor` of the next page; null on the last one."),
  })
  .meta({ id: "InboundRequestPage" });

/** The body of POST .../requests/:requestId/replay. */
export const replayBody = closed({
  payload: json.optional().describe("Another payload; the logged one where it is left out."),
}).meta({ id: "ReplayRequest" });

/** The answer of a replay. */
export const replayAccepted = z
  .object({
    requestId: requestId.describe("The new entry of the log."),
    status: z.enum(["accepted", "queued"]).describe("`queued`: held until a workflow is attached."),
    executionId: startedId,
    duplicate: z.literal(false).describe("A replay never counts as one."),
    replayOf: requestId.describe("The entry that it repeats."),
    edited: z.boolean().describe("Whether it has another payload."),
  })
  .meta({ id: "ReplayAccepted" });
export type ReplayAccepted = z.infer<typeof replayAccepted>;

/** The verdict of one check, in a dry run. */
export const checkReport = z
  .object({
    stage,
    verdict: z.enum(["passed", "refused", "skipped"]).describe("How it went."),
    errors: z.array(stageError).describe("What is wrong."),
    note: z.string().optional().describe("What else there is to know."),
  })
  .meta({ id: "CheckReport" });
export type CheckReport = z.infer<typeof checkReport>;

/** RFC 9110, section 5.5, less obs-text: no CR, LF or NUL, which would begin another header. */
const headerValue = z
  .string()
  .max(10_000)
  .regex(/^[\t\x20-\x7e]*$/, "has characters that a header cannot hold");

/** The body of POST /webhooks/:endpointId/test: a sample request. */
export const testBody = closed({
  method: z.enum(["POST", "GET"]).default("POST").describe("Its method."),
  headers: z.record(headerName, headerValue).default({}).describe("Its headers."),
  query: z.record(z.string().max(500), z.string().max(10_000)).default({}).describe("Its query."),
  body: json
    .optional()
    .describe("The body: a text is sent as it is, any other value as JSON; or else `payload`."),
  payload: json
    .optional()
    .describe("The body as a value that is sent as JSON, also if it is text."),
  sourceIp: z
    .string()
    .max(50)
    .optional()
    .describe("The address that it comes from; your own where it is left out."),
  sign: z
    .boolean()
    .default(false)
    .describe("Adds what the endpoint's sender would: its headers, its token, its signature."),
})
  .refine((body) => body.body === undefined || body.payload === undefined, {
    message: "give body or payload, not both",
    path: ["body"],
  })
  .refine(
    ({ method, body, payload }) =>
      method === "POST" || (body === undefined && payload === undefined),
    { message: "a GET has its payload in the query", path: ["method"] },
  )
  .meta({ id: "TestRequest" });

export const testResult = z
  .object({
    accepted: z.boolean().describe("Whether it would be taken in."),
    httpStatus: z.int().describe("What the sender would be answered."),
    checks: z.array(checkReport).describe("Every check, in its order."),
    eventId: z.string().nullable().describe("The sender's id of the event, where it has one."),
    duplicate: z.boolean().describe("Whether the event came before."),
    mappedInputs,
    warnings: z.array(z.string()).describe("What would not hinder it."),
    diagnosis: z
      .array(z.string())
      .describe("What would have made the signature match, where it does not."),
  })
  .meta({ id: "TestResult" });

/** What the sender of a webhook is answered when it was taken in. */
export const hookAnswer = z
  .object({
    requestId: z.uuid().describe("Names the request in the endpoint's log."),
    status: z.enum(["accepted", "queued", "duplicate"]).meta({
      description:
        "`queued`: held until a workflow is attached. `duplicate`: the event came before, and this one starts nothing.",
    }),
    executionId: z
      .uuid()
      .nullable()
      .meta({ description: "Of a duplicate, the execution that the first one started." }),
    duplicate: z.boolean().describe("Whether the event came before."),
  })
  .meta({ id: "WebhookAnswer" });
export type HookAnswer = z.infer<typeof hookAnswer>;
