import type { PayloadObject, PayloadValue } from "../../contract/inbound/payload.ts";
import { type Path, shownPath } from "../mapping/paths.ts";
import { allowedTypes, assertedForm } from "./asserted.ts";
import {
  fieldKey,
  fieldsOf,
  isAlwaysThere,
  MAX_VALUES,
  type Shape,
  type ShapeProfile,
  type ShapeType,
} from "./profile.ts";
import { fits, typeOf } from "./values.ts";

/** More would not help whoever looks into the log. */
const MAX_DRIFTS = 20;
const MAX_SENTENCE = 300;

/**
 * How a payload departs from what was learned, the first 20, as sentences with their paths: a type or
 * form that was not seen there, a field missing that was always there, a field that was never seen.
 * Nothing for one that fits, and nothing before anything was learned. Unlike the schema, which lets new
 * fields pass, this tells them. Of a payload with very many values only the first are looked at.
 */
export function drifts({ root }: ShapeProfile, payload: PayloadValue): string[] {
  if (root === null) return [];
  const found: string[] = [];
  let valuesLeft = MAX_VALUES;

  function look(shape: Shape, value: PayloadValue, path: Path): void {
    valuesLeft -= 1;
    if (found.length >= MAX_DRIFTS || valuesLeft < 0) return;
    const type = typeOf(value);
    const allowed = allowedTypes(shape);
    if (!allowed.includes(type)) {
      tell(
        path,
        `is ${NAMES[type]}, and was always ${allowed.map((each) => NAMES[each]).join(" or ")}`,
      );
    } else if (Array.isArray(value)) {
      lookAtItems(shape, value, path);
    } else if (typeof value === "object" && value !== null) {
      lookAtFields(shape, value, path);
    } else {
      const form = assertedForm(shape);
      if (typeof value === "string" && form !== null && !fits(value, form)) {
        tell(path, `is no ${form}, and was always one`);
      }
    }
  }

  function lookAtItems({ items }: Shape, values: PayloadValue[], path: Path): void {
    if (items === undefined || items === "any") return;
    for (const [at, value] of values.entries()) look(items, value, [...path, at]);
  }

  function lookAtFields(shape: Shape, object: PayloadObject, path: Path): void {
    for (const [name, field] of fieldsOf(shape)) {
      if (isAlwaysThere(field, shape) && !Object.hasOwn(object, name)) {
        tell([...path, name], "is missing, and was always there");
      }
    }
    for (const [name, value] of Object.entries(object)) {
      const known = shape.fields?.[fieldKey(name)] ?? shape.rest;
      if (known === undefined) tell([...path, name], "was never there before");
      else if (known !== "any") look(known, value, [...path, name]);
    }
  }

  function tell(path: Path, what: string): void {
    if (found.length >= MAX_DRIFTS) return;
    const where = path.length === 0 ? "The payload" : shownPath(path);
    found.push(`${where.slice(0, MAX_SENTENCE)} ${what}.`);
  }

  look(root, payload, []);
  return found;
}

const NAMES: Record<ShapeType, string> = {
  null: "null",
  boolean: "a boolean",
  integer: "an integer",
  number: "a number",
  string: "a text",
  array: "a list",
  object: "an object",
};
