import {
  type Content,
  type Header,
  nameIn,
  type OpenApi,
  type Operation,
  openApi,
  type Parameter,
  type Response,
  type Schema,
} from "./openapi.ts";

/** One operation, with all that it refers to in place; schemas stay references. */
export interface ReferenceOperation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** The ways to be let in, one of which is enough: names of schemes with the scopes. */
  security: Record<string, string[]>[];
  parameters: Parameter[];
  body: Body | null;
  /** What is answered when all goes well, the usual answer first. */
  answers: Answer[];
  /** The error codes that it may answer, by status. */
  problems: { status: number; codes: string[] }[];
  /** Names of the callbacks that it leads to. */
  callbacks: string[];
}

export interface Body {
  required: boolean;
  contents: MediaContent[];
}

export interface Answer {
  status: number;
  description: string;
  headers: (Header & { name: string })[];
  contents: MediaContent[];
}

export interface MediaContent {
  mediaType: string;
  schema: Schema;
  example: unknown;
}

/** What the service itself sends, and to where. */
export interface Callback {
  name: string;
  expression: string;
  operation: ReferenceOperation;
}

/** The whole API as the reference shows it. */
export interface Reference {
  tags: { name: string; description: string; operations: ReferenceOperation[] }[];
  callbacks: Callback[];
  schemas: Map<string, Schema>;
}

/** Reads an OpenAPI document. Throws for one that refers to what is not there. */
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
  const responses = Object.entries(operation.responses).map(([status, each]) => ({
    status: Number.parseInt(status, 10),
    response: "$ref" in each ? found(api.components.responses, each.$ref) : each,
  }));
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    tag: tags[0] ?? "",
    summary,
    description,
    security,
    parameters,
    body: operation.requestBody
      ? {
          required: operation.requestBody.required,
          contents: contentsOf(operation.requestBody.content),
        }
      : null,
    answers: responses
      .filter(({ response }) => !(PROBLEM in response.content))
      .map(({ status, response }) => answerOf(api, status, response))
      .sort((one, other) => usualFirst(one) - usualFirst(other)),
    problems: responses.flatMap(({ status, response }) => {
      const problem = response.content[PROBLEM];
      return problem ? [{ status, codes: Object.keys(problem.examples) }] : [];
    }),
    callbacks: Object.values(operation.callbacks).map(({ $ref }) => nameIn($ref)),
  };
}

function answerOf(api: OpenApi, status: number, response: Response): Answer {
  return {
    status,
    description: response.description,
    headers: Object.entries(response.headers).map(([name, header]) => ({
      name,
      ...("$ref" in header ? found(api.components.headers, header.$ref) : header),
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

/** Of several answers the one that says that something was taken on comes first. */
function usualFirst({ status }: Answer): number {
  return status === 201 || status === 202 ? 0 : status;
}

function found<Part>(parts: Record<string, Part>, $ref: string): Part {
  const part = parts[nameIn($ref)];
  if (part === undefined) throw new Error(`${$ref} refers to nothing`);
  return part;
}
