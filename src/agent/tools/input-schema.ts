import * as z from "zod";
import { type JsonObject, jsonObject } from "../../contract/json.ts";

const variant = z.object({
  properties: z.record(z.string(), jsonObject),
  required: z.array(z.string()).default([]),
});
const union = z.object({ oneOf: z.array(variant).min(1) });
type Variant = z.infer<typeof variant>;

/**
 * The JSON Schema of a tool's input, as models take it: always an object. The APIs of OpenAI and
 * Anthropic refuse a tool whose input is `oneOf` several objects at the top, so these are shown as one
 * object with the properties of all; which of them belong together is checked when it is called.
 */
export function inputSchemaOf(input: z.ZodType): JsonObject {
  const schema = jsonObject.parse(
    JSON.parse(JSON.stringify(z.toJSONSchema(input, { io: "input" }))),
  );
  const several = union.safeParse(schema);
  return several.success ? merged(several.data.oneOf) : schema;
}

function merged(variants: readonly Variant[]): JsonObject {
  const names = new Set(variants.flatMap(({ properties }) => Object.keys(properties)));
  const properties = [...names].map((name) => [name, oneProperty(variants, name)]);
  const required = [...names].filter((name) =>
    variants.every((each) => each.required.includes(name)),
  );
  return { type: "object", properties: Object.fromEntries(properties), required };
}

function oneProperty(variants: readonly Variant[], name: string): JsonObject {
  const schemas = variants.map(({ properties }) => properties[name]).filter((each) => each != null);
  const distinct = [...new Map(schemas.map((each) => [JSON.stringify(each), each])).values()];
  const [first, ...others] = distinct;
  if (first && others.length === 0) return first;
  const constants = distinct.map((each) => each.const).filter((value) => value !== undefined);
  return constants.length === distinct.length ? { enum: constants } : { anyOf: distinct };
}
