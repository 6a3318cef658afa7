import * as z from "zod";
import { MAX_FILES_BYTES } from "../contract/files.ts";
import type { ProblemCode } from "../contract/problem.ts";
import { exactText, isObject } from "../lib/json-values.ts";
import { readUpTo } from "../lib/read-up-to.ts";
import { parseExactJson, parseStrictJson } from "../lib/strict-json.ts";
import { HttpProblem, invalidByIssues } from "./problem.ts";

/** The largest request body in bytes, unless a route sets its own limit. */
const MAX_BODY_BYTES = 256 * 1024;

/** The length of all files of a body: base64 takes four bytes for three. */
const MAX_FILES_LENGTH = 4 * Math.ceil(MAX_FILES_BYTES / 3);

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
  /** Reads a body. `admit` verifies its caller, before more is read than any caller may send. */
  read(request: Request, admit: () => Promise<void>): Promise<ParsedBody<Value>>;
}

const NOTHING = new Uint8Array();

/** No request body. One that is sent anyway is ignored. */
export const noBody: RequestBody<undefined> = {
  content: null,
  problems: [],
  read: async () => ({ bytes: NOTHING, value: undefined }),
};

/** What a body may have, beside a JSON body of `maxBytes`. */
interface BodyOptions {
  maxBytes?: number;
  /** Whether it may have files too, as `files` or as those of its `executions`. */
  hasFiles?: boolean;
}

/** A JSON body that matches this schema. No body means `{}`, where the schema takes that. */
export function jsonBody<Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
  { maxBytes = MAX_BODY_BYTES, hasFiles = false }: BodyOptions = {},
): RequestBody<z.output<Schema>> {
  const required = !schema.safeParse({}).success;
  return {
    content: { schema, required, example, maxBytes },
    problems: [
      "invalid_request",
      "malformed_json",
      "request_timeout",
      "payload_too_large",
      "unsupported_media_type",
    ],
    async read(request, admit) {
      const most = hasFiles ? maxBytes + MAX_FILES_LENGTH : maxBytes;
      let length = 0;
      const bytes = await readBytes(request, most, async (piece) => {
        const before = length;
        length += piece.length;
        if (hasFiles && before <= maxBytes && length > maxBytes) await admit();
      });
      const read = () => (!required && bytes.length === 0 ? {} : readJson(request.headers, bytes));
      const value = length > maxBytes ? withFiles(read, length - maxBytes) : read();
      const parsed = schema.safeParse(value);
      if (!parsed.success) throw invalidByIssues("body", parsed.error.issues);
      return { bytes, value: parsed.data };
    },
  };
}

const holder = z
  .object({
    files: z.array(z.object({ data: z.string().catch("") }).catch({ data: "" })).catch([]),
    executions: z.array(z.unknown()).catch([]),
  })
  .catch({ files: [], executions: [] });

/** Returns a body whose files have at least `excess` bytes. What cannot be read has no files. */
function withFiles(read: () => unknown, excess: number): unknown {
  let body: unknown = null;
  try {
    body = read();
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
  }
  if (filesLength(body) >= excess) return body;
  const detail = `The body exceeds the limit of ${MAX_BODY_BYTES} bytes, besides the data of its files.`;
  throw new HttpProblem("payload_too_large", detail);
}

/** Returns the length of what the files of a body hold. */
function filesLength(body: unknown): number {
  const { files, executions } = holder.parse(body);
  const inner = executions.reduce<number>((sum, each) => sum + filesLength(each), 0);
  return files.reduce((sum, { data }) => sum + data.length, inner);
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
async function readBytes(
  request: Request,
  limit: number,
  onBytes: (bytes: Uint8Array) => Promise<void>,
): Promise<Uint8Array> {
  if (request.body === null) return NOTHING;
  const { bytes, cut } = await readUpTo(request.body, limit, onBytes);
  if (cut)
    throw new HttpProblem("payload_too_large", `The body exceeds the limit of ${limit} bytes.`);
  return bytes;
}
