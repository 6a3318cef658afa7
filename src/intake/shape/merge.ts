import {
  countOf,
  type Form,
  fieldKey,
  fieldsOf,
  isAlwaysPresent,
  type Shape,
  seenAt,
  TYPES,
} from "./profile.ts";

type Inside = Shape | "any" | undefined;

/** Merges two shapes into one that knows what both have learned. */
export function merge(left: Shape, right: Shape): Shape {
  const merged: Shape = { types: sumOf(left, right) };
  const forms = commonForms(left.forms, right.forms);
  if (forms) merged.forms = forms;
  const items = mergeInside(left.items, right.items);
  if (items !== undefined) merged.items = items;
  const rest = mergeInside(left.rest, right.rest);
  if (rest !== undefined) merged.rest = rest;
  const fields = [...fieldsBeside(left, right), ...fieldsOnlyOf(right, left)];
  if (fields.length > 0) {
    merged.fields = Object.fromEntries(fields.map(([name, field]) => [fieldKey(name), field]));
  }
  // A field on one side may have been a name of the map on the other.
  if (typeof rest === "object") foldIntoMap(merged);
  return merged;
}

/** Merges all fields that are not always present into `rest`. Changes the shape. */
export function foldIntoMap(shape: Shape): void {
  const kept: [string, Shape][] = [];
  for (const [name, field] of fieldsOf(shape)) {
    if (isAlwaysPresent(field, shape)) kept.push([fieldKey(name), field]);
    else shape.rest = mergeInside(shape.rest, field) ?? "any";
  }
  shape.fields = Object.fromEntries(kept);
}

function sumOf(left: Shape, right: Shape): Shape["types"] {
  const counts = TYPES.map((type) => [type, countOf(left, type) + countOf(right, type)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function commonForms(left: Form[] | undefined, right: Form[] | undefined): Form[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left.filter((form) => right.includes(form));
}

function mergeInside(left: Inside, right: Inside): Inside {
  if (left === undefined || right === undefined) return left ?? right;
  return left === "any" || right === "any" ? "any" : merge(left, right);
}

/** Returns the fields of `shape`, each merged with that of `other`. */
function fieldsBeside(shape: Shape, other: Shape): [name: string, field: Shape][] {
  return fieldsOf(shape).flatMap(([name, field]) => {
    const same = other.fields?.[fieldKey(name)];
    if (same !== undefined) return [[name, merge(field, same)]];
    return other.rest === "any" ? [] : [[name, field]];
  });
}

/** Returns the fields that `other` lacks; none if it may have skipped them. */
function fieldsOnlyOf(shape: Shape, other: Shape): [name: string, field: Shape][] {
  if (other.rest === "any") return [];
  return fieldsOf(shape).filter(([name]) => other.fields?.[fieldKey(name)] === undefined);
}

/** Distinct names that make an object a map. */
const MANY_NAMES = 50;
const MANY_OBJECTS = 10;
/** The same for names that look like ids. */
const MANY_IDS = 10;

/** Three digits anywhere, or only digits: `2026-11-21`, `sku_1234`, `7`. */
const ID = /^\d+$|\d.*\d.*\d/;

/**
 * Whether the names in an object are data, such as ids, rather than fields: there are many, and at least
 * half of them were seen only once. Names that are always present are fields in any case.
 */
export function becomesMap(shape: Shape): boolean {
  if (shape.rest !== undefined) return false;
  const sometimes = fieldsOf(shape).filter(([, field]) => !isAlwaysPresent(field, shape));
  const ids = sometimes.filter(([name]) => ID.test(name));
  if (ids.length >= MANY_IDS && areMostlyNew(ids)) return true;
  return (
    countOf(shape, "object") >= MANY_OBJECTS &&
    sometimes.length >= MANY_NAMES &&
    areMostlyNew(sometimes)
  );
}

function areMostlyNew(fields: [name: string, field: Shape][]): boolean {
  return fields.filter(([, field]) => seenAt(field) === 1).length * 2 >= fields.length;
}
