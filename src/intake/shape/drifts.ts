import type { PayloadObject, PayloadValue } from "../../contract/webhooks/payload.ts";
import { type Path, shownPath } from "../mapping/payload-path.ts";
import {
  allowedTypes,
  assertedForm,
  fieldKey,
  fieldsOf,
  isAlwaysPresent,
  MAX_VALUES,
  type Shape,
  type ShapeProfile,
  type ShapeType,
} from "./profile.ts";
import { fits, typeOf } from "./value-forms.ts";

/** Drifts that a log entry keeps. */
const MAX_DRIFTS = 20;
const MAX_SENTENCE = 300;

/**
 * Describes how a payload differs from the learned shape: at most 20 sentences with paths, on new types
 * or forms, missing fields that were always present, and new fields (which the schema allows). Returns
 * none before anything was learned. Only the first values of a very large payload are compared.
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
      report(
        path,
        `is ${NAMES[type]}; it was always ${allowed.map((each) => NAMES[each]).join(" or ")}`,
      );
    } else if (Array.isArray(value)) {
      lookAtItems(shape, value, path);
    } else if (typeof value === "object" && value !== null) {
      lookAtFields(shape, value, path);
    } else {
      const form = assertedForm(shape);
      if (typeof value === "string" && form !== null && !fits(value, form)) {
        report(path, `is not a ${form}; it was always one`);
      }
    }
  }

  function lookAtItems({ items }: Shape, values: PayloadValue[], path: Path): void {
    if (items === undefined || items === "any") return;
    for (const [at, value] of values.entries()) look(items, value, [...path, at]);
  }

  function lookAtFields(shape: Shape, object: PayloadObject, path: Path): void {
    for (const [name, field] of fieldsOf(shape)) {
      if (isAlwaysPresent(field, shape) && !Object.hasOwn(object, name)) {
        report([...path, name], "is missing; it was always present");
      }
    }
    for (const [name, value] of Object.entries(object)) {
      const known = shape.fields?.[fieldKey(name)] ?? shape.rest;
      if (known === undefined) report([...path, name], "is new");
      else if (known !== "any") look(known, value, [...path, name]);
    }
  }

  function report(path: Path, what: string): void {
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
  string: "a string",
  array: "an array",
  object: "an object",
};
