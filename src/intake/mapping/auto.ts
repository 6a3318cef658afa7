import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import { indexNames, matchNames, type Named, type NameIndex } from "./names.ts";
import { type Path, shownPath } from "./payload-path.ts";

/** Members that are searched; only the largest payloads have more. */
const MAX_MEMBERS = 30_000;
/** Elements of an array that are searched for other readings. */
const MAX_ELEMENTS = 20;

/** A member of an object, or an element of an array, with its place. */
interface Member extends Named<Member> {
  value: PayloadValue;
}

interface Search {
  payload: PayloadValue;
  left: number;
}

/**
 * Finds the values of inputs in a payload by name (`matchNames`). A guess has a warning; an input with two
 * readings of different values is left unmapped, and `ambiguous` says why.
 */
export function autoMap(
  payload: PayloadValue,
  names: string[],
): { values: Map<string, PayloadValue>; ambiguous: Map<string, string>; warnings: string[] } {
  const { index, isCut } = searched(payload);
  const differ = (one: Member, other: Member) => one.value !== other.value;
  const matches = matchNames(index, names, differ);
  const values = new Map<string, PayloadValue>();
  const ambiguous = new Map<string, string>();
  const warnings: string[] = [];
  for (const [name, match] of matches) {
    const { kind, member } = match;
    if (kind === "ambiguous") {
      ambiguous.set(name, eitherOf(member, match.other));
      continue;
    }
    values.set(name, member.value);
    if (match.isGuess) warnings.push(`the input ${name} is taken from ${pathOf(member)}`);
  }
  if (isCut) {
    warnings.push(`only the first ${MAX_MEMBERS} members of the payload were searched for inputs`);
  }
  return { values, ambiguous, warnings };
}

/** What a payload was found to have: it never changes, and each route that it matches maps it. */
const known = new WeakMap<object, Searched>();

interface Searched {
  index: NameIndex<Member>;
  /** Whether it has more members than are searched. */
  isCut: boolean;
}

function searched(payload: PayloadValue): Searched {
  const found = typeof payload === "object" && payload !== null ? known.get(payload) : undefined;
  if (found !== undefined) return found;
  const search = { payload, left: MAX_MEMBERS };
  const made = { index: indexNames(levels(search)), isCut: search.left === 0 };
  if (typeof payload === "object" && payload !== null) known.set(payload, made);
  return made;
}

/** Yields the members of a payload, depth by depth. */
function* levels(search: Search): Generator<Member[]> {
  let level = within(search, search.payload, null);
  while (level.length > 0) {
    yield level;
    level = level.flatMap((member) => within(search, member.value, member));
  }
}

function within(search: Search, value: PayloadValue, parent: Member | null): Member[] {
  if (value === null || typeof value !== "object") return [];
  const isOneOfMany = parent?.isOneOfMany === true || (Array.isArray(value) && value.length > 1);
  const entries: [string | number, PayloadValue][] = Array.isArray(value)
    ? [...value.slice(0, MAX_ELEMENTS).entries()]
    : Object.entries(value);
  const members = entries.slice(0, search.left).map(([step, member]) => ({
    step,
    value: member,
    parent,
    isOneOfMany,
    isNull: member === null,
  }));
  search.left -= members.length;
  return members;
}

function eitherOf(match: Member, other: Member): string {
  return `${pathOf(match)} and ${pathOf(other)} differ, and either could be meant`;
}

function pathOf(member: Member): string {
  const path: Path = [];
  for (let at: Member | null = member; at !== null; at = at.parent) path.unshift(at.step);
  return shownPath(path);
}
