import type { Hono } from "hono";
import type * as z from "zod";
import type { ProblemCode } from "../contract/problem.ts";
import type { Authentication } from "./authentication.ts";
import { noBody, type RequestBody } from "./body.ts";
import type { AppEnv, Http } from "./context.ts";
import type { RequestHeader, ResponseHeader } from "./headers.ts";
import { tagOf } from "./openapi/tags.ts";
import { noQuery, type PathParams, paramsOf, readQuery } from "./params.ts";
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
export interface RouteDefinition<Caller, Params, Query extends z.ZodType, Body, Value>
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
  params: z.ZodType;
  query: z.ZodType;
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
  Query extends z.ZodType = typeof noQuery,
  Body = undefined,
>(
  method: Method,
  path: Path,
  definition: RouteDefinition<Caller, PathParams<Path>, Query, Body, Value>,
): Route;
export function route(
  method: Method,
  path: string,
  definition: RouteDefinition<unknown, unknown, z.ZodType, unknown, unknown>,
): Route {
  const { auth, query = noQuery, body = noBody, response, handler } = definition;
  const params = paramsOf(path);

  async function serve(http: Http, caller: unknown): Promise<Response> {
    const parsedParams = params.safeParse(http.req.param());
    // An id of the wrong form names nothing, like one that does not exist.
    if (!parsedParams.success) throw notFound();
    const parsedQuery = query.safeParse(readQuery(http.req.raw.url));
    if (!parsedQuery.success) throw invalidByIssues("query", parsedQuery.error.issues);
    const admit = async () => void (await auth.countRejected?.(http, caller));
    const { bytes, value } = await body.read(http.req.raw, admit);
    const reply = await handler({
      http,
      caller,
      params: parsedParams.data,
      query: parsedQuery.data,
      body: value,
      bytes,
    });
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

/** Mounts the routes. */
export function mountRoutes(app: Hono<AppEnv>, routes: Route[]): void {
  for (const { method, path, handle } of routes) app.on(method, path, handle);
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
