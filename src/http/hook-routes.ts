import * as z from "zod";
import { json } from "../contract/json.ts";
import type { ProblemCode } from "../contract/problem.ts";
import { hookAnswer } from "../contract/webhooks/log.ts";
import { MAX_MAX_BYTES } from "../contract/webhooks/validation.ts";
import { webhookSenders } from "./authentication.ts";
import { HOOKS_PREFIX, handleWebhook } from "./hooks.ts";
import { jsonResponse, type Route } from "./route.ts";

const PROBLEM_CODES: ProblemCode[] = [
  "malformed_json",
  "unauthorized",
  "stale_request",
  "ip_not_allowed",
  "not_found",
  "method_not_allowed",
  "request_timeout",
  "gone",
  "payload_too_large",
  "unsupported_media_type",
  "validation_failed",
  "mapping_failed",
  "rate_limited",
  "unavailable",
];

/** Their paths, methods and bodies are each endpoint's own. */
const byPost: Route = {
  method: "POST",
  path: `${HOOKS_PREFIX}:endpointId`,
  operationId: "receiveWebhook",
  tag: "Webhooks",
  summary: "Send an event to an endpoint",
  description:
    "Send the request to the endpoint's `url`. The endpoint's settings define its authentication and payload. Without a workflow the endpoint holds the request and answers `queued`. An endpoint with a `response` of its own sends that instead.",
  auth: webhookSenders,
  params: z.object({
    endpointId: z.string().describe("The id of the endpoint, or its custom path."),
  }),
  query: z.object({}),
  body: {
    content: {
      schema: json,
      required: false,
      example: { id: "evt_1", order: { id: 1007, total: 12.5 } },
      maxBytes: MAX_MAX_BYTES,
    },
  },
  response: jsonResponse(202, "Accepted and stored durably.", hookAnswer),
  otherResponses: [
    {
      status: 200,
      description:
        "The event came before, and starts nothing; the executionId is the first one's. Or a sender's handshake, answered as the sender documents.",
      content: {
        "application/json": { schema: hookAnswer, known: { status: "duplicate", duplicate: true } },
      },
    },
  ],
  problems: PROBLEM_CODES,
  handle: handleWebhook,
};

const byGet: Route = {
  ...byPost,
  method: "GET",
  operationId: "receiveWebhookByGet",
  summary: "Send an event to an endpoint that takes GET",
  description:
    "The query is the payload; a repeated parameter becomes an array. Otherwise like POST.",
  body: { content: null },
};

/** What the API document says of webhooks. */
export const hookRoutes = [byPost, byGet];
