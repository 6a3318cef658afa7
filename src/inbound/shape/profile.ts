import * as z from "zod";

/** What a value can be. `number` counts those that are not whole. */
export const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;
export type ShapeType = (typeof TYPES)[number];

/** What all texts, or all numbers, of a place may be at once. */
export const FORMS = [
  "date-time",
  "date",
  "uuid",
  "integer-text",
  "number-text",
  "boolean-text",
  "epoch-seconds",
  "epoch-ms",
] as const;
export type Form = (typeof FORMS)[number];

/**
 * What was seen at one place of the payloads: how often each type, and what is inside. Of values
 * nothing is kept but what they are, so that a profile holds no data of a sender but names.
 */
export interface Shape {
  types: { [type in ShapeType]?: number };
  /** The forms that everything seen here fits; undefined before the first text or number. */
  forms?: Form[];
  /** Fields by their name after a `.`, so that no name means anything to an object: `.__proto__`. */
  fields?: { [dottedName: string]: Shape };
  /**
   * Names that are not among the fields: undefined when there were none, "any" when there were and
   * nothing is known of them, else what all of them together hold (a map whose keys are ids).
   */
  rest?: Shape | "any";
  /** What all items of arrays together hold; "any" when nothing is known of some of them. */
  items?: Shape | "any";
}

const shape: z.ZodType<Shape> = z.lazy(() =>
  z.object({
    types: z.partialRecord(z.enum(TYPES), z.int().min(1)),
    forms: z.array(z.enum(FORMS)).exactOptional(),
    fields: z.record(z.string(), shape).exactOptional(),
    rest: inside.exactOptional(),
    items: inside.exactOptional(),
  }),
);
const inside = z.union([z.literal("any"), shape]);

/** What was learned of an endpoint's payloads. It is stored, so it carries a version. */
export const shapeProfile = z.object({
  v: z.literal(1),
  /** Payloads that it was learned from. */
  learnedFrom: z.int().min(0),
  /** What the profile weighs; see `WEIGHT`. */
  weight: z.int().min(0),
  root: shape.nullable(),
});
export type ShapeProfile = z.infer<typeof shapeProfile>;

/**
 * No profile is heavier than `most`, which keeps about 2,000 places. The weight is close to the bytes
 * of the profile and of its schema as JSON, and both stay below it in practice.
 */
export const WEIGHT = { most: 250_000, place: 120, perNameByte: 2 };
/** Levels below the payload itself that are described. */
export const MAX_DEPTH = 20;
/** A longer name is not kept. */
export const MAX_NAME_LENGTH = 200;
/** Values of one payload that are looked at. What is inside a container beyond them counts as "any". */
export const MAX_VALUES = 20_000;

/** A profile of no payloads. */
export function emptyProfile(): ShapeProfile {
  return { v: 1, learnedFrom: 0, weight: 0, root: null };
}

/** How many values were seen at a place. */
export function seenAt({ types }: Shape): number {
  return Object.values(types).reduce((sum, count) => sum + count, 0);
}

/** How often a place held one of these types. */
export function countOf({ types }: Shape, ...of: ShapeType[]): number {
  return of.reduce((sum, type) => sum + (types[type] ?? 0), 0);
}

/** The key of a field in `fields`. */
export const fieldKey = (name: string): string => `.${name}`;

/** The fields of a shape by their real names. */
export function fieldsOf({ fields = {} }: Shape): [name: string, field: Shape][] {
  return Object.entries(fields).map(([key, field]) => [key.slice(1), field]);
}

/** Whether every object at the place `of` had this field of it. */
export function isAlwaysThere(field: Shape, of: Shape): boolean {
  return seenAt(field) === countOf(of, "object");
}
