import * as z from "zod";
import { closed } from "../contract/fields.ts";

/** No parameter is known: any is refused. */
export const noQuery = closed({});
export const noParams = z.object({});

/** The query of an address: a value that comes more than once becomes a list. */
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

/** A parameter that is a whole number within these bounds, both included. */
export function wholeNumber(minimum: number, maximum: number) {
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, rule)
    .transform(Number)
    .refine((number) => number >= minimum && number <= maximum, rule)
    .meta(described({ type: "integer", minimum, maximum }));
}

/** How the API document shows a parameter: by what it means, not by the text that carries it. */
function described(schema: Record<string, unknown>) {
  return {
    override({ jsonSchema }: { jsonSchema: Record<string, unknown> }) {
      const { description } = jsonSchema;
      for (const keyword of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, keyword);
      Object.assign(jsonSchema, schema, description !== undefined && { description });
    },
  };
}

/** A parameter that may come several times, or once with commas. */
export function listOf<Values extends Record<string, string>>(item: z.ZodEnum<Values>) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat().flatMap((part) => part.split(",")))
    .pipe(z.array(item))
    .default([])
    .meta({
      ...described({ type: "array", items: { type: "string", enum: item.options } }),
      description: "Only these. May come several times, or once with commas between.",
    });
}

/** A moment, as epoch milliseconds. */
export const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** How many items a page has. */
export const limit = wholeNumber(1, 100)
  .default(20)
  .meta({
    ...described({ type: "integer", minimum: 1, maximum: 100, default: 20 }),
    description: "How many items a page has at most.",
  });

/** Where a page begins. */
export const cursor = z
  .string()
  .optional()
  .describe("`nextCursor` of the page before; the first page where it is left out.");

/** Where the page after one begins. */
export const nextCursorSchema = z
  .string()
  .nullable()
  .describe("`cursor` of the next page; null on the last one.");
