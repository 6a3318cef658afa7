import type * as z from "zod";
import type { ProblemCode } from "../contract/problem.ts";
import { exactText, isObject } from "../lib/json-values.ts";
import { readUpTo } from "../lib/read-up-to.ts";
import { parseExactJson, parseStrictJson } from "../lib/strict-json.ts";
import { HttpProblem, invalidByIssues } from "./problem.ts";

/** The largest request body in bytes, unless a route sets its own limit. */
const MAX_BODY_BYTES = 256 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** A request body as bytes and as a value. */
interface ParsedBody<Value> {
  bytes: Uint8Array;
  value: Value;
}

/** The request body of a route, as it is read and documented. */
export interface RequestBody<Value> {
  /** Null for a route without a body. */
  content: { schema: z.ZodType; required: boolean; example: unknown; maxBytes: number } | null;
  problems: ProblemCode[];
  read(request: Request): Promise<ParsedBody<Value>>;
}

const NOTHING = new Uint8Array();

/** No request body. One that is sent anyway is ignored. */
export const noBody: RequestBody<undefined> = {
  content: null,
  problems: [],
  read: async () => ({ bytes: NOTHING, value: undefined }),
};

/** A JSON body that matches this schema. */
export function jsonBody<Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
): RequestBody<z.output<Schema>> {
  return requestBody(schema, example, true, MAX_BODY_BYTES);
}

/** A JSON body that matches this schema; no body means `{}`. */
export function optionalJsonBody<Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
  { maxBytes = MAX_BODY_BYTES }: { maxBytes?: number } = {},
): RequestBody<z.output<Schema>> {
  return requestBody(schema, example, false, maxBytes);
}

function requestBody<Schema extends z.ZodType>(
  schema: Schema,
  example: unknown,
  required: boolean,
  maxBytes: number,
): RequestBody<z.output<Schema>> {
  return {
    content: { schema, required, example, maxBytes },
    problems: [
      "invalid_request",
      "malformed_json",
      "request_timeout",
      "payload_too_large",
      "unsupported_media_type",
    ],
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
    throw new HttpProblem("unsupported_media_type", "The Content-Type must be application/json.", {
      headers: { "Accept-Post": "application/json" },
    });
  }
  const encoding = headers.get("Content-Encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new HttpProblem("unsupported_media_type", "The body must not have a Content-Encoding.");
  }
  const json = parseStrictJson(bytes);
  if (!json.ok) throw new HttpProblem(json.code, json.detail);
  return json.value;
}

/** Returns a member of a JSON body as JSON, with all digits of its long numbers as a webhook has them. */
export function exactMember(body: Uint8Array, name: string): Uint8Array {
  const json = parseExactJson(body);
  if (!json.ok) throw new HttpProblem(json.code, json.detail);
  const member = isObject(json.value) ? json.value[name] : undefined;
  if (member === undefined) throw new Error(`the body has no ${name}`);
  return new TextEncoder().encode(exactText(member));
}

/** Reads the body. Counts its bytes while they arrive, because Content-Length can be missing or wrong. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return NOTHING;
  const { bytes, cut } = await readUpTo(request.body, limit);
  if (cut)
    throw new HttpProblem("payload_too_large", `The body exceeds the limit of ${limit} bytes.`);
  return bytes;
}
