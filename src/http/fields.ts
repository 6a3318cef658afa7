import type * as z from "zod";

/**
 * Returns the fields that a change names and that have a default: null becomes the default. What it leaves
 * out stays as it is.
 */
export function changedFields<Change extends object, Defaults extends object>(
  change: Change,
  defaults: Defaults,
): {
  [Name in keyof Change & keyof Defaults]?: NonNullable<Change[Name]> | Defaults[Name];
};
export function changedFields(change: object, defaults: object): object {
  const given = new Map<string, unknown>(Object.entries(change));
  const named = Object.entries(defaults).filter(([name]) => given.get(name) !== undefined);
  return Object.fromEntries(named.map(([name, usual]) => [name, given.get(name) ?? usual]));
}

/** Returns the fields of a value that a record has, in the order of its schema. */
export function shownFields<Value extends object, Shape extends z.core.$ZodShape>(
  record: z.ZodObject<Shape>,
  value: Value,
): Pick<Value, keyof Value & keyof Shape>;
export function shownFields(record: z.ZodObject, value: object): object {
  const known = new Map<string, unknown>(Object.entries(value));
  const names = Object.keys(record.shape).filter((name) => known.has(name));
  return Object.fromEntries(names.map((name) => [name, known.get(name)]));
}
