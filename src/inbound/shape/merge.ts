import {
  countOf,
  type Form,
  fieldKey,
  fieldsOf,
  isAlwaysThere,
  type Shape,
  TYPES,
} from "./profile.ts";

type Inside = Shape | "any" | undefined;

/** One shape of two: what either was learned from, learned in one place. */
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
  // A name that is a field on one side may have been one of the map's on the other.
  if (typeof rest === "object") foldIntoMap(merged);
  return merged;
}

/** Makes one of all fields of an object that are not always there, as its `rest`. Changes the shape. */
export function foldIntoMap(shape: Shape): void {
  const kept: [string, Shape][] = [];
  for (const [name, field] of fieldsOf(shape)) {
    if (isAlwaysThere(field, shape)) kept.push([fieldKey(name), field]);
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

/** The fields of `shape`, with what `other` knows of each. */
function fieldsBeside(shape: Shape, other: Shape): [name: string, field: Shape][] {
  return fieldsOf(shape).flatMap(([name, field]) => {
    const same = other.fields?.[fieldKey(name)];
    if (same !== undefined) return [[name, merge(field, same)]];
    return other.rest === "any" ? [] : [[name, field]];
  });
}

/** The fields that `other` does not have; none when it may have passed over them. */
function fieldsOnlyOf(shape: Shape, other: Shape): [name: string, field: Shape][] {
  if (other.rest === "any") return [];
  return fieldsOf(shape).filter(([name]) => other.fields?.[fieldKey(name)] === undefined);
}
