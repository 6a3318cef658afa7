import * as z from "zod";
import { closed } from "../contract/fields.ts";

/** The query of a route without parameters. */
export const noQuery = closed({}, "parameter");

/** Reads the query of an address. A parameter that is repeated becomes a list. */
export function readQuery(url: string): Record<string, string | string[]> {
  const start = url.indexOf("?");
  if (start < 0) return {};
  const found = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(found);
}

/** Returns the schema of a parameter that is a whole number within these bounds, both included. */
export function wholeNumber(minimum: number, maximum: number) {
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, rule)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, rule)
    .meta(documentedAs({ type: "integer", minimum, maximum }));
}

/** The same for a parameter that may be left out. */
export function wholeNumberOr(fallback: number, minimum: number, maximum: number) {
  return wholeNumber(minimum, maximum)
    .default(fallback)
    .meta(documentedAs({ type: "integer", minimum, maximum, default: fallback }));
}

const repeated = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().flatMap((part) => part.split(",")));

/** A parameter of ids that may be left out, repeated or hold several ids between commas. */
export const idList = repeated
  .pipe(z.array(z.string()))
  .optional()
  .meta(documentedAs({ type: "array", items: { type: "string" } }));

/** Returns the schema of a parameter that may be repeated or hold several values between commas. */
export function listOf<Values extends Record<string, string>>(item: z.ZodEnum<Values>) {
  return repeated
    .pipe(z.array(item))
    .default([])
    .meta({
      ...documentedAs({ type: "array", items: { type: "string", enum: item.options } }),
      description: "Only these. Repeat the parameter or separate values with commas.",
    });
}

/** A time, parsed to epoch milliseconds. */
export const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** Documents a parameter by its meaning instead of the text that carries it. */
function documentedAs(schema: Record<string, unknown>) {
  return {
    override({ jsonSchema }: { jsonSchema: Record<string, unknown> }) {
      const { description } = jsonSchema;
      for (const keyword of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, keyword);
      Object.assign(jsonSchema, schema, description !== undefined && { description });
    },
  };
}
