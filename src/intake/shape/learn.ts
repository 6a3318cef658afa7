import type { PayloadObject, PayloadValue } from "../../contract/webhooks/payload.ts";
import {
  countOf,
  fieldKey,
  MAX_DEPTH,
  MAX_NAME_LENGTH,
  MAX_VALUES,
  nameWeight,
  type Shape,
  type ShapeProfile,
  typeOf,
  WEIGHT,
  weightOf,
} from "./profile.ts";

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
  /** Whether places were dropped, so that the weight must be computed again. */
  #lost = false;
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
    const weight = this.#lost ? weightOf(this.#root) : this.#weight;
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
      this.#lost ||= !isNew;
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
