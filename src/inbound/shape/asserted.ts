import { countOf, type Form, type Shape, type ShapeType, TYPES } from "./profile.ts";

/** Texts that must have had a form before it counts as the type of a place. */
const FORM_EVIDENCE = 10;
/** Forms that JSON Schema has a name for. */
const ASSERTED = ["date-time", "date", "uuid"] as const satisfies Form[];

/**
 * The types that a place may hold: those that were seen there. A whole number is a number too, but
 * where all were whole another one is a change of type.
 */
export function allowedTypes(shape: Shape): ShapeType[] {
  return TYPES.filter(
    (type) => countOf(shape, type) > 0 || (type === "integer" && countOf(shape, "number") > 0),
  );
}

/**
 * The form that every text of a place must have, or null: a date, a time or a UUID that was one in
 * every of at least ten texts counts as a type. Sets of words never do: a new event or state is what
 * senders add.
 */
export function assertedForm(shape: Shape): (typeof ASSERTED)[number] | null {
  if (countOf(shape, "string") < FORM_EVIDENCE) return null;
  return ASSERTED.find((form) => shape.forms?.includes(form)) ?? null;
}
