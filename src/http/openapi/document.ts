import * as z from "zod";
import {
  createDocument,
  type ZodOpenApiCallbackObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { callbackBody } from "../../contract/callbacks.ts";
import { EXAMPLE_ID } from "../../contract/execution.ts";
import { PROBLEMS, type ProblemCode, problem } from "../../contract/problem.ts";
import { isObject } from "../../lib/json-values.ts";
import { anyone } from "../authentication.ts";
import { REQUEST_HEADERS, RESPONSE_HEADERS, type ResponseHeader } from "../headers.ts";
import { jsonResponse, type Route, route } from "../route.ts";
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
            description: "An API key, `ph_live_...`, with the scope that an operation names.",
          },
          adminToken: { type: "http", scheme: "bearer", description: "The operators' token." },
          webhookToken: {
            type: "apiKey",
            in: "header",
            name: "X-Webhook-Token",
            description: "The token of an endpoint, which can require other credentials.",
          },
        },
      },
    },
    { override: tidy, allowEmptySchema: { nullable: true } },
  );
  removeReferenceSiblings(document);
  describeDefaults(document);
  return document;
}

function pathsOf(routes: Route[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  const problems: ProblemResponses = new Map();
  for (const each of routes) {
    const path = each.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [each.method.toLowerCase()]: operationOf(each, problems) };
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

/**
 * Moves the defaults of optional fields to their descriptions: openapi-typescript takes a field with a default
 * for one that callers must send.
 */
function describeDefaults(node: unknown): void {
  if (Array.isArray(node)) for (const child of node) describeDefaults(child);
  if (!isObject(node)) return;
  const { properties = {}, required = [] } = node;
  for (const [name, field] of Object.entries(isObject(properties) ? properties : {})) {
    const isSent = Array.isArray(required) && required.includes(name);
    if (!isObject(field) || field.default === undefined || isSent) continue;
    const { description = "", default: value } = field;
    delete field.default;
    field.description = `${description} Default: \`${JSON.stringify(value)}\`.`.trim();
  }
  for (const [keyword, child] of Object.entries(node)) {
    if (!keyword.startsWith("example")) describeDefaults(child);
  }
}

const ANYTHING = {};
const NOTHING = { not: {} };
/** Keywords that can refuse null, whatever the type beside them allows. */
const CAN_REFUSE_NULL = ["enum", "const", "oneOf", "not"];
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
  } else if (
    typeof other.type === "string" &&
    !CAN_REFUSE_NULL.some((keyword) => keyword in other)
  ) {
    delete schema.anyOf;
    Object.assign(schema, { ...other, ...schema, type: [other.type, "null"] });
  } else if (other.description !== undefined && other.$ref === undefined) {
    const { description, ...rest } = other;
    Object.assign(schema, { description, ...schema, anyOf: [rest, { type: "null" }] });
  }
}

/** Describes a route. */
function operationOf(route: Route, problems: ProblemResponses): ZodOpenApiOperationObject {
  const { content } = route.body;
  const headers = route.requestHeaders ?? [];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, scopeNote(route)].filter(Boolean).join("\n\n"),
    security: SECURITY[route.auth.kind],
    // Of a bearer token, `security` has no scopes.
    ...(route.auth.scope !== null && { "x-required-scope": route.auth.scope }),
    requestParams: {
      path: route.params,
      query: route.query,
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

const SECURITY: Record<Route["auth"]["kind"], Record<string, string[]>[]> = {
  key: [{ apiKey: [] }],
  admin: [{ adminToken: [] }],
  // Each endpoint has its own requirements; the token is the simplest one.
  sender: [{ webhookToken: [] }, {}],
  public: [],
};

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

function headersOf(names: ResponseHeader[]) {
  return z.object(Object.fromEntries(names.map((name) => [name, RESPONSE_HEADERS[name]])));
}

/** The error responses of a document, so that equal ones are described once. */
type ProblemResponses = Map<string, ZodOpenApiResponseObject>;

/** Codes whose responses have a Retry-After. */
const RETRIED: ProblemCode[] = ["rate_limited", "unavailable", "result_not_ready"];

/** Returns the error responses of an operation by status, with those of every request. */
function problemResponses(known: ProblemResponses, codes: ProblemCode[], always: ResponseHeader[]) {
  const responses: ZodOpenApiResponsesObject = {};
  const all = new Set<ProblemCode>([...codes, "https_required", "internal_error"]);
  for (const [status, group] of Map.groupBy(all, (code) => PROBLEMS[code].status)) {
    // A caller who is not known has no limit.
    const response = problemResponse(group, status === 401 ? ["X-Request-Id"] : always);
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
        "The service sends this request when an execution ends, or when it waits for an answer or an event if `callbackEvents` includes that. Return 2xx within 15 seconds. Any other response is retried, nine times within a day.",
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
        content: { "application/json": { schema: callbackBody } },
      },
      responses: {
        "2XX": { description: "Received. The response body is ignored." },
        "410": { description: "Not wanted. The delivery is not retried." },
      },
    },
  },
};
