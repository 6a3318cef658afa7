import * as z from "zod";
import type { Json, JsonObject } from "../../contract/json.ts";
import type { PayloadObject, PayloadValue } from "../../contract/webhooks/payload.ts";
import { validateJson } from "../../lib/json-schema/validate.ts";
import { nearestJson } from "../../lib/json-values.ts";
import { shownPath } from "../mapping/payload-path.ts";

/** Types of values. `number` counts fractions only. */
const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;
export type ShapeType = (typeof TYPES)[number];

/**
 * What was seen at one place of the payloads: how often each type occurred, and the shapes inside. It
 * keeps no values, so that a profile holds none of a sender's data except names.
 */
const shape = z.object({
  types: z.partialRecord(z.enum(TYPES), z.int().min(1)),
  /** Fields by their name after a `.`, so that no name is special to an object: `.__proto__`. */
  get fields() {
    return z.record(z.string(), shape).exactOptional();
  },
  /**
   * Names that are not among the fields: undefined if there were none, "any" if nothing is known of
   * them, else the shape of all, which profiles of earlier versions have for maps whose keys are ids.
   */
  get rest() {
    return z.union([z.literal("any"), shape]).exactOptional();
  },
  /** The merged shape of all items of arrays; "any" if some were not learned. */
  get items() {
    return z.union([z.literal("any"), shape]).exactOptional();
  },
});
export type Shape = z.infer<typeof shape>;

/** The learned shape of an endpoint's payloads. It is stored, so it carries a version. */
export const shapeProfile = z.object({
  v: z.literal(1),
  /** Number of learned payloads. */
  learnedFrom: z.int().min(0),
  /** See `WEIGHT`. */
  weight: z.int().min(0),
  root: shape.nullable(),
});
export type ShapeProfile = z.infer<typeof shapeProfile>;

/**
 * No profile is heavier than `most`, which keeps about 2,000 places. The weight is close to the bytes
 * of the profile and of its schema as JSON, and both stay below it in practice.
 */
const WEIGHT = { most: 250_000, place: 120, perNameByte: 2 };
/** Levels below the payload that are learned. */
const MAX_DEPTH = 20;
/** A longer name is not kept. */
const MAX_NAME_LENGTH = 200;
/** Values of one payload that are learned. Containers beyond them count as "any". */
const MAX_VALUES = 20_000;

/** Returns a profile of no payloads. */
export function emptyProfile(): ShapeProfile {
  return { v: 1, learnedFrom: 0, weight: 0, root: null };
}

/** Counts the values of these types at a place. */
function countOf({ types }: Shape, ...of: ShapeType[]): number {
  return of.reduce((sum, type) => sum + (types[type] ?? 0), 0);
}

/** Returns the key of a field in `fields`. */
export const fieldKey = (name: string): string => `.${name}`;

/** Returns the fields of a shape by their real names. */
export function fieldsOf({ fields = {} }: Shape): [name: string, field: Shape][] {
  return Object.entries(fields).map(([key, field]) => [key.slice(1), field]);
}

/**
 * Returns the types of a place: those seen there, and integer beside number. Where all numbers were
 * whole, a fraction is a new type.
 */
export function allowedTypes(shape: Shape): ShapeType[] {
  return TYPES.filter(
    (type) => countOf(shape, type) > 0 || (type === "integer" && countOf(shape, "number") > 0),
  );
}

/** Returns the weight of one place; its name is empty for the items of an array. */
function nameWeight(name: string): number {
  return WEIGHT.place + WEIGHT.perNameByte * new TextEncoder().encode(JSON.stringify(name)).length;
}

/** Returns the weight of a shape with everything inside it. */
export function weightOf(shape: Shape, name = ""): number {
  const inside = [shape.rest, shape.items].filter((part) => typeof part === "object");
  return (
    nameWeight(name) +
    inside.reduce((sum, part) => sum + weightOf(part), 0) +
    fieldsOf(shape).reduce((sum, [field, part]) => sum + weightOf(part, field), 0)
  );
}

/** Returns the type of a value. A whole number beyond a double is an integer. */
export function typeOf(value: PayloadValue): ShapeType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "string") return "string";
  return typeof value === "boolean" ? "boolean" : "object";
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * Returns the learned shape as a JSON Schema 2020-12. It accepts every learned payload, and refuses one
 * with a new type or without a field that was always present. New fields pass, since senders add them.
 * Returns `{}` before anything was learned.
 */
export function schemaOf({ root }: ShapeProfile): JsonObject {
  return root === null ? {} : { $schema: DIALECT, ...schemaOfShape(root) };
}

/** Drifts that a log entry keeps. */
const MAX_DRIFTS = 20;

/** Describes how a payload differs from the learned schema: at most 20 sentences with paths. */
export function driftsFrom(schema: JsonObject, payload: PayloadValue): string[] {
  const { violations } = validateJson(schema, nearestJson(payload), MAX_DRIFTS);
  return violations
    .filter(({ rule }) => rule !== "work")
    .map(({ path, message }) => `${shownPath(path) || "The payload"} ${message}.`);
}

function schemaOfShape(shape: Shape): JsonObject {
  const schema: JsonObject = { ...typeOfShape(shape) };
  if (typeof shape.items === "object") schema.items = schemaOfShape(shape.items);
  const fields = fieldsOf(shape);
  if (fields.length > 0) {
    schema.properties = Object.fromEntries(
      fields.map(([name, field]): [string, Json] => [name, schemaOfShape(field)]),
    );
  }
  const required = fields
    .filter(([, field]) => countOf(field, ...TYPES) === countOf(shape, "object"))
    .map(([name]) => name);
  if (required.length > 0) schema.required = required;
  if (typeof shape.rest === "object") schema.additionalProperties = schemaOfShape(shape.rest);
  return schema;
}

function typeOfShape(shape: Shape): JsonObject {
  const seen = allowedTypes(shape);
  const types = seen.includes("number") ? seen.filter((type) => type !== "integer") : seen;
  const [only, ...others] = types;
  if (only === undefined) return {};
  return { type: others.length === 0 ? only : types };
}

/** Returns the profile with this payload learned; the given profile stays unchanged. */
export function learn(profile: ShapeProfile, payload: PayloadValue): ShapeProfile {
  const lesson = new Lesson(structuredClone(profile));
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
 * branch. Changes the profile that it gets.
 */
class Lesson {
  readonly #profile: ShapeProfile;
  readonly #root: Shape;
  #weight: number;
  #valuesLeft = MAX_VALUES;
  #visits: Visit[] = [];

  constructor(profile: ShapeProfile) {
    this.#profile = profile;
    this.#root = profile.root ?? { types: {} };
    this.#weight = profile.root === null ? nameWeight("") : profile.weight;
  }

  read(payload: PayloadValue): void {
    this.#visits.push({ shape: this.#root, value: payload, depth: 0 });
    // The list grows while it is read.
    for (const visit of this.#visits) this.#take(visit);
  }

  end(): ShapeProfile {
    // Places may have been dropped.
    const weight = weightOf(this.#root);
    return { v: 1, learnedFrom: this.#profile.learnedFrom + 1, weight, root: this.#root };
  }

  #take({ shape, value, depth }: Visit): void {
    const type = typeOf(value);
    shape.types[type] = countOf(shape, type) + 1;
    if (value === null || typeof value !== "object") return;
    if (Array.isArray(value)) this.#takeItems(shape, value, depth + 1);
    else this.#takeFields(shape, value, depth + 1);
  }

  #takeItems(shape: Shape, items: PayloadValue[], depth: number): void {
    if (items.length === 0 || shape.items === "any") return;
    const isNew = shape.items === undefined;
    if (!this.#mayEnter(items.length, depth) || (isNew && !this.#hasRoomFor(""))) {
      shape.items = "any";
      return;
    }
    const place = shape.items ?? { types: {} };
    shape.items = place;
    for (const value of items) this.#visits.push({ shape: place, value, depth });
  }

  #takeFields(shape: Shape, object: PayloadObject, depth: number): void {
    if (shape.rest === "any" && shape.fields === undefined) return;
    const entries = Object.entries(object);
    if (!this.#mayEnter(entries.length, depth)) {
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
    const known = shape.fields?.[key] ?? shape.rest;
    if (known !== undefined) return known === "any" ? null : known;
    // A skipped name must never become a field later: its earlier values are not known.
    if (name.length > MAX_NAME_LENGTH || !this.#hasRoomFor(name)) {
      shape.rest = "any";
      return null;
    }
    const field: Shape = { types: {} };
    shape.fields ??= {};
    shape.fields[key] = field;
    return field;
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
}
