import type { JSONSchema7, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { ToolDescription } from "../../../contract/conversation.ts";
import type { Json, JsonObject } from "../../../contract/json.ts";
import { isObject } from "../../../lib/json-values.ts";
import { type StrictMode, strictSchema } from "./strict.ts";

/**
 * How a provider reads tools: with a strict mode, as they are, or with the published schema of Workers AI,
 * which requires one type and a description of every parameter.
 */
export type ToolForm = { kind: "strict"; mode: StrictMode } | { kind: "open" } | { kind: "plain" };

/** Converts tools for the SDK. */
export function toSdkTools(
  tools: readonly ToolDescription[],
  form: ToolForm,
): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, inputSchema, strict = false }) => {
    const enforced = form.kind === "strict" && strict ? strictSchema(inputSchema, form.mode) : null;
    const shown = enforced ?? (form.kind === "plain" ? withPlainTypes(inputSchema) : inputSchema);
    return {
      type: "function",
      name,
      description,
      inputSchema: shown as JSONSchema7,
      ...(enforced === null ? {} : { strict: true }),
    };
  });
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
