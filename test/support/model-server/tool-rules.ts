import * as z from "zod";

/** A part of a schema, as far as the rules of providers concern it. */
const part = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
});

/** Keywords that OpenAI's and Anthropic's strict modes both take. */
const STRICT = new Set(
  "type description properties required additionalProperties items enum anyOf".split(" "),
);

/**
 * Says why a strict mode refuses a schema, or null: other keywords, places without a type, objects
 * that are not closed, and, for OpenAI, properties that are not required.
 */
export function strictProblem(
  schema: unknown,
  { requiresAll }: { requiresAll: boolean },
  path = "parameters",
): string | null {
  const parsed = part.safeParse(schema);
  if (!parsed.success) return `${path} is not a schema`;
  const { type, properties, required = [], items, anyOf, additionalProperties } = parsed.data;
  const unknown = Object.keys(parsed.data).find((keyword) => !STRICT.has(keyword));
  if (unknown) return `${path}: '${unknown}' is not permitted`;
  if (type === undefined && anyOf === undefined) return `${path}: must have a 'type' key`;
  const types = [type ?? []].flat();
  if (types.includes("object") && additionalProperties !== false) {
    return `${path}: 'additionalProperties' is required to be supplied and to be false`;
  }
  if (types.includes("array") && items === undefined) return `${path}: array schema missing items`;
  const names = Object.keys(properties ?? {});
  const missing = requiresAll ? names.find((name) => !required.includes(name)) : undefined;
  if (missing)
    return `${path}: 'required' must include every key in properties. Missing '${missing}'`;
  const inside: [string, unknown][] = [
    ...Object.entries(properties ?? {}),
    ...(items === undefined ? [] : [["items", items] as [string, unknown]]),
    ...(anyOf ?? []).map((each, index): [string, unknown] => [`anyOf.${index}`, each]),
  ];
  for (const [name, each] of inside) {
    const problem = strictProblem(each, { requiresAll }, `${path}.${name}`);
    if (problem !== null) return problem;
  }
  return null;
}

/** Says why Workers AI refuses parameters by its models' published schema, or null. */
export function plainProblem(schema: unknown): string | null {
  for (const [name, value] of Object.entries(part.parse(schema).properties ?? {})) {
    const { type, description } = part.parse(value);
    if (typeof type !== "string") return `Type mismatch of parameters/properties/${name}/type`;
    if (description === undefined) return `parameters/properties/${name} has no description`;
  }
  return null;
}
