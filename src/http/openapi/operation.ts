import * as z from "zod";
import type {
  ZodOpenApiCallbackObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from "zod-openapi";
import { callbackBody } from "../../contract/callbacks.ts";
import { EXAMPLE_ID } from "../../contract/execution.ts";
import { PROBLEMS, type ProblemCode, problem } from "../../contract/problem.ts";
import { REQUEST_HEADERS, RESPONSE_HEADERS, type ResponseHeader } from "../headers.ts";
import type { Route } from "../route.ts";

/** Describes a route. */
export function operationOf(route: Route, problems: ProblemResponses): ZodOpenApiOperationObject {
  const { content } = route.body;
  const headers = route.requestHeaders ?? [];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, scopeNote(route)].filter(Boolean).join("\n\n"),
    security: securityOf(route),
    // Of a bearer token, `security` has no scopes.
    ...(route.auth.scope !== null && { "x-required-scope": route.auth.scope }),
    requestParams: {
      path: objectSchema(route.params),
      query: objectSchema(route.query),
      header: z.object(Object.fromEntries(headers.map((name) => [name, REQUEST_HEADERS[name]]))),
    },
    ...(content && {
      requestBody: {
        required: content.required,
        content: { "application/json": { schema: content.schema, example: content.example } },
      },
    }),
    responses: responsesOf(route, problems),
    ...(route.sendsCallback && { callbacks: { executionEnded: executionCallback } }),
  };
}

function scopeNote({ auth: { kind, scope, orScope } }: Route): string | null {
  const other = orScope === undefined ? "" : ` or \`${orScope}\``;
  if (scope !== null) return `Required scope: \`${scope}\`${other}.`;
  return kind === "admin" ? "Requires the operators' token." : null;
}

function securityOf({ auth: { kind } }: Route): Record<string, string[]>[] {
  switch (kind) {
    case "key":
      return [{ apiKey: [] }];
    case "admin":
      return [{ adminToken: [] }];
    case "sender":
      // Each endpoint has its own requirements; the token is the simplest one.
      return [{ webhookToken: [] }, {}];
    case "public":
      return [];
  }
}

function responsesOf(route: Route, problems: ProblemResponses): ZodOpenApiResponsesObject {
  const { auth, response, otherResponses = [], responseHeaders = [], requestHeaders = [] } = route;
  const always: ResponseHeader[] =
    auth.kind === "key" ? ["X-Request-Id", "RateLimit-Policy", "RateLimit"] : ["X-Request-Id"];
  const responses: ZodOpenApiResponsesObject = {
    [`${response.status}`]: {
      description: response.description,
      headers: headersOf([...always, ...responseHeaders]),
      content: response.content,
    },
  };
  for (const { status, description, content } of otherResponses) {
    responses[`${status}`] = { description, headers: headersOf(always), content };
  }
  if (requestHeaders.includes("If-None-Match")) {
    responses["304"] = { description: "Not modified.", headers: headersOf([...always, "ETag"]) };
  }
  return { ...responses, ...problemResponses(problems, route.problems, always) };
}

/** Parameters are named one by one, which only an object schema can do. */
function objectSchema(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  throw new TypeError("Path and query schemas must be objects.");
}

function headersOf(names: ResponseHeader[]) {
  return z.object(Object.fromEntries(names.map((name) => [name, RESPONSE_HEADERS[name]])));
}

/** The error responses of a document, so that equal ones are described once. */
export type ProblemResponses = Map<string, ZodOpenApiResponseObject>;

/** Codes whose responses have a Retry-After. */
const RETRIED: ProblemCode[] = ["rate_limited", "unavailable", "result_not_ready"];

/** Returns the error responses of an operation by status, with those of every request. */
function problemResponses(known: ProblemResponses, codes: ProblemCode[], always: ResponseHeader[]) {
  const responses: ZodOpenApiResponsesObject = {};
  const all = new Set<ProblemCode>([...codes, "https_required", "internal_error"]);
  for (const [status, group] of Map.groupBy(all, (code) => PROBLEMS[code].status)) {
    const response = problemResponse(group, always);
    const first = known.get(response.id) ?? response;
    known.set(response.id, first);
    responses[`${status}`] = first;
  }
  return responses;
}

function problemResponse(codes: ProblemCode[], always: ResponseHeader[]) {
  const sorted = codes.toSorted();
  const isRetried = sorted.some((code) => RETRIED.includes(code));
  const suffix = always.includes("RateLimit") ? "" : "_uncounted";
  return {
    id: pascalCase(sorted.join("_or_") + suffix),
    description: sorted.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(" "),
    headers: headersOf(isRetried ? [...always, "Retry-After"] : always),
    content: { "application/problem+json": { schema: problem, examples: examplesOf(sorted) } },
  } satisfies ZodOpenApiResponseObject;
}

const pascalCase = (text: string): string =>
  text.replace(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase());

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

/** The request that the service sends to a `callbackUrl`. */
const executionCallback: ZodOpenApiCallbackObject = {
  id: "ExecutionCallback",
  "{$request.body#/callbackUrl}": {
    post: {
      operationId: "receiveCallback",
      tags: ["Callbacks"],
      summary: "Receive the result of an execution",
      description:
        "The service sends this request when an execution ends, or when it waits for input if `callbackEvents` includes that. Return 2xx within 15 seconds. Any other response is retried, nine times within a day.",
      security: [],
      requestParams: {
        header: z.object({
          "webhook-id": z.string().meta({
            description: "The id of the event, the same for every attempt.",
            example: `msg_${EXAMPLE_ID}_9`,
          }),
          "webhook-timestamp": z.string().meta({
            description: "The time of this attempt in epoch seconds.",
            example: "1795167002",
          }),
          "webhook-signature": z.string().optional().meta({
            description:
              "`v1,` and the base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`. Sent only with a `callbackSecret`.",
            example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
          }),
        }),
      },
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: callbackBody },
        },
      },
      responses: {
        "2XX": { description: "Received. The response body is ignored." },
        "410": { description: "Not wanted. The delivery is not retried." },
      },
    },
  },
};
