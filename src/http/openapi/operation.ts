import * as z from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { REQUEST_HEADERS, type ResponseHeader } from "../headers.ts";
import type { Route } from "../route.ts";
import { executionCallback } from "./callback.ts";
import { headersOf, type ProblemAnswers, problemResponses } from "./problems.ts";

/** What the document says of a route. */
export function operationOf(route: Route, problems: ProblemAnswers): ZodOpenApiOperationObject {
  const { content } = route.body;
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, scopeNote(route)].filter(Boolean).join("\n\n"),
    security: securityOf(route),
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
    responses: responsesOf(route, problems),
    ...(route.callsBack && { callbacks: { executionEnded: executionCallback } }),
  };
}

function scopeNote({ guard: { kind, scope } }: Route): string | null {
  if (scope !== null) return `Scope: \`${scope}\`.`;
  return kind === "admin" ? "For operators." : null;
}

function securityOf({ guard: { kind, scope } }: Route): Record<string, string[]>[] {
  switch (kind) {
    case "key":
      return [{ apiKey: scope === null ? [] : [scope] }];
    case "admin":
      return [{ adminToken: [] }];
    case "sender":
      // Each endpoint says itself what it asks for; the token is the simplest of it.
      return [{ webhookToken: [] }, {}];
    case "public":
      return [];
  }
}

function responsesOf(route: Route, problems: ProblemAnswers): ZodOpenApiResponsesObject {
  const { answer, otherAnswers = [], responseHeaders = [], requestHeaders = [] } = route;
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
  for (const { status, description, content } of otherAnswers) {
    responses[`${status}`] = { description, headers: headersOf(always), content };
  }
  if (requestHeaders.includes("If-None-Match")) {
    responses["304"] = { description: "Unchanged.", headers: headersOf([...always, "ETag"]) };
  }
  return { ...responses, ...problemResponses(problems, route.errors, always) };
}

/** Parameters must be named one by one, which only an object schema does. */
function objectOf(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  throw new TypeError("Path and query schemas must be objects.");
}
