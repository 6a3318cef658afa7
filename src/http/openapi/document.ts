import * as z from "zod";
import { createDocument, type ZodOpenApiOverride, type ZodOpenApiPathsObject } from "zod-openapi";
import { anyone } from "../authentication.ts";
import { jsonResponse, type Route, route } from "../route.ts";
import { operationOf, type ProblemResponses } from "./operation.ts";
import { TAGS } from "./tags.ts";

/** Returns the route that serves the API document. */
export function openApiRoute(document: () => object): Route {
  return route("GET", "/openapi.json", {
    operationId: "getOpenApi",
    summary: "Get the OpenAPI document",
    description: "Returns this document, generated from the schemas that validate requests.",
    auth: anyone,
    response: jsonResponse(200, "OpenAPI 3.1.", z.looseObject({ openapi: z.string() })),
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

type Schema = Parameters<ZodOpenApiOverride>[0]["jsonSchema"];

/**
 * Removes from a schema what is true of every schema of its kind: that a whole number fits JavaScript,
 * that the names of an object are strings, how a UUID or a time is written whose format is named.
 */
const tidy: ZodOpenApiOverride = ({ jsonSchema: schema, zodSchema: { _zod } }) => {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format !== undefined) delete schema.pattern;
  if (is(schema.propertyNames, ANY_TEXT)) delete schema.propertyNames;
  if (_zod.def.type === "nullable") joinNull(schema);
  if (_zod.def.type !== "object") return;
  // Responses may get further fields, so only schemas that reject them are closed.
  if (_zod.def.catchall === undefined) delete schema.additionalProperties;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (is(property, NOTHING)) delete schema.properties?.[name];
  }
};

/** The keywords that may stand beside a reference. */
const BESIDE_REFERENCES = new Set(["$ref", "description", "default"]);

/**
 * Removes what the generator leaves beside a reference: parts of the referenced schema as they were before
 * they were tidied.
 */
function removeReferenceSiblings(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  if ("$ref" in node) {
    for (const keyword of Object.keys(node)) {
      if (!BESIDE_REFERENCES.has(keyword)) Reflect.deleteProperty(node, keyword);
    }
  }
  for (const child of Object.values(node)) removeReferenceSiblings(child);
}

const ANYTHING = {};
const NOTHING = { not: {} };
const ANY_TEXT = { type: "string" };

const is = (schema: unknown, form: object): boolean =>
  JSON.stringify(schema) === JSON.stringify(form);

/** Expresses a nullable value by its type instead of by two alternatives, where possible. */
function joinNull(schema: Schema): void {
  const other = schema.anyOf?.find((each) => !is(each, { type: "null" }));
  if (other === undefined) return;
  if (is(other, ANYTHING)) {
    delete schema.anyOf;
  } else if (other.anyOf && other.$ref === undefined) {
    schema.anyOf = [...other.anyOf, { type: "null" }];
  } else if (typeof other.type === "string" && !other.enum && other.const === undefined) {
    delete schema.anyOf;
    Object.assign(schema, { ...other, ...schema, type: [other.type, "null"] });
  } else if (other.description !== undefined && other.$ref === undefined) {
    const { description, ...rest } = other;
    Object.assign(schema, { description, ...schema, anyOf: [rest, { type: "null" }] });
  }
}
