import * as z from "zod";
import { closed } from "../closed.ts";
import { json, jsonObject } from "../json.ts";
import { stage, stageError } from "./payload.ts";
import { headerName } from "./signature.ts";

const timestamp = z.iso.datetime({ precision: 3 });

export const requestId = z.uuid();

export const requestStatus = z.enum([
  "rejected",
  "queued",
  "running",
  "succeeded",
  "failed",
  "duplicate",
]);
export type RequestStatus = z.infer<typeof requestStatus>;

/** Whether an entry in this status changes no more. */
export function isSettled(status: RequestStatus): boolean {
  return status !== "queued" && status !== "running";
}

/** An entry of an endpoint's request log. */
export const logEntry = z
  .object({
    requestId,
    endpointId: z.string(),
    method: z.string(),
    path: z.string(),
    query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    headers: z.record(z.string(), z.string()),
    body: z
      .string()
      .nullable()
      .meta({ description: "As it was sent, inflated; null for none. Lists show the beginning." }),
    bodyTruncated: z.boolean(),
    sourceIp: z.string().nullable(),
    receivedAt: timestamp,
    status: requestStatus,
    httpStatus: z.int().meta({ description: "What the sender was answered." }),
    errors: z.array(stageError),
    warnings: z.array(z.string()).meta({
      description: "What did not hinder it: an ambiguous name, a shape never seen before.",
    }),
    diagnosis: z
      .array(z.string())
      .meta({ description: "What would have made the signature match, where it did not." }),
    eventId: z.string().nullable(),
    duplicate: z.boolean(),
    duplicateOf: requestId
      .nullable()
      .meta({ description: "The first request with its event id; null where that is gone." }),
    executionId: z.uuid().nullable(),
    replayOf: requestId.nullable(),
    edited: z.boolean(),
    drifted: z.boolean().meta({ description: "Its shape is not what was learned before it." }),
    latencyMs: z.object({
      toStart: z.int().nullable(),
      toCompletion: z.int().nullable(),
    }),
    mappedInputs: jsonObject.nullable(),
  })
  .meta({ id: "InboundRequest" });
export type LogEntry = z.infer<typeof logEntry>;

export const logPage = z
  .object({ requests: z.array(logEntry), nextCursor: z.string().nullable() })
  .meta({ id: "InboundRequestPage" });

/** The body of POST .../requests/:requestId/replay. */
export const replayBody = closed({ payload: json.optional() }).meta({ id: "ReplayRequest" });

/** The answer of a replay. */
export const replayAccepted = z
  .object({
    requestId,
    status: z.enum(["accepted", "queued"]),
    executionId: z.uuid().nullable(),
    duplicate: z.literal(false),
    replayOf: requestId,
    edited: z.boolean(),
  })
  .meta({ id: "ReplayAccepted" });
export type ReplayAccepted = z.infer<typeof replayAccepted>;

/** The verdict of one check, in a dry run. */
export const checkReport = z
  .object({
    stage,
    verdict: z.enum(["passed", "refused", "skipped"]),
    errors: z.array(stageError),
    note: z.string().optional(),
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
  method: z.enum(["POST", "GET"]).default("POST"),
  headers: z.record(headerName, headerValue).default({}),
  query: z.record(z.string().max(500), z.string().max(10_000)).default({}),
  /** The raw body, as it would be sent; or `payload`, which is sent as JSON. */
  body: z.string().optional(),
  payload: json.optional(),
  sourceIp: z.string().max(50).optional(),
  /** Signs the sample with the endpoint's own secrets, as the sender would. */
  sign: z.boolean().default(false),
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
    accepted: z.boolean(),
    httpStatus: z.int(),
    checks: z.array(checkReport),
    eventId: z.string().nullable(),
    duplicate: z.boolean(),
    mappedInputs: jsonObject.nullable(),
    warnings: z.array(z.string()),
    diagnosis: z.array(z.string()),
  })
  .meta({ id: "TestResult" });
