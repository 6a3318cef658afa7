import type { MappedField, Mapping, Transform } from "../../contract/webhooks/mapping.ts";
import type { InputType, WorkflowInput } from "../../contract/workflow.ts";
import { indexNames, matchNames, type Named, type NameMatch } from "../mapping/names.ts";
import { type Path, pathText } from "../mapping/payload-path.ts";
import {
  allowedTypes,
  fieldsOf,
  type Shape,
  type ShapeProfile,
  type ShapeType,
} from "./profile.ts";

export interface Suggestion {
  mapping: Mapping;
  /** Open questions, as sentences. */
  notes: string[];
}

/**
 * Suggests a mapping for the learned shape, which starts from the saved one. For each other input of the
 * workflow: the place of the same name, with the transforms to the input's type.
 */
export function suggestMapping(
  { root }: ShapeProfile,
  inputs: WorkflowInput[],
  saved: Mapping,
): Suggestion {
  const shape: Shape = root ?? { types: {} };
  const open = inputs.filter(({ name }) => saved.fields.every(({ to }) => to !== name));
  const names = open.map(({ name }) => name);
  const [many, single] = [true, false].map((areMany) => matchesIn(placesOf(shape, areMany), names));
  const fields: MappedField[] = [];
  const notes: string[] = [];
  for (const { name, type, required, default: fallback } of open) {
    const place = agreed(many?.get(name), single?.get(name));
    if (place !== null && "other" in place) {
      notes.push(`${name}: ${place.path} and ${place.other} could both be meant.`);
      continue;
    }
    const transforms = place === null ? null : transformsTo(type, place.shape);
    if (place !== null && transforms !== null) {
      fields.push({ to: name, from: place.path, transforms });
    } else if (required && fallback === null) {
      notes.push(`${name} is required, but no value of this name and type was received.`);
    }
  }
  return { mapping: { ...saved, fields: [...saved.fields, ...fields] }, notes };
}

type Matched = NameMatch<ShapeMember>;

/** Matches the places as auto-mapping does. Their values are unknown: any two may differ. */
function matchesIn(places: ShapeMember[], names: string[]): Map<string, Matched> {
  const byDepth = Map.groupBy(places, ({ depth }) => depth);
  const levels = [...byDepth].sort(([a], [b]) => a - b).map(([, level]) => level);
  return matchNames(indexNames(levels), names, () => true);
}

/**
 * Returns the place that an input is taken from whether the lists of a payload have one item or many, or
 * two places that it could be; null for none.
 */
function agreed(
  many: Matched | undefined,
  single: Matched | undefined,
): ShapeMember | { path: string; other: string } | null {
  for (const match of [many, single]) {
    if (match?.kind !== "ambiguous") continue;
    return { path: match.member.path, other: match.other.path };
  }
  const [one, other] = [many?.member, single?.member];
  if (one === undefined || other === undefined) return null;
  return one.path === other.path ? one : { path: one.path, other: other.path };
}

/** Returns the transforms from a place's types to an input's type, or null if there are none. */
function transformsTo(type: InputType, shape: Shape): Transform[] | null {
  const seen = allowedTypes(shape).filter((each) => each !== "null");
  if (seen.length === 0) return null;
  const isOnly = (...types: ShapeType[]) => seen.every((each) => types.includes(each));
  if (isOnly(...ACCEPTED[type])) return [];
  switch (type) {
    case "string":
      return isOnly("boolean", "integer", "number", "string") ? [{ type: "string" }] : null;
    case "number":
    case "integer":
    case "boolean":
      return isOnly("string") ? [{ type }] : null;
    case "timestamp":
      return isOnly("string", "integer") ? [{ type: "timestamp", from: "auto", to: "iso" }] : null;
    default:
      return null;
  }
}

/** Types that an input accepts unchanged. */
const ACCEPTED: Record<InputType, ShapeType[]> = {
  string: ["string"],
  number: ["integer", "number"],
  integer: ["integer"],
  boolean: ["boolean"],
  timestamp: [],
  object: ["object"],
  array: ["array"],
};

/** A place of the learned payloads. */
interface ShapeMember extends Named<ShapeMember> {
  names: Path;
  /** The same in dot notation, for a place that a mapping can read. */
  path: string;
  shape: Shape;
  depth: number;
}

/** Limit of `from` in a mapping. */
const MAX_PATH_LENGTH = 500;

/**
 * Returns all places, in the order in which they were first seen. `areMany`: whether lists have several
 * items, none of which is the value of an input. No path leads into a list, which may be empty.
 */
function placesOf(root: Shape, areMany: boolean): ShapeMember[] {
  const found: ShapeMember[] = [];

  function enter(shape: Shape, parent: ShapeMember | null): void {
    const names = parent?.names ?? [];
    const isOneOfMany = parent?.isOneOfMany === true;
    const depth = parent === null ? 0 : parent.depth + 1;
    const place = (step: string | number, inside: Shape, isOne = isOneOfMany): ShapeMember => ({
      step,
      parent,
      isOneOfMany: isOne,
      isNull: allowedTypes(inside).every((type) => type === "null"),
      names: [...names, step],
      path: pathText([...names, step]),
      shape: inside,
      depth,
    });
    for (const [name, field] of fieldsOf(shape)) {
      const member = place(name, field);
      // A path cannot express an empty name.
      if (name === "" || member.path.length > MAX_PATH_LENGTH) continue;
      found.push(member);
      enter(field, member);
    }
    if (typeof shape.items !== "object") return;
    const item = place(0, shape.items, isOneOfMany || areMany);
    found.push(item);
    enter(shape.items, item);
  }

  enter(root, null);
  return found;
}
