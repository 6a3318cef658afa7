import type { MappedField, Mapping } from "../../contract/inbound/mapping.ts";
import type { WorkflowInput } from "../../contract/workflow.ts";
import { type Place, placesOf } from "./places.ts";
import type { ShapeProfile } from "./profile.ts";
import { transformsTo } from "./suited.ts";

export interface Suggestion {
  mapping: Mapping;
  /** What it leaves open, as sentences. */
  notes: string[];
}

/** As many as a workflow may have inputs. */
const MAX_FIELDS = 100;
const MAX_NAME_LENGTH = 60;

/**
 * A mapping for what was learned. For each input of the workflow: the place whose name is the input's,
 * with what makes the input's type of it. Without a workflow: a field for every single value that was
 * always there, as far as they are no more than a workflow may have inputs.
 */
export function suggestMapping({ root }: ShapeProfile, inputs: WorkflowInput[] | null): Suggestion {
  const places = root === null ? [] : placesOf(root);
  return inputs === null ? forNobody(places) : forInputs(places, inputs);
}

function forInputs(places: Place[], inputs: WorkflowInput[]): Suggestion {
  const fields: MappedField[] = [];
  const notes: string[] = [];
  for (const input of inputs) {
    const [best, next] = candidatesFor(input, places);
    if (best !== undefined) {
      fields.push({ to: input.name, from: best.path, transforms: best.transforms });
      if (next !== undefined && next.likeness === best.likeness) {
        notes.push(`${input.name}: ${next.path} has that name as well as ${best.path}.`);
      }
    } else if (input.required && input.default === null) {
      notes.push(`${input.name}: nothing of that name and type was seen, and it is required.`);
    }
  }
  return { mapping: { auto: true, fields }, notes };
}

interface Candidate extends Pick<MappedField, "transforms"> {
  path: string;
  /** How like the names are, 0 being the same. */
  likeness: number;
  place: Place;
}

/** Places that could be meant by an input, the best first. */
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
 * 0 for the same name, 1 for the same without case and separators, 2 where it takes the names around it
 * as well (`order.id` for `orderId`); null for another name.
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

function forNobody(places: Place[]): Suggestion {
  const leaves = places.filter(({ always, shape }) => always && shape.types.object === undefined);
  const kept = leaves.slice(0, MAX_FIELDS);
  const taken = new Set<string>();
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
  const notes = left > 0 ? [`${left} more values were always there.`] : [];
  return { mapping: { auto: true, fields }, notes };
}

/** These names as one that an input may have. */
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
