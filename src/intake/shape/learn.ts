import type { PayloadObject, PayloadValue } from "../../contract/webhooks/payload.ts";
import {
  countOf,
  FORMS,
  type Form,
  fieldKey,
  fieldsOf,
  formsOf,
  isAlwaysPresent,
  MAX_DEPTH,
  MAX_NAME_LENGTH,
  MAX_VALUES,
  nameWeight,
  type Shape,
  type ShapeProfile,
  seenAt,
  TYPES,
  typeOf,
  WEIGHT,
  weightOf,
} from "./profile.ts";

/** Returns the profile with this payload learned; the given profile stays unchanged. */
export function learn(profile: ShapeProfile, payload: PayloadValue): ShapeProfile {
  const lesson = new Lesson(profile);
  lesson.read(payload);
  return lesson.end();
}

interface Visit {
  shape: Shape;
  value: PayloadValue;
  depth: number;
}

/**
 * Learns one payload, level by level, so that a very large payload is known at its top rather than in one
 * branch. Shapes are copied on the first change.
 */
class Lesson {
  readonly #learnedFrom: number;
  readonly #root: Shape;
  readonly #own = new Set<Shape>();
  /** Objects with new fields. */
  readonly #grown = new Set<Shape>();
  /** Whether places were dropped or merged, so that the weight must be computed again. */
  #lost = false;
  #weight: number;
  #valuesLeft = MAX_VALUES;
  #visits: Visit[] = [];

  constructor(profile: ShapeProfile) {
    this.#learnedFrom = profile.learnedFrom;
    this.#root = this.#owned(profile.root ?? { types: {} });
    this.#weight = profile.root === null ? nameWeight("") : profile.weight;
  }

  read(payload: PayloadValue): void {
    this.#visits.push({ shape: this.#root, value: payload, depth: 0 });
    // The list grows while it is read.
    for (const visit of this.#visits) this.#take(visit);
  }

  end(): ShapeProfile {
    for (const shape of this.#grown) {
      if (!becomesMap(shape)) continue;
      foldIntoMap(shape);
      this.#lost = true;
    }
    const weight = this.#lost ? weightOf(this.#root) : this.#weight;
    return { v: 1, learnedFrom: this.#learnedFrom + 1, weight, root: this.#root };
  }

  #take({ shape, value, depth }: Visit): void {
    const type = typeOf(value);
    shape.types[type] = countOf(shape, type) + 1;
    const forms = formsOf(value, shape.forms ?? FORMS);
    if (forms !== null) shape.forms = forms;
    if (value === null || typeof value !== "object") return;
    if (Array.isArray(value)) this.#takeItems(shape, value, depth + 1);
    else this.#takeFields(shape, value, depth + 1);
  }

  #takeItems(shape: Shape, items: PayloadValue[], depth: number): void {
    if (items.length === 0 || shape.items === "any") return;
    const known = shape.items;
    if (!this.#mayEnter(items.length, depth) || (known === undefined && !this.#hasRoomFor(""))) {
      this.#lost ||= known !== undefined;
      shape.items = "any";
      return;
    }
    const place = this.#owned(known ?? { types: {} });
    shape.items = place;
    for (const value of items) this.#visits.push({ shape: place, value, depth });
  }

  #takeFields(shape: Shape, object: PayloadObject, depth: number): void {
    if (shape.rest === "any" && shape.fields === undefined) return;
    const entries = Object.entries(object);
    if (!this.#mayEnter(entries.length, depth)) {
      this.#lost = true;
      delete shape.fields;
      shape.rest = "any";
      return;
    }
    for (const [name, value] of entries) {
      const place = this.#placeOf(name, shape);
      if (place !== null) this.#visits.push({ shape: place, value, depth });
    }
  }

  /** Returns the shape that learns a field, or null if none does. */
  #placeOf(name: string, shape: Shape): Shape | null {
    const key = fieldKey(name);
    const known = shape.fields?.[key];
    if (known !== undefined) return this.#placed(shape, key, known);
    if (shape.rest === "any") return null;
    if (shape.rest !== undefined) {
      const rest = this.#owned(shape.rest);
      shape.rest = rest;
      return rest;
    }
    // A skipped name must never become a field later: its earlier values are not known.
    if (name.length > MAX_NAME_LENGTH || !this.#hasRoomFor(name)) {
      shape.rest = "any";
      return null;
    }
    this.#grown.add(shape);
    return this.#placed(shape, key, { types: {} });
  }

  #placed(shape: Shape, key: string, field: Shape): Shape {
    const own = this.#owned(field);
    shape.fields ??= {};
    shape.fields[key] = own;
    return own;
  }

  /** Whether `count` more values may be learned at this depth. */
  #mayEnter(count: number, depth: number): boolean {
    if (depth > MAX_DEPTH || count > this.#valuesLeft) return false;
    this.#valuesLeft -= count;
    return true;
  }

  /** Reserves room for one more place, if there is any. */
  #hasRoomFor(name: string): boolean {
    const weight = this.#weight + nameWeight(name);
    if (weight > WEIGHT.most) return false;
    this.#weight = weight;
    return true;
  }

  /** Returns this shape, or a copy of it that may be changed. */
  #owned(shape: Shape): Shape {
    if (this.#own.has(shape)) return shape;
    const copy: Shape = { ...shape, types: { ...shape.types } };
    if (shape.fields) copy.fields = { ...shape.fields };
    this.#own.add(copy);
    return copy;
  }
}

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
function foldIntoMap(shape: Shape): void {
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
function becomesMap(shape: Shape): boolean {
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
