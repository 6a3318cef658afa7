import * as z from "zod";
import type { Idempotency } from "../contract/session.ts";
import { sha256Hex } from "../lib/encoding.ts";
import type { Http } from "./context.ts";
import { HttpProblem, invalid } from "./problem.ts";

const optional = z.string().optional();

/** Request headers, as the API document describes them. */
export const REQUEST_HEADERS = {
  "Idempotency-Key": z.string().max(255).optional().meta({
    description:
      "A unique key of 1 to 255 visible ASCII characters. Repeating a request with the same key and body returns the first response, for at least 24 hours.",
    example: "3f0c8f0e-order-1007",
  }),
  "If-Match": optional.meta({
    description: "The version that you last saw, in quotes. Any other version returns 412.",
    example: '"7"',
  }),
  "If-None-Match": optional.meta({
    description: "The version that you have, in quotes. Returns 304 if it is the current version.",
    example: '"7"',
  }),
  "Last-Event-ID": optional.meta({
    description: "The id of the last event that you received. The stream continues after it.",
    example: "42",
  }),
} as const;
export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Response headers, as the API document describes them. An unknown caller has no rate. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": z
    .uuid()
    .meta({ header: { id: "X-Request-Id" }, description: "The id of the request." }),
  "RateLimit-Policy": optional.meta({
    header: { id: "RateLimit-Policy" },
    description: "The limit's name, its quota (`q`) and its window in seconds (`w`).",
    example: '"default";q=60;w=60',
  }),
  RateLimit: optional.meta({
    header: { id: "RateLimit" },
    description: "The requests that remain (`r`) and the seconds until the next is free (`t`).",
    example: '"default";r=59;t=60',
  }),
  "Retry-After": z.string().meta({
    header: { id: "Retry-After" },
    description: "The number of seconds to wait before a retry.",
    example: "1",
  }),
  Location: z.string().meta({ header: { id: "Location" }, description: "The new resource." }),
  ETag: z.string().meta({ header: { id: "ETag" }, description: "The version.", example: '"7"' }),
  "Idempotency-Replayed": z
    .literal("true")
    .optional()
    .meta({
      header: { id: "Idempotency-Replayed" },
      description: "Sent if this response repeats the first one for the `Idempotency-Key`.",
    }),
  "Content-Disposition": z
    .string()
    .meta({ header: { id: "Content-Disposition" }, description: "The file's name (RFC 6266)." }),
} as const;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Returns the request's Idempotency-Key, or null. Throws a 400 for a malformed one. */
export function idempotencyKeyOf(http: Http): string | null {
  const key = http.req.header("Idempotency-Key");
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid("Idempotency-Key", "header", "must be 1 to 255 visible ASCII characters");
  }
  return key;
}

/** Returns the request's Idempotency-Key with a hash of what makes two requests equal, or null. */
export async function idempotencyOf(http: Http, bytes: Uint8Array): Promise<Idempotency | null> {
  const key = idempotencyKeyOf(http);
  if (key === null) return null;
  const head = new TextEncoder().encode(`${http.req.method} ${http.req.path}\n`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return { key, bodyHash: await sha256Hex(whole) };
}

/** Returns the problem of a key that was used for a different request. */
export function keyReused(): HttpProblem {
  return new HttpProblem(
    "idempotency_key_reused",
    "This Idempotency-Key was used for a different request. Use a new key.",
  );
}

/** Returns the header of a response that repeats an earlier one. */
export function replayedHeader(replayed: boolean): Record<string, string> {
  return replayed ? { "Idempotency-Replayed": "true" } : {};
}

/** Returns an execution's version as an entity tag. */
export function etag(version: number): string {
  return `"${version}"`;
}

/**
 * Returns the version that If-Match names, or null if any will do. The comparison of RFC 9110 §13.1.1 is
 * strong: a weak tag never matches, so it is rejected as malformed.
 */
export function ifMatch(header: string | undefined): number | null {
  if (header === undefined || header.trim() === "*") return null;
  const version = /^\s*"(\d{1,15})"\s*$/.exec(header)?.[1];
  if (version === undefined) {
    throw invalid("If-Match", "header", 'must be a version in quotes, such as "7", or *');
  }
  return Number(version);
}

/** Returns whether If-None-Match names this version (weak comparison, RFC 9110 §13.1.2). */
export function isUnchanged(header: string | undefined, version: number): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etag(version));
}

/** Returns the problem of a request that names an outdated version. */
export function versionMismatch(version: number): HttpProblem {
  return new HttpProblem("version_mismatch", `The current version is ${version}.`, {
    headers: { ETag: etag(version) },
  });
}

/**
 * Returns the Content-Disposition of a download (RFC 6266): the name in ASCII for old clients, and in
 * the extended notation of RFC 8187 for all others.
 */
export function attachment(filename: string): string {
  const name = filename.toWellFormed().replace(/[\p{Cc}/\\]/gu, "_");
  const ascii = name.replace(/[^\x20-\x7e]|["%]/g, "_");
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extended(name)}`;
}

/** encodeURIComponent leaves five characters that RFC 8187's attr-char does not allow. */
function extended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
