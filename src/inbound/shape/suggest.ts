import type { MappedField, Mapping, Transform } from "../../contract/inbound/mapping.ts";
import type { InputType, WorkflowInput } from "../../contract/workflow.ts";
import { pathText } from "../mapping/payload-path.ts";
import {
  allowedTypes,
  type Form,
  fieldsOf,
  isAlwaysPresent,
  type Shape,
  type ShapeProfile,
  type ShapeType,
} from "./profile.ts";

export interface Suggestion {
  mapping: Mapping;
  /** Open questions, as sentences. */
  notes: string[];
}

/** The inputs that a workflow may have. */
const MAX_FIELDS = 100;
const MAX_NAME_LENGTH = 60;

/**
 * Suggests a mapping for the learned shape, which starts from the saved one. For each other input of the
 * workflow: the place of the same name, with the transforms to the input's type. Without a workflow: a
 * field for each other scalar that was always present, up to the inputs that a workflow may have.
 */
export function suggestMapping(
  { root }: ShapeProfile,
  inputs: WorkflowInput[] | null,
  saved: Mapping,
): Suggestion {
  const places = root === null ? [] : placesOf(root);
  const isSaved = ({ name }: WorkflowInput) => saved.fields.some(({ to }) => to === name);
  const { fields, notes } =
    inputs === null
      ? withoutWorkflow(places, saved.fields)
      : forInputs(
          places,
          inputs.filter((input) => !isSaved(input)),
        );
  return { mapping: { ...saved, fields: [...saved.fields, ...fields] }, notes };
}

/** Fields that are added to the saved ones, with open questions. */
interface Additions {
  fields: MappedField[];
  notes: string[];
}

function forInputs(places: Place[], inputs: WorkflowInput[]): Additions {
  const fields: MappedField[] = [];
  const notes: string[] = [];
  for (const input of inputs) {
    const [best, next] = candidatesFor(input, places);
    if (best !== undefined) {
      fields.push({ to: input.name, from: best.path, transforms: best.transforms });
      if (next !== undefined && next.likeness === best.likeness) {
        notes.push(`${input.name}: ${best.path} and ${next.path} both have this name.`);
      }
    } else if (input.required && input.default === null) {
      notes.push(`${input.name} is required, but no value of this name and type was received.`);
    }
  }
  return { fields, notes };
}

interface Candidate extends Pick<MappedField, "transforms"> {
  path: string;
  /** How alike the names are; 0 for the same. */
  likeness: number;
  place: Place;
}

/** Returns the places that may be an input's, the best first. */
function candidatesFor(input: WorkflowInput, places: Place[]): Candidate[] {
  return places
    .flatMap((place): Candidate[] => {
      const likeness = likenessOf(place.names, input.name);
      const transforms = likeness === null ? null : transformsTo(input.type, place.shape);
      if (likeness === null || transforms === null) return [];
      return [{ path: place.path, likeness, transforms, place }];
    })
    .sort(
      (left, right) =>
        left.likeness - right.likeness ||
        left.transforms.length - right.transforms.length ||
        Number(right.place.always) - Number(left.place.always) ||
        left.place.names.length - right.place.names.length,
    );
}

/**
 * Returns 0 for the same name, 1 for the same without case and separators, 2 for the same with the names
 * around it (`order.id` for `orderId`), and null for another name.
 */
function likenessOf(names: string[], wanted: string): number | null {
  const last = names.at(-1) ?? "";
  if (last === wanted) return 0;
  const plain = plainName(wanted);
  if (plain === "") return null;
  if (plainName(last) === plain) return 1;
  return names.some((_, at) => plainName(names.slice(at).join("")) === plain) ? 2 : null;
}

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function withoutWorkflow(places: Place[], saved: MappedField[]): Additions {
  const isSaved = ({ path }: Place) => saved.some(({ from }) => from === path);
  const leaves = places.filter(
    (place) => place.always && place.shape.types.object === undefined && !isSaved(place),
  );
  const kept = leaves.slice(0, Math.max(0, MAX_FIELDS - saved.length));
  const taken = new Set(saved.map(({ to }) => to));
  const fields = kept.map(({ names, path }): MappedField => {
    const short = inputNameOf(names.slice(-1));
    const isShared = kept.some(
      (other) => other.path !== path && inputNameOf(other.names.slice(-1)) === short,
    );
    const to = freeName(isShared ? inputNameOf(names) : short, taken);
    taken.add(to);
    return { to, from: path, transforms: [] };
  });
  const left = leaves.length - kept.length;
  const notes = left > 0 ? [`${left} more values were always present.`] : [];
  return { fields, notes };
}

/** Joins names into a valid input name. */
function inputNameOf(names: string[]): string {
  const joined = names.join("_").replace(/[^A-Za-z0-9_]+/g, "_");
  const name = (/^[A-Za-z_]/.test(joined) ? joined : `_${joined}`).slice(0, MAX_NAME_LENGTH);
  return name === "__proto__" ? "proto" : name;
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  return free;
}

/** Returns the transforms from a place's types to an input's type, or null if there are none. */
function transformsTo(type: InputType, shape: Shape): Transform[] | null {
  const seen = allowedTypes(shape).filter((each) => each !== "null");
  if (seen.length === 0) return null;
  const has = (form: Form) => shape.forms?.includes(form) === true;
  const isOnly = (...types: ShapeType[]) => seen.every((each) => types.includes(each));
  if (isOnly(...ACCEPTED[type])) return [];
  switch (type) {
    case "string":
      if (isOnly("boolean", "integer", "number", "string")) return [{ type: "string" }];
      return isOnly("object", "array") ? [{ type: "json" }] : null;
    case "number":
      return isOnly("string") && has("number-text") ? [{ type: "number" }] : null;
    case "integer":
      return isOnly("string") && has("integer-text") ? [{ type: "integer" }] : null;
    case "boolean":
      return isOnly("string") && has("boolean-text") ? [{ type: "boolean" }] : null;
    case "timestamp":
      return timestampOf(isOnly("string"), isOnly("integer"), has);
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

function timestampOf(
  isText: boolean,
  isInteger: boolean,
  has: (form: Form) => boolean,
): Transform[] | null {
  if (isText && has("date-time")) return [];
  if (isText && has("date")) return [{ type: "timestamp", from: "date", to: "iso" }];
  if (isInteger && has("epoch-seconds")) {
    return [{ type: "timestamp", from: "epoch_seconds", to: "iso" }];
  }
  return isInteger && has("epoch-ms") ? [{ type: "timestamp", from: "epoch_ms", to: "iso" }] : null;
}

/** A place that a mapping can read. */
interface Place {
  names: string[];
  /** The same in dot notation. */
  path: string;
  shape: Shape;
  /** Whether every payload had it. */
  always: boolean;
}

/** Limit of `from` in a mapping. */
const MAX_PATH_LENGTH = 500;

/** Returns all places that are reached through objects only, in the order in which they were first seen. */
function placesOf(root: Shape): Place[] {
  const found: Place[] = [];

  function enter(shape: Shape, names: string[], always: boolean): void {
    const isOnlyObject = Object.keys(shape.types).every((type) => type === "object");
    for (const [name, field] of fieldsOf(shape)) {
      const inside = [...names, name];
      const path = pathText(inside);
      // A path cannot express an empty name.
      if (name === "" || path.length > MAX_PATH_LENGTH) continue;
      const isAlways = always && isOnlyObject && isAlwaysPresent(field, shape);
      found.push({ names: inside, path, shape: field, always: isAlways });
      enter(field, inside, isAlways);
    }
  }

  enter(root, [], true);
  return found;
}
