import type { Hono } from "hono";
import type * as z from "zod";
import type { ProblemCode } from "../contract/problem.ts";
import type { AnswerContent, AnswerRule, Reply } from "./answer.ts";
import type { BodyRule } from "./body.ts";
import type { AppEnv, Http } from "./context.ts";
import { AGENT } from "./executions/ids.ts";
import type { Guard } from "./guard.ts";
import type { RequestHeader, ResponseHeader } from "./headers.ts";
import type { Tag } from "./openapi/tags.ts";
import { HttpProblem, invalidByIssues, methodNotAllowed, notFound } from "./problem.ts";
import { readQuery } from "./query.ts";
import { countStray } from "./stray.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** A request whose every part has been read by its schema. */
export interface Call<Caller, Params, Query, Body> {
  http: Http;
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  /** The body as it was sent. */
  bytes: Uint8Array;
}

/** What the API document says of a route. */
interface Description {
  method: Method;
  /** In Hono's form: `/api/v1/keys/:keyId`. */
  path: string;
  operationId: string;
  tag: Tag;
  summary: string;
  description: string;
  /** Errors of the handler itself; the guard's and the body's come by themselves. */
  errors: ProblemCode[];
  requestHeaders?: RequestHeader[];
  responseHeaders?: ResponseHeader[];
  /** Answers without an error beside the main one. */
  otherAnswers?: { status: 200 | 204; description: string; content: AnswerContent }[];
  /** Whether what it takes may name an address that the service calls later. */
  callsBack?: boolean;
}

/** One route, whole: what it takes, who may use it, what it answers and what it does. */
export interface RouteDefinition<
  Caller,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body,
  Answer,
> extends Description {
  guard: Guard<Caller>;
  params: Params;
  query: Query;
  body: BodyRule<Body>;
  answer: AnswerRule<Answer>;
  handler(call: Call<Caller, z.output<Params>, z.output<Query>, Body>): Promise<Reply<Answer>>;
}

/** A route whose types have done their work: what it says of itself, and how it serves a request. */
export interface Route extends Description {
  guard: Pick<Guard<unknown>, "kind" | "scope">;
  params: z.ZodType;
  query: z.ZodType;
  body: Pick<BodyRule<unknown>, "content">;
  answer: Omit<AnswerRule<unknown>, "respond">;
  handle(http: Http): Promise<Response>;
}

/** Makes a route: its handler sees only requests that its guard admits and its schemas accept. */
export function route<Caller, Params extends z.ZodType, Query extends z.ZodType, Body, Answer>(
  definition: RouteDefinition<Caller, Params, Query, Body, Answer>,
): Route {
  const { guard, params, query, body, answer, handler } = definition;

  async function serve(http: Http, caller: Caller): Promise<Response> {
    const readParams = params.safeParse(http.req.param());
    // An id of the wrong form names nothing, like one that does not exist.
    if (!readParams.success) throw notFound();
    const readQueries = query.safeParse(readQuery(http.req.raw.url));
    if (!readQueries.success) throw invalidByIssues("query", readQueries.error.issues);
    const { bytes, value } = await body.read(http.req.raw);
    const reply = await handler({
      http,
      caller,
      params: readParams.data,
      query: readQueries.data,
      body: value,
      bytes,
    });
    return reply instanceof Response ? reply : answer.respond(reply.value, reply.headers ?? {});
  }

  return {
    ...definition,
    errors: [
      ...new Set([
        ...guard.errors,
        "invalid_request" as const,
        ...body.errors,
        ...definition.errors,
      ]),
    ],
    async handle(http) {
      const caller = await guard.admit(http);
      try {
        return await serve(http, caller);
      } catch (error) {
        // A wrong key or a spent limit is told before what is wrong with the request.
        const counted = http.get("rate") !== undefined;
        if (error instanceof HttpProblem && !counted) await guard.countRefused?.(http, caller);
        throw error;
      }
    },
  };
}

/** Serves the routes; another method at the path of one is answered 405 with those it has. */
export function mount(app: Hono<AppEnv>, routes: Route[]): void {
  for (const { method, path, handle } of routes) app.on(method, path, handle);
  app.use(`${AGENT}/*`, countStray);
  for (const path of new Set(routes.map((known) => known.path))) {
    const methods = routes.filter((known) => known.path === path).map(({ method }) => method);
    const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    app.all(path, () => {
      throw methodNotAllowed(allow);
    });
  }
}
