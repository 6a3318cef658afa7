import * as z from "zod";

/** The part of a JSON Schema that the reference shows. */
export interface Schema {
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  format?: string | undefined;
  description?: string | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  default?: unknown;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  pattern?: string | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  additionalProperties?: boolean | Schema | undefined;
  items?: Schema | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    format: z.string().optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.int().optional(),
    maxLength: z.int().optional(),
    minItems: z.int().optional(),
    maxItems: z.int().optional(),
    pattern: z.string().optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), schema]).optional(),
    items: schema.optional(),
    anyOf: z.array(schema).optional(),
    oneOf: z.array(schema).optional(),
  }),
);

const reference = z.object({ $ref: z.string() });

const header = z.object({
  description: z.string().default(""),
  required: z.boolean().default(false),
  schema,
});
type Header = z.infer<typeof header>;

const parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  description: z.string().default(""),
  required: z.boolean().default(false),
  schema,
  example: z.unknown().optional(),
});
type Parameter = z.infer<typeof parameter>;

const content = z.record(
  z.string(),
  z.object({
    schema,
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ value: z.unknown() })).default({}),
  }),
);
type Content = z.infer<typeof content>;

const response = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.union([reference, header])).default({}),
  content: content.default({}),
});
type Response = z.infer<typeof response>;

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).length(1),
  summary: z.string(),
  description: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  "x-required-scope": z.string().nullable().default(null),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), z.union([reference, response])),
  callbacks: z.record(z.string(), reference).default({}),
});
type Operation = z.infer<typeof operation>;

const pathItem = z.record(z.string(), operation);

/** The part of an OpenAPI document that the reference reads. */
const openApi = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), pathItem),
  components: z.object({
    schemas: z.record(z.string(), schema),
    responses: z.record(z.string(), response),
    headers: z.record(z.string(), header),
    callbacks: z.record(z.string(), z.record(z.string(), pathItem)),
  }),
});
type OpenApi = z.infer<typeof openApi>;

/** Returns the name of the schema or the header that a `$ref` points to. */
export function nameIn($ref: string): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

/** An operation with its references resolved, except those to schemas. */
export interface ReferenceOperation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** Alternative ways to authenticate: names of security schemes. */
  security: Record<string, string[]>[];
  /** The scope that its key needs; null for none. */
  scope: string | null;
  parameters: Parameter[];
  body: Body | null;
  /** The successful responses, the usual one first. */
  responses: SuccessResponse[];
  /** The error codes by status. */
  problems: { status: number; codes: string[] }[];
  /** The names of the callbacks that it can lead to. */
  callbacks: string[];
}

interface Body {
  required: boolean;
  contents: MediaContent[];
}

interface SuccessResponse {
  status: number;
  description: string;
  headers: (Header & { name: string })[];
  contents: MediaContent[];
}

interface MediaContent {
  mediaType: string;
  schema: Schema;
  example: unknown;
}

/** A request that the service sends. */
interface Callback {
  name: string;
  expression: string;
  operation: ReferenceOperation;
}

/** The API as the reference shows it. */
export interface Reference {
  tags: { name: string; description: string; operations: ReferenceOperation[] }[];
  callbacks: Callback[];
  schemas: Map<string, Schema>;
}

/** Reads an OpenAPI document. Throws for a reference to nothing. */
export function referenceOf(document: unknown): Reference {
  const api = openApi.parse(document);
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => operationOf(api, path, method, each)),
  );
  return {
    tags: api.tags.map((tag) => ({
      ...tag,
      operations: operations.filter((each) => each.tag === tag.name),
    })),
    callbacks: Object.entries(api.components.callbacks).flatMap(([name, paths]) =>
      Object.entries(paths).flatMap(([expression, methods]) =>
        Object.entries(methods).map(([method, each]) => ({
          name,
          expression,
          operation: operationOf(api, expression, method, each),
        })),
      ),
    ),
    schemas: new Map(Object.entries(api.components.schemas)),
  };
}

const PROBLEM = "application/problem+json";

function operationOf(
  api: OpenApi,
  path: string,
  method: string,
  operation: Operation,
): ReferenceOperation {
  const { operationId, tags, summary, description, security, parameters } = operation;
  const all = Object.entries(operation.responses).map(([status, each]) => ({
    status: Number.parseInt(status, 10),
    response: "$ref" in each ? resolve(api.components.responses, each.$ref) : each,
  }));
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    tag: tags[0] ?? "",
    summary,
    description,
    security,
    scope: operation["x-required-scope"],
    parameters,
    body: operation.requestBody
      ? {
          required: operation.requestBody.required,
          contents: contentsOf(operation.requestBody.content),
        }
      : null,
    responses: all
      .filter(({ response }) => !(PROBLEM in response.content))
      .map(({ status, response }) => responseOf(api, status, response))
      .sort((one, other) => usualFirst(one) - usualFirst(other)),
    problems: all.flatMap(({ status, response }) => {
      const problem = response.content[PROBLEM];
      return problem ? [{ status, codes: Object.keys(problem.examples) }] : [];
    }),
    callbacks: Object.values(operation.callbacks).map(({ $ref }) => nameIn($ref)),
  };
}

function responseOf(api: OpenApi, status: number, response: Response): SuccessResponse {
  return {
    status,
    description: response.description,
    headers: Object.entries(response.headers).map(([name, header]) => ({
      name,
      ...("$ref" in header ? resolve(api.components.headers, header.$ref) : header),
    })),
    contents: contentsOf(response.content),
  };
}

function contentsOf(content: Content): MediaContent[] {
  return Object.entries(content).map(([mediaType, { schema, example }]) => ({
    mediaType,
    schema,
    example,
  }));
}

/** Orders the usual response first: the one of an operation that created or accepted something. */
function usualFirst({ status }: SuccessResponse): number {
  return status === 201 || status === 202 ? 0 : status;
}

function resolve<Part>(parts: Record<string, Part>, $ref: string): Part {
  const part = parts[nameIn($ref)];
  if (part === undefined) throw new Error(`${$ref} points to nothing`);
  return part;
}
