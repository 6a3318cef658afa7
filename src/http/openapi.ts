import * as z from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { PROBLEMS, type ProblemCode, problem } from "../contract/problem.ts";
import { jsonAnswer } from "./answer.ts";
import { noBody } from "./body.ts";
import { publicly } from "./guard.ts";
import { REQUEST_HEADERS, RESPONSE_HEADERS, type ResponseHeader } from "./headers.ts";
import { noParams, noQuery } from "./query.ts";
import { type Route, route } from "./route.ts";

/** The route that serves the document of all routes, itself included. */
export function openApiRoute(others: Route[]): Route {
  let document: Record<string, unknown> | null = null;

  const self: Route = route({
    method: "GET",
    path: "/openapi.json",
    operationId: "getOpenApi",
    tag: "Service",
    summary: "This document",
    guard: publicly,
    params: noParams,
    query: noQuery,
    body: noBody,
    answer: jsonAnswer(200, "OpenAPI 3.1.", z.record(z.string(), z.unknown()), {
      openapi: "3.1.0",
    }),
    errors: [],
    async handler() {
      document ??= { ...openApiDocument([...others, self]) };
      return { value: document, headers: { "Cache-Control": "public, max-age=300" } };
    },
  });
  return self;
}

/** The OpenAPI document of these routes. */
export function openApiDocument(routes: Route[]) {
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "Prompthook",
      version: "1.0.0",
      description:
        "Starts autonomous agents from a prompt or an inbound webhook and delivers typed results. Errors are RFC 9457 problem details.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: pathsOf(routes),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key, `ph_live_...`." },
        adminToken: { type: "http", scheme: "bearer", description: "The operators' token." },
      },
    },
  });
}

function pathsOf(routes: Route[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const each of routes) {
    const path = each.path.replace(/:(\w+)/g, "{$1}");
    const method = each.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: operationOf(each) };
  }
  return paths;
}

const SECURITY: Record<Route["guard"]["kind"], Record<string, string[]>[]> = {
  public: [],
  key: [{ apiKey: [] }],
  admin: [{ adminToken: [] }],
};

function operationOf(route: Route): ZodOpenApiOperationObject {
  const { scope, kind } = route.guard;
  const notes = [route.description, scope && `Scope: \`${scope}\`.`].filter(Boolean);
  const content = route.body.content;
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(notes.length > 0 && { description: notes.join(" ") }),
    security: SECURITY[kind],
    requestParams: {
      path: objectOf(route.params),
      query: objectOf(route.query),
      header: z.object(
        Object.fromEntries(
          (route.requestHeaders ?? []).map((name) => [name, REQUEST_HEADERS[name]]),
        ),
      ),
    },
    ...(content && {
      requestBody: {
        required: content.required,
        content: { "application/json": { schema: content.schema, example: content.example } },
      },
    }),
    responses: responsesOf(route),
  };
}

function responsesOf(route: Route): ZodOpenApiResponsesObject {
  const { answer, responseHeaders = [] } = route;
  const always: ResponseHeader[] =
    route.guard.kind === "key"
      ? ["X-Request-Id", "RateLimit-Policy", "RateLimit"]
      : ["X-Request-Id"];
  const responses: ZodOpenApiResponsesObject = {
    [`${answer.status}`]: {
      description: answer.description,
      headers: headersOf([...always, ...responseHeaders]),
      content: answer.content,
    },
  };
  if (route.requestHeaders?.includes("If-None-Match")) {
    responses["304"] = { description: "Unchanged.", headers: headersOf([...always, "ETag"]) };
  }
  for (const [status, codes] of byStatus(route.errors)) {
    responses[status] = problemsOf(codes, always);
  }
  return responses;
}

type Status = `${(typeof PROBLEMS)[ProblemCode]["status"]}`;

function byStatus(codes: ProblemCode[]): Map<Status, ProblemCode[]> {
  const statuses = new Map<Status, ProblemCode[]>();
  for (const code of new Set<ProblemCode>([...codes, "https_required", "internal_error"])) {
    const status: Status = `${PROBLEMS[code].status}`;
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return statuses;
}

const WAITED_FOR: ProblemCode[] = ["rate_limited", "unavailable", "result_not_ready"];

function problemsOf(codes: ProblemCode[], always: ResponseHeader[]) {
  const waits = codes.some((code) => WAITED_FOR.includes(code));
  const lines = codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`);
  return {
    description: lines.join(" "),
    headers: headersOf(waits ? [...always, "Retry-After"] : always),
    content: {
      "application/problem+json": { schema: problem, examples: examplesOf(codes) },
    },
  };
}

function examplesOf(codes: ProblemCode[]) {
  return Object.fromEntries(
    codes.map((code) => {
      const { status, title } = PROBLEMS[code];
      const type = `/docs#problem-${code}`;
      const requestId = "0b7c4f0e-5d1a-4c39-9a55-5a1d7a9a1f42";
      return [code, { value: { type, title, status, detail: `${title}.`, code, requestId } }];
    }),
  );
}

function headersOf(names: ResponseHeader[]) {
  return z.object(Object.fromEntries(names.map((name) => [name, RESPONSE_HEADERS[name]])));
}

/** Parameters must be named one by one, which only an object schema does. */
function objectOf(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  throw new TypeError("Path and query schemas must be objects.");
}
