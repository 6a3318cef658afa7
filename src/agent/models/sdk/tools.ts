import type { JSONSchema7, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { ToolDescription } from "../../../contract/conversation.ts";
import type { Json, JsonObject } from "../../../contract/json.ts";
import { isObject } from "../../../lib/json-values.ts";

/** Converts tools for the SDK; `isPlain` for the form that Workers AI requires. */
export function toSdkTools(
  tools: readonly ToolDescription[],
  isPlain: boolean,
): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    inputSchema: (isPlain ? withPlainTypes(inputSchema) : inputSchema) as JSONSchema7,
  }));
}

/** Gives every parameter one type and a description, as the model pages of Workers AI require. */
function withPlainTypes(schema: JsonObject): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, plainParameter(name, part)]),
    ),
  };
}

function plainParameter(name: string, schema: Json): JsonObject {
  const { description = name, ...shape } = isObject(schema) ? schema : {};
  const variants = (Array.isArray(shape.anyOf) ? shape.anyOf : [shape]).filter(isObject);
  const [only, ...others] = variants.filter(({ type }) => type !== "null");
  const kept = only !== undefined && others.length === 0 ? only : shape;
  const types = variants.flatMap(({ type }) => type ?? []).filter((type) => type !== "null");
  return { ...kept, type: types[0] ?? "object", description };
}
