import * as z from "zod";

/** Headers that requests may carry, as the API document describes them. */
export const REQUEST_HEADERS = {
  "Idempotency-Key": z.string().max(255).optional().meta({
    description:
      "1 to 255 visible ASCII characters. The same key and body give the same answer for at least 24 hours.",
    example: "3f0c8f0e-order-1007",
  }),
  "If-Match": z.string().optional().meta({
    description: "The version that you saw, quoted: the request is refused once it has moved on.",
    example: '"7"',
  }),
  "If-None-Match": z.string().optional().meta({
    description: "The version that you have: answered 304 while it is the current one.",
    example: '"7"',
  }),
  "Last-Event-ID": z.string().optional().meta({
    description: "The last entry that you have; the stream goes on after it.",
    example: "42",
  }),
} as const;
export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Headers that answers may carry. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": z
    .uuid()
    .meta({ header: { id: "X-Request-Id" }, description: "Names this request in our logs." }),
  "RateLimit-Policy": z.string().meta({
    header: { id: "RateLimit-Policy" },
    description: "The limit: its name, its quota and its window in seconds.",
    example: '"default";q=60;w=60',
  }),
  RateLimit: z.string().meta({
    header: { id: "RateLimit" },
    description: "What is left of the limit, and in how many seconds a place is free again.",
    example: '"default";r=59;t=1',
  }),
  "Retry-After": z
    .string()
    .meta({ header: { id: "Retry-After" }, description: "Seconds to wait.", example: "1" }),
  Location: z
    .string()
    .meta({ header: { id: "Location" }, description: "Where its status is read." }),
  ETag: z
    .string()
    .meta({ header: { id: "ETag" }, description: "The version, quoted.", example: '"7"' }),
  "Idempotency-Replayed": z
    .literal("true")
    .optional()
    .meta({
      header: { id: "Idempotency-Replayed" },
      description: "The answer is the one that this Idempotency-Key got before.",
    }),
  "Content-Disposition": z
    .string()
    .meta({ header: { id: "Content-Disposition" }, description: "The file's name (RFC 6266)." }),
} as const;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;
