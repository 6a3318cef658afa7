import type { ZodOpenApiOverride } from "zod-openapi";

type Schema = Parameters<ZodOpenApiOverride>[0]["jsonSchema"];

/**
 * Removes from a schema what is true of every schema of its kind: that a whole number fits JavaScript,
 * that the names of an object are strings, how a UUID or a time is written whose format is named.
 */
export const tidy: ZodOpenApiOverride = ({ jsonSchema: schema, zodSchema: { _zod } }) => {
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
export function removeReferenceSiblings(node: unknown): void {
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
