import * as z from "zod";

/** A part of a schema, as far as the rules of providers concern it. */
const part = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

/** Says why Workers AI refuses parameters by its models' published schema, or null. */
export function plainProblem(schema: unknown): string | null {
  for (const [name, value] of Object.entries(part.parse(schema).properties ?? {})) {
    const { type, description } = part.parse(value);
    if (typeof type !== "string") return `Type mismatch of parameters/properties/${name}/type`;
    if (description === undefined) return `parameters/properties/${name} has no description`;
  }
  return null;
}
