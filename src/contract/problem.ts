import * as z from "zod";

/** Every error code of the service with its HTTP status and its title. */
export const PROBLEMS = {
  invalid_request: { status: 400, title: "The request is not valid" },
  malformed_json: { status: 400, title: "The body is not well-formed JSON" },
  unauthorized: { status: 401, title: "Valid credentials are needed" },
  insufficient_credits: { status: 402, title: "The balance is too low" },
  insufficient_scope: { status: 403, title: "The key lacks a scope" },
  https_required: { status: 403, title: "HTTPS is required" },
  ip_not_allowed: { status: 403, title: "The address is not allowed" },
  not_found: { status: 404, title: "There is no such resource" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  execution_not_active: { status: 409, title: "The execution has ended" },
  result_not_ready: { status: 409, title: "The result is not ready" },
  conflict: { status: 409, title: "It conflicts with what there is" },
  gone: { status: 410, title: "It was deleted" },
  version_mismatch: { status: 412, title: "The version has moved on" },
  payload_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The media type is not supported" },
  validation_failed: { status: 422, title: "The payload breaks the rules of the endpoint" },
  mapping_failed: { status: 422, title: "The payload does not give the workflow's inputs" },
  idempotency_key_reused: {
    status: 422,
    title: "The idempotency key was used for another request",
  },
  rate_limited: { status: 429, title: "Too many requests" },
  internal_error: { status: 500, title: "Something went wrong on our side" },
  unavailable: { status: 503, title: "The service cannot take this now" },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** One thing that is wrong with a request, found by path. */
export const violation = z.object({
  path: z.string().meta({ description: "Where, in dot notation; empty for the whole." }),
  rule: z.string().meta({ description: "The rule that is broken, as a short name." }),
  message: z.string().meta({ description: "What is wrong, in words." }),
});
export type Violation = z.infer<typeof violation>;

/** RFC 9457 problem details, as every error is answered. */
export const problem = z
  .object({
    type: z.string().meta({ description: "Where the code is explained, on this service." }),
    title: z.string().meta({ description: "The code in words; always the same for one code." }),
    status: z.int().meta({ description: "The HTTP status." }),
    detail: z.string().meta({ description: "What is wrong with this very request." }),
    code: z
      .enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]])
      .meta({ description: "What programs look at." }),
    requestId: z.string().meta({ description: "Names the request; also in `X-Request-Id`." }),
    errors: z.array(violation).optional().meta({ description: "Each thing that is wrong." }),
  })
  .meta({ id: "Problem", description: "RFC 9457 problem details." });
