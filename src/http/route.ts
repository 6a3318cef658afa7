import type { Hono } from "hono";
import * as z from "zod";
import { MAX_FILES_BYTES } from "../contract/files.ts";
import type { ProblemCode } from "../contract/problem.ts";
import { exactText, isObject } from "../lib/json-values.ts";
import { readUpTo } from "../lib/read-up-to.ts";
import { parseExactJson, parseStrictJson } from "../lib/strict-json.ts";
import type { Authentication } from "./authentication.ts";
import type { AppEnv, Http } from "./context.ts";
import type { RequestHeader, ResponseHeader } from "./headers.ts";
import { tagOf } from "./openapi/tags.ts";
import { noQuery, type PathParams, paramsOf, readQuery, saysRepeated } from "./params.ts";
import { HttpProblem, invalidByIssues, methodNotAllowed, notFound } from "./problem.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request whose parts have been validated. */
export interface Call<Caller, Params, Query, Body> {
  http: Http;
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  /** The body as it was sent. */
  bytes: Uint8Array;
}

/** The result of a handler: a value that the route's response renders, or a response of its own. */
type Reply<Value> = { value: Value; headers?: Record<string, string> } | Response;

/** Response bodies by media type. */
type ResponseContent = Record<string, { schema: z.ZodType; example?: unknown }>;

/** The successful response of a route, as it is rendered and documented. */
export interface ResponseRule<Value> {
  status: 200 | 201 | 202 | 204;
  description: string;
  content: ResponseContent;
  render(value: Value, headers: Record<string, string>): Response;
}

/** The part of a route that the API document describes. */
interface Description {
  operationId: string;
  summary: string;
  description: string;
  requestHeaders?: RequestHeader[];
  responseHeaders?: ResponseHeader[];
  /** Successful responses beside the usual one. */
  otherResponses?: Omit<ResponseRule<never>, "render">[];
  /** Whether the operation can lead to a callback. */
  sendsCallback?: boolean;
}

/** A route: who may call it, what it takes (nothing if left out), what it returns and what it does. */
export interface RouteDefinition<Caller, Params, Query extends z.ZodObject, Body, Value>
  extends Description {
  auth: Authentication<Caller>;
  query?: Query;
  body?: RequestBody<Body>;
  /** Problems that the handler throws; those of the path, the authentication and the body are added. */
  problems?: ProblemCode[];
  response: ResponseRule<Value>;
  handler(call: Call<Caller, Params, z.output<Query>, Body>): Promise<Reply<Value>>;
}

/** A route without its type parameters, as the application mounts it and the document describes it. */
export interface Route extends Description {
  method: Method;
  path: string;
  /** Its section of the API reference. */
  tag: string;
  auth: Pick<Authentication<unknown>, "kind" | "scope" | "orScope">;
  params: z.ZodObject;
  query: z.ZodObject;
  body: Pick<RequestBody<unknown>, "content">;
  problems: ProblemCode[];
  response: Omit<ResponseRule<unknown>, "render">;
  handle(http: Http): Promise<Response>;
}

/**
 * Makes a route whose handler only sees authenticated callers and validated requests. Its path is in Hono's
 * form, such as `/api/v1/keys/:keyId`.
 */
export function route<
  Caller,
  Value,
  Path extends string,
  Query extends z.ZodObject = typeof noQuery,
  Body = undefined,
>(
  method: Method,
  path: Path,
  definition: RouteDefinition<Caller, PathParams<Path>, Query, Body, Value>,
): Route;
export function route(
  method: Method,
  path: string,
  definition: RouteDefinition<unknown, unknown, z.ZodObject, unknown, unknown>,
): Route {
  const { auth, query = noQuery, body = noBody, response, handler } = definition;
  const params = paramsOf(path);

  async function serve(http: Http, caller: unknown): Promise<Response> {
    const parsedParams = params.safeParse(http.req.param());
    // An id of the wrong form names nothing, like one that does not exist; but a PUT would make it.
    if (!parsedParams.success)
      throw method === "PUT" ? invalidByIssues("path", parsedParams.error.issues) : notFound();
    const parsedQuery = query.safeParse(readQuery(http.req.raw.url), { error: saysRepeated });
    if (!parsedQuery.success) throw invalidByIssues("query", parsedQuery.error.issues);
    const admit = async () => void (await auth.countRejected?.(http, caller));
    const { bytes, value } = await body.read(http.req.raw, admit);
    const address = { params: parsedParams.data, query: parsedQuery.data };
    const reply = await handler({ http, caller, ...address, body: value, bytes });
    return reply instanceof Response ? reply : response.render(reply.value, reply.headers ?? {});
  }

  const { problems = [] } = definition;
  const ofPath = path.includes(":") ? ["not_found" as const] : [];
  const all = [...auth.problems, "invalid_request" as const, ...body.problems, ...problems];
  return {
    ...definition,
    method,
    path,
    tag: tagOf(path),
    params,
    query,
    body,
    problems: [...new Set([...all, ...ofPath])],
    async handle(http) {
      const caller = await auth.authenticate(http);
      try {
        const response = await serve(http, caller);
        const noted = method === "GET" ? undefined : auth.noteChange?.(http, caller);
        if (noted !== undefined) http.executionCtx.waitUntil(noted.catch(() => undefined));
        return response;
      } catch (error) {
        // An unknown key or an exhausted limit is reported before an invalid request.
        const isCounted = http.get("rate") !== undefined;
        if (error instanceof HttpProblem && !isCounted) await auth.countRejected?.(http, caller);
        throw error;
      }
    },
  };
}

/** Describes a JSON response. */
export function jsonResponse<Schema extends z.ZodType>(
  status: 200 | 201 | 202,
  description: string,
  schema: Schema,
): ResponseRule<z.output<Schema>> {
  return {
    status,
    description,
    content: { "application/json": { schema } },
    render: (value, headers) => Response.json(value, { status, headers }),
  };
}

/** Describes a response without a body. */
export function noContent(description: string): ResponseRule<undefined> {
  return {
    status: 204,
    description,
    content: {},
    render: (_, headers) => new Response(null, { status: 204, headers }),
  };
}

/** Answers every other method at a path of these routes with 405. */
export function mountMethodNotAllowed(app: Hono<AppEnv>, routes: Route[]): void {
  for (const [path, siblings] of Map.groupBy(routes, (each) => each.path)) {
    const methods = siblings.map(({ method }) => method);
    const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    app.all(path, () => {
      throw methodNotAllowed(allow);
    });
  }
}

/** The largest request body in bytes, unless a route sets its own limit. */
const MAX_BODY_BYTES = 256 * 1024;

/** The length of all files of a body: base64 takes four bytes for three. */
const MAX_FILES_LENGTH = 4 * Math.ceil(MAX_FILES_BYTES / 3);

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** The request body of a route, as it is read and documented. */
export interface RequestBody<Value> {
  /** Null for a route without a body. */
  content: { schema: z.ZodType; required: boolean; example: unknown; maxBytes: number } | null;
  problems: ProblemCode[];
  /** Reads a body. `admit` verifies its caller, before more is read than any caller may send. */
  read(request: Request, admit: () => Promise<void>): Promise<{ bytes: Uint8Array; value: Value }>;
}

const NOTHING = new Uint8Array();

/** No request body. One that is sent anyway is ignored. */
const noBody: RequestBody<undefined> = {
  content: null,
  problems: [],
  read: async () => ({ bytes: NOTHING, value: undefined }),
};

/**
 * A JSON body of `maxBytes` that matches this schema. No body means `{}`, where the schema takes that. With
 * `hasFiles` it may have files besides, as `files` or as those of its `executions`.
 */
export function jsonBody<Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
  { maxBytes = MAX_BODY_BYTES, hasFiles = false }: { maxBytes?: number; hasFiles?: boolean } = {},
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
      // Counted while it arrives, because Content-Length can be missing or wrong.
      const count = async (piece: Uint8Array) => {
        const before = length;
        length += piece.length;
        if (hasFiles && before <= maxBytes && length > maxBytes) await admit();
      };
      const { bytes, cut } =
        request.body === null
          ? { bytes: NOTHING, cut: false }
          : await readUpTo(request.body, most, count);
      if (cut)
        throw new HttpProblem("payload_too_large", `The body exceeds the limit of ${most} bytes.`);
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
