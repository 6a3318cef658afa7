import * as z from "zod";
import { listOf, open } from "./fields.ts";

/** Every error code with its HTTP status and title. */
export const PROBLEMS = {
  invalid_request: { status: 400, title: "Invalid request" },
  malformed_json: { status: 400, title: "Malformed JSON" },
  unauthorized: { status: 401, title: "Unauthorized" },
  stale_request: { status: 401, title: "Stale request" },
  insufficient_credits: { status: 402, title: "Insufficient credits" },
  insufficient_scope: { status: 403, title: "Insufficient scope" },
  https_required: { status: 403, title: "HTTPS required" },
  ip_not_allowed: { status: 403, title: "IP address not allowed" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  request_timeout: { status: 408, title: "Request timeout" },
  execution_not_active: { status: 409, title: "Execution not active" },
  result_not_ready: { status: 409, title: "Result not ready" },
  conflict: { status: 409, title: "Conflict" },
  gone: { status: 410, title: "Gone" },
  version_mismatch: { status: 412, title: "Version mismatch" },
  payload_too_large: { status: 413, title: "Payload too large" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  validation_failed: { status: 422, title: "Validation failed" },
  mapping_failed: { status: 422, title: "Mapping failed" },
  idempotency_key_reused: { status: 422, title: "Idempotency key reused" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal_error: { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "Service unavailable" },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** One rule that a request violates. */
const violation = open({
  path: z.string().describe("The field, such as `items[0].sku`; empty for the whole request."),
  rule: z.string().describe("The rule that the field violates, as a short name."),
  message: z.string().describe("A description of the error."),
});
export type Violation = z.infer<typeof violation>;

/** Returns a violation as a line, `path: message`; `whole` names a value that has no path. */
export function violationLine(
  { path, message }: { path?: string | undefined; message: string },
  whole = "",
): string {
  const subject = path || whole;
  return subject === "" ? message : `${subject}: ${message}`;
}

/** RFC 9457 problem details: the body of every error. */
export const problem = open({
  type: z.string().describe("The address of an explanation of the code."),
  title: z.string().describe("A title for the code, always the same."),
  status: z.int().describe("The HTTP status code."),
  detail: z.string().describe("A description of the error in this request."),
  code: z
    .enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]])
    .describe("The error code. Programs should act on this field."),
  requestId: z.string().describe("The id of the request, also in `X-Request-Id`."),
  errors: listOf(violation).optional().describe("The violated rules."),
}).meta({ id: "Problem", description: "RFC 9457 problem details." });
