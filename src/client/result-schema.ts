import type { ExecutionResult } from "../contract/execution.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import { UnexpectedResponseError, withExecution } from "./error.ts";

/**
 * A schema of a library such as zod, which checks values and writes itself as JSON Schema (Standard Schema
 * and Standard JSON Schema, https://standardschema.dev).
 */
export interface ResultSchema<Data> {
  readonly "~standard": {
    validate(value: unknown): Validated<Data> | Promise<Validated<Data>>;
    readonly jsonSchema: {
      input(options: { target: "draft-2020-12" }): Record<string, unknown>;
    };
  };
}

type Validated<Data> =
  | { readonly value: Data; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** A result whose `data` has this type. */
export type ResultOf<Data> = ExecutionResult extends infer Result extends ExecutionResult
  ? Result extends unknown
    ? Omit<Result, "presentedResult"> & {
        presentedResult: Omit<Result["presentedResult"], "data"> & { data?: Data };
      }
    : never
  : never;

/** Whether `outputSchema` is a library's, rather than JSON Schema itself. */
export function isResultSchema<Data>(
  schema: JsonObject | ResultSchema<Data> | undefined,
): schema is ResultSchema<Data> {
  return schema !== undefined && "~standard" in schema;
}

/** Returns JSON Schema for the data that the agent has to produce: what the schema takes, not what it makes of it. */
export function jsonSchemaOf(schema: ResultSchema<unknown>): JsonObject {
  const written = schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  return JSON.parse(JSON.stringify(written));
}

/** Returns the result with its `data` as the schema parses it. Throws where the schema refuses it. */
export async function parsedResult<Data>(
  result: ExecutionResult,
  schema: ResultSchema<Data>,
): Promise<ResultOf<Data>> {
  const { data, ...presented } = result.presentedResult;
  if (data === undefined) return { ...result, presentedResult: presented };
  const validated = await schema["~standard"].validate(data satisfies Json);
  if (validated.issues === undefined) {
    return { ...result, presentedResult: { ...presented, data: validated.value } };
  }
  const [issue] = validated.issues;
  const message = `The result's data is not as its schema says: ${issue?.message}`;
  throw withExecution(new UnexpectedResponseError(message, { status: 200 }), result.executionId);
}
