import * as z from "zod";
import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
import { anyone } from "../authentication.ts";
import { jsonResponse, type Route, route } from "../route.ts";
import { operationOf, type ProblemResponses } from "./operation.ts";
import { TAGS } from "./tags.ts";
import { removeReferenceSiblings, tidy } from "./tidy.ts";

/** Returns the route that serves the API document. */
export function openApiRoute(document: () => object): Route {
  return route("GET", "/openapi.json", {
    operationId: "getOpenApi",
    summary: "Get the OpenAPI document",
    description: "Returns this document, generated from the schemas that validate requests.",
    auth: anyone,
    response: jsonResponse(200, "OpenAPI 3.1.", z.looseObject({ openapi: z.string() }), {
      openapi: "3.1.0",
    }),
    async handler() {
      const value = { openapi: "3.1.0", ...document() };
      return { value, headers: { "Cache-Control": "public, max-age=300" } };
    },
  });
}

/** Generates the OpenAPI document of these routes. */
export function openApiDocument(routes: Route[]) {
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Prompthook",
        version: "1.0.0",
        description:
          "Prompthook starts autonomous agents from a prompt or an inbound webhook and delivers typed results. Errors are RFC 9457 problem details whose `type` links to an explanation. The guides are at `/docs`.",
        contact: { name: "The operators of this service" },
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/", description: "This service." }],
      tags: TAGS.filter(({ name }) => routes.some(({ tag }) => tag === name)).map(
        ({ name, description }) => ({ name, description }),
      ),
      paths: pathsOf(routes),
      components: {
        securitySchemes: {
          apiKey: {
            type: "http",
            scheme: "bearer",
            description:
              "An API key, `ph_live_...`. Each operation names the scope that the key needs.",
          },
          adminToken: { type: "http", scheme: "bearer", description: "The operators' token." },
          webhookToken: {
            type: "apiKey",
            in: "header",
            name: "X-Webhook-Token",
            description:
              "The token of an endpoint. Endpoints can require a signature or other credentials instead of it or with it.",
          },
        },
      },
    },
    { override: tidy, allowEmptySchema: { nullable: true } },
  );
  removeReferenceSiblings(document);
  return document;
}

function pathsOf(routes: Route[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  const problems: ProblemResponses = new Map();
  for (const each of routes) {
    const path = each.path.replace(/:(\w+)/g, "{$1}");
    const method = each.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: operationOf(each, problems) };
  }
  return paths;
}
