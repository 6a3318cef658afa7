import type * as z from "zod";
import type { ProblemCode } from "../contract/problem.ts";
import { readUpTo } from "../lib/read-up-to.ts";
import { parseStrictJson } from "../lib/strict-json.ts";
import { HttpProblem, invalidByIssues } from "./problem.ts";

/** Bytes of a request's body at most, where a route does not say otherwise. */
export const MAX_BODY_BYTES = 256 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** A body as it was sent and as it was understood. */
export interface ReadBody<Value> {
  bytes: Uint8Array;
  value: Value;
}

/** How a route reads its body, and what the API document says of it. */
export interface BodyRule<Value> {
  /** Null for a route that reads none. */
  content: { schema: z.ZodType; required: boolean; example: unknown; maxBytes: number } | null;
  errors: ProblemCode[];
  read(request: Request): Promise<ReadBody<Value>>;
}

const NOTHING = new Uint8Array();

/** A route without a body; one that is sent is not looked at. */
export const noBody: BodyRule<undefined> = {
  content: null,
  errors: [],
  read: async () => ({ bytes: NOTHING, value: undefined }),
};

/** A JSON body of this shape. */
export function jsonBody<Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
): BodyRule<z.output<Schema>> {
  return bodyRule(schema, example, true, MAX_BODY_BYTES);
}

/** A JSON body of this shape; no body at all is taken for `{}`. */
export function optionalJsonBody<Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
  { maxBytes = MAX_BODY_BYTES }: { maxBytes?: number } = {},
): BodyRule<z.output<Schema>> {
  return bodyRule(schema, example, false, maxBytes);
}

function bodyRule<Schema extends z.ZodType>(
  schema: Schema,
  example: unknown,
  required: boolean,
  maxBytes: number,
): BodyRule<z.output<Schema>> {
  return {
    content: { schema, required, example, maxBytes },
    errors: ["invalid_request", "malformed_json", "payload_too_large", "unsupported_media_type"],
    async read(request) {
      const bytes = await readBytes(request, maxBytes);
      const value = !required && bytes.length === 0 ? {} : readJson(request.headers, bytes);
      const parsed = schema.safeParse(value);
      if (!parsed.success) throw invalidByIssues("body", parsed.error.issues);
      return { bytes, value: parsed.data };
    },
  };
}

function readJson(headers: Headers, bytes: Uint8Array): unknown {
  if (!JSON_TYPE.test(headers.get("Content-Type") ?? "")) {
    throw new HttpProblem("unsupported_media_type", "Send the body as application/json.", {
      headers: { "Accept-Post": "application/json" },
    });
  }
  const encoding = headers.get("Content-Encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new HttpProblem("unsupported_media_type", "Send the body without a Content-Encoding.");
  }
  const json = parseStrictJson(bytes);
  if (!json.ok) throw new HttpProblem(json.code, json.detail);
  return json.value;
}

/** All bytes of the body, counted as they come: Content-Length is a claim, not a fact. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return NOTHING;
  const { bytes, cut } = await readUpTo(request.body, limit);
  if (cut) throw new HttpProblem("payload_too_large", `A body may have ${limit} bytes at most.`);
  return bytes;
}
