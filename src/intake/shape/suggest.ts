import type { MappedField, Mapping, Transform } from "../../contract/webhooks/mapping.ts";
import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import type { InputType, WorkflowInput } from "../../contract/workflow.ts";
import { matchNames, type NameMatch } from "../mapping/names.ts";
import { type Path, pathText } from "../mapping/payload-path.ts";
import {
  allowedTypes,
  fieldKey,
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
  const [many, single] = [2, 1].map((count) => matchNames(exampleOf(shape, count), names));
  const fields: MappedField[] = [];
  const notes: string[] = [];
  for (const { name, type, required, default: fallback } of open) {
    const { path, other } = agreed(many?.get(name), single?.get(name)) ?? { path: [], other: null };
    const from = pathText(path);
    if (other !== null) {
      notes.push(`${name}: ${from} and ${pathText(other)} could both be meant.`);
      continue;
    }
    const isPlace = path.length > 0 && from.length <= MAX_PATH_LENGTH;
    const transforms = isPlace ? transformsTo(type, shapeAt(shape, path)) : null;
    if (transforms !== null) {
      fields.push({ to: name, from, transforms });
    } else if (required && fallback === null) {
      notes.push(`${name} is required, but no value of this name and type was received.`);
    }
  }
  return { mapping: { ...saved, fields: [...saved.fields, ...fields] }, notes };
}

/**
 * Returns the path that an input is taken from whether the lists of a payload have one item or many, or two
 * that it could be; null for none.
 */
function agreed(
  many: NameMatch | undefined,
  single: NameMatch | undefined,
): { path: Path; other: Path | null } | null {
  const ambiguous = [many, single].find((match) => match !== undefined && match.other !== null);
  if (ambiguous !== undefined) return ambiguous;
  if (many === undefined || single === undefined) return null;
  const { path } = many;
  return { path, other: pathText(path) === pathText(single.path) ? null : single.path };
}

/** Returns a payload of a shape, whose lists have so many items and whose values all differ. */
function exampleOf(shape: Shape, count: number): PayloadValue {
  const [one = null, ...others] = examplesOf(shape, count);
  // What is at times a list and at times an object holds nothing that is always there.
  return others.length === 0 ? one : [one, ...others.flat()];
}

/** Returns an object and a list of a shape, or the one that it is. */
function examplesOf(shape: Shape, count: number): PayloadValue[] {
  if (allowedTypes(shape).every((type) => type === "null")) return [null];
  const { items } = shape;
  const members = fieldsOf(shape).flatMap(([name, field]): [string, PayloadValue][] =>
    // A path cannot express an empty name.
    name === "" ? [] : [[name, exampleOf(field, count)]],
  );
  const object = Object.fromEntries(members);
  if (typeof items !== "object") return [object];
  const list = Array.from({ length: count }, () => examplesOf(items, count)).flat();
  return members.length === 0 ? [list] : [object, list];
}

/** Returns what was seen at a path of names, which leads into no list: that may be empty. */
function shapeAt(root: Shape, path: Path): Shape {
  const empty: Shape = { types: {} };
  return path.reduce((at: Shape, step) => at.fields?.[fieldKey(String(step))] ?? empty, root);
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

/** Limit of `from` in a mapping. */
const MAX_PATH_LENGTH = 500;
