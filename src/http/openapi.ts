import * as z from "zod";
import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
import { jsonAnswer } from "./answer.ts";
import { noBody } from "./body.ts";
import { publicly } from "./guard.ts";
import { operationOf } from "./openapi/operation.ts";
import type { ProblemAnswers } from "./openapi/problems.ts";
import { TAGS } from "./openapi/tags.ts";
import { dropStrays, tidied } from "./openapi/tidy.ts";
import { noParams, noQuery } from "./query.ts";
import { type Route, route } from "./route.ts";

/** The route that serves the API document. */
export function openApiRoute(document: () => object): Route {
  return route({
    method: "GET",
    path: "/openapi.json",
    operationId: "getOpenApi",
    tag: "Service",
    summary: "Read this document",
    description: "OpenAPI 3.1, generated from the schemas that requests are checked by.",
    guard: publicly,
    params: noParams,
    query: noQuery,
    body: noBody,
    answer: jsonAnswer(200, "OpenAPI 3.1.", z.looseObject({ openapi: z.string() }), {
      openapi: "3.1.0",
    }),
    errors: [],
    async handler() {
      const value = { openapi: "3.1.0", ...document() };
      return { value, headers: { "Cache-Control": "public, max-age=300" } };
    },
  });
}

/** The OpenAPI document of these routes. */
export function openApiDocument(routes: Route[]) {
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Prompthook",
        version: "1.0.0",
        description:
          "Starts autonomous agents from a prompt or an inbound webhook and delivers typed results. Errors are RFC 9457 problem details, whose `type` leads to an explanation. The guides are at `/docs`.",
        contact: { name: "The operators of this service" },
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/", description: "This service." }],
      tags: TAGS.filter(({ name }) => routes.some(({ tag }) => tag === name)),
      paths: pathsOf(routes),
      components: {
        securitySchemes: {
          apiKey: {
            type: "http",
            scheme: "bearer",
            description:
              "An API key, `ph_live_...`. What it may do is said by its scopes; each operation names the one that it needs.",
          },
          adminToken: { type: "http", scheme: "bearer", description: "The operators' token." },
          webhookToken: {
            type: "apiKey",
            in: "header",
            name: "X-Webhook-Token",
            description:
              "The token of an endpoint. Endpoints may ask for a signature or other credentials instead, or as well.",
          },
        },
      },
    },
    { override: tidied, allowEmptySchema: { nullable: true } },
  );
  dropStrays(document);
  return document;
}

function pathsOf(routes: Route[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  const problems: ProblemAnswers = new Map();
  for (const each of routes) {
    const path = each.path.replace(/:(\w+)/g, "{$1}");
    const method = each.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: operationOf(each, problems) };
  }
  return paths;
}
