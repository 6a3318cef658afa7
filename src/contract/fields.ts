import * as z from "zod";
import { valueAt } from "../lib/json-values.ts";
import { describeUnknown } from "../lib/zod-messages.ts";

/** A point in time as the API writes it: ISO 8601 in UTC, with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 });

/** The times of a thing that is created and changed. */
export const recordTimes = {
  createdAt: timestamp.describe("When it was created."),
  updatedAt: timestamp.describe("When it was last updated."),
};

/**
 * Returns a schema of an object that takes the fields of `shape` and no others. The error for an unknown
 * field names the allowed ones, so that a misspelt option is found at once instead of being ignored.
 * `noun` names a field in messages.
 */
export function closed<Shape extends z.core.$ZodLooseShape>(shape: Shape, noun = "field") {
  const allowed = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? describeUnknown(noun, issue.keys[0] ?? "", allowed)
        : undefined,
  });
}

/** The counterpart of `closed`, for what the service writes: newer code may add fields, which are dropped. */
export const open = z.object;

/** Returns a schema of a text of 1 to `most` characters. An empty one breaks no further rule. */
export const textUpTo = (most: number) => z.string().min(1, { abort: true }).max(most);

/** Returns a schema of a text of 1 to `most` characters that is not blank. */
export const wordsUpTo = (most: number) =>
  textUpTo(most).refine((text) => text.trim() !== "", "must not be blank");

/** Returns a schema of a text that matches a pattern in all; `message` says what it must be. */
export const matching = (pattern: RegExp, message?: string) => z.string().regex(pattern, message);

/** A schema of a yes or no. */
export const flag = z.boolean();

/** Returns a schema of a field that older code did not store: it is null where it is missing. */
export const late = <Schema extends z.ZodType>(field: Schema) => field.nullable().default(null);

/** Returns a schema of a whole number from `least` to `most`. */
export const whole = (least: number, most: number) => z.int().min(least).max(most);

/** Returns a schema of one of these words. */
export const oneOf = <const Words extends readonly string[]>(...words: Words) => z.enum(words);

/** Returns a schema of a list; with `most`, of `least` to `most` items. */
export function listOf<Item extends z.ZodType>(item: Item, most?: number, least = 0) {
  if (most === undefined) return z.array(item);
  return least === 0 ? z.array(item).max(most) : z.array(item).min(least).max(most);
}

/** Returns a schema of a list that names nothing twice: by the keys of its items, or the items themselves. */
export function distinct<Item extends z.ZodType>(
  items: z.ZodArray<Item>,
  noun: string,
  keyOf?: (item: z.output<Item>) => string,
) {
  const isDistinct = (all: z.output<Item>[]) =>
    new Set<unknown>(keyOf === undefined ? all : all.map(keyOf)).size === all.length;
  const checked = items.refine(isDistinct, `must not name ${noun} twice`);
  return keyOf === undefined ? checked.meta({ uniqueItems: true }) : checked;
}

/** A stored secret as the API shows it. */
export const shownSecret = open({
  set: z.literal(true).describe("Always true: there is a secret."),
  last4: z.string().describe("The last four characters of the secret; empty for a short secret."),
}).meta({ id: "ShownSecret", description: "A stored secret, which is never shown again." });

/** Headers of every request to an address of the account's own, as bodies name them. */
export const secretHeaders = z
  .record(textUpTo(100), textUpTo(4_096))
  .refine((headers) => Object.keys(headers).length <= 16, "must have at most 16 headers")
  .meta({ maxProperties: 16 })
  .describe("Headers of every request, such as Authorization. Write-only.");

/** The same as the API shows them. */
export const shownHeaders = listOf(
  open({ name: z.string().describe("The name of the header."), ...shownSecret.shape }),
).describe("The headers of every request.");

/** The version of what this code stores. */
const VERSION = 1;

/**
 * The oldest version of the code that may read a stored object. Fields that only newer code knows stay in
 * the object; newer code raises this for one that older code must not ignore, such as a further check.
 */
export const readableBy = z
  .int()
  .max(VERSION, "This was stored by newer code and cannot be read.")
  .optional();

// Rules between the fields of a body, for `apply`: each is checked, and stated in the API document, where a
// check of zod's own would not show.

/** A schema of bodies with these fields. Linters ask that a required field is among the properties. */
const has = (...names: string[]) => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});

/** Returns what adds a rule to a schema: `message` is about the field `path`, or the whole body. */
const rule =
  (
    isMet: (body: object) => boolean,
    message: string,
    path: string | undefined,
    stated: Record<string, unknown>,
  ) =>
  <Schema extends z.ZodType<object>>(schema: Schema): Schema =>
    schema.refine(isMet, { message, path: path === undefined ? [] : [path] }).meta(stated);

/** Returns how many of these fields a body has. */
const countOf = (body: object, names: readonly string[]): number =>
  names.filter((name) => valueAt(body, name) !== undefined).length;

/** Returns a schema of a body that changes something: it has at least one of these fields. */
export function changing<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return closed(shape)
    .partial()
    .refine((body) => Object.keys(body).length > 0, "must have at least one field to change")
    .meta({ minProperties: 1 });
}

/** Requires exactly one of these fields. */
export const exactlyOne = (names: readonly string[], message: string, path?: string) =>
  rule((body) => countOf(body, names) === 1, message, path, {
    oneOf: names.map((name) => has(name)),
  });

/**
 * Requires at least one of these fields. It is stated within `allOf`, as generators of types take a bare
 * `anyOf` for alternatives to the properties beside it.
 */
export const atLeastOne = (names: readonly string[], message: string, path?: string) =>
  rule((body) => countOf(body, names) > 0, message, path, {
    allOf: [{ anyOf: names.map((name) => has(name)) }],
  });

/** Allows at most one of these fields. */
export function atMostOne(names: readonly string[], message: string, path?: string) {
  const pairs = names.flatMap((name, at) => names.slice(at + 1).map((other) => has(name, other)));
  const not = pairs.length === 1 ? pairs[0] : { anyOf: pairs };
  return rule((body) => countOf(body, names) <= 1, message, path, { not });
}

/** Requires both of these fields, or neither. The message is about the first. */
export const together = ([one, other]: [string, string], message: string) =>
  rule((body) => countOf(body, [one, other]) !== 1, message, one, {
    dependentRequired: { [one]: [other], [other]: [one] },
  });

/** Requires beside the field `name` the field `needed`, with a value that fits. */
export const needs = (
  name: string,
  needed: string,
  message: string,
  fits = (value: unknown) => value !== undefined,
) =>
  rule((body) => countOf(body, [name]) === 0 || fits(valueAt(body, needed)), message, name, {
    dependentRequired: { [name]: [needed] },
  });
