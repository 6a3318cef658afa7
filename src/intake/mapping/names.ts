import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import { type Path, shownPath } from "./payload-path.ts";

/** Longer names match no input. */
const MAX_NAME_LENGTH = 100;
/** Members that are searched; only the largest payloads have more. */
const MAX_MEMBERS = 30_000;
/** Elements of an array that are searched for other readings. */
const MAX_ELEMENTS = 20;

/** A member of an object, or an element of an array, that may be the value of an input by its name. */
interface Member {
  /** Its name, or its index. */
  step: string | number;
  value: PayloadValue;
  parent: Member | null;
  /** Whether it belongs to one of several elements: such a member is no value, but another reading. */
  isOneOfMany: boolean;
}

/** The members of a payload by their names, the shallowest first. */
interface NameIndex {
  exact: Map<string, Member[]>;
  /** Without case and separators, as all that follows. */
  folded: Map<string, Member[]>;
  /** By the name of the parent and their own. */
  joined: Map<string, Member[]>;
  /** Whether the payload has more members than are searched. */
  isCut: boolean;
}

/** What a payload was found to have: it never changes, and each route that it matches maps it. */
const known = new WeakMap<object, NameIndex>();

function indexOf(payload: PayloadValue): NameIndex {
  if (typeof payload !== "object" || payload === null) return indexNow(payload);
  const index = known.get(payload) ?? indexNow(payload);
  known.set(payload, index);
  return index;
}

function indexNow(payload: PayloadValue): NameIndex {
  const all: Member[] = [];
  const enter = (value: PayloadValue, parent: Member | null) => {
    if (value === null || typeof value !== "object") return;
    const isOneOfMany = parent?.isOneOfMany === true || (Array.isArray(value) && value.length > 1);
    const entries: [string | number, PayloadValue][] = Array.isArray(value)
      ? [...value.slice(0, MAX_ELEMENTS).entries()]
      : Object.entries(value);
    for (const [step, member] of entries.slice(0, MAX_MEMBERS - all.length))
      all.push({ step, value: member, parent, isOneOfMany });
  };
  enter(payload, null);
  // The list grows while it is read, depth by depth.
  for (const member of all) enter(member.value, member);
  const members = all.filter(({ step }) => typeof step === "string");
  const filled = members.filter(({ value }) => value !== null);
  const inside = filled.filter(({ parent }) => typeof parent?.step === "string");
  return {
    exact: Map.groupBy(members, ({ step }) => String(step)),
    folded: Map.groupBy(filled, ({ step }) => fold(String(step))),
    joined: Map.groupBy(inside, ({ parent, step }) => fold(`${parent?.step}_${step}`)),
    isCut: all.length === MAX_MEMBERS,
  };
}

/** The value that an input is taken from. */
export interface NameMatch {
  value: PayloadValue;
  path: Path;
  /** The place of another value that could be meant as well, or null. */
  other: Path | null;
  /** Whether it was not found by its own name, but by what it belongs to. */
  isGuess: boolean;
}

/**
 * Finds the values of inputs by name, at any depth: a member with the exact name, else one whose name
 * differs only in case and separators (`orderId`, `order_id`, `ORDER-ID`), else, as a guess, one whose name
 * follows that of its parent (`id` of `order`). The shallowest member wins over those within its own object;
 * another one that differs makes the input ambiguous. A null under the exact name is the value; other nulls
 * do not count. None of several like elements of an array is the value of an input.
 */
export function matchNames(payload: PayloadValue, names: string[]): Map<string, NameMatch> {
  const index = indexOf(payload);
  const matches = new Map<string, NameMatch>();
  for (const name of names) {
    const own = [index.exact.get(name), index.folded.get(fold(name))].find((found) =>
      found?.some(isValue),
    );
    const found = own ?? index.joined.get(fold(name)) ?? [];
    const member = found.find(isValue);
    if (member === undefined) continue;
    const { value } = member;
    const other = otherReading(member, found);
    const isGuess = own === undefined;
    matches.set(name, { value, path: pathTo(member), other: other && pathTo(other), isGuess });
  }
  return matches;
}

const isValue = ({ isOneOfMany }: Member): boolean => !isOneOfMany;

/**
 * Returns a member that could be meant as well as the shallowest one, or null: a different one, and not within
 * the object that the shallowest one belongs to, since an order's own id precedes those of its parts.
 */
function otherReading(match: Member, found: Member[]): Member | null {
  const isOther = (other: Member) =>
    other.value !== match.value &&
    (pathTo(other).length === pathTo(match).length || !isWithin(other, match.parent));
  return found.find((other) => other !== match && isOther(other)) ?? null;
}

function isWithin(member: Member, owner: Member | null): boolean {
  if (owner === null) return true;
  for (let at = member.parent; at !== null; at = at.parent) if (at === owner) return true;
  return false;
}

function pathTo({ parent, step }: Member): Path {
  return parent === null ? [step] : [...pathTo(parent), step];
}

function fold(name: string): string {
  return name.length > MAX_NAME_LENGTH ? name : name.toLowerCase().replace(/[\s_.:/-]+/g, "");
}

/**
 * Finds the values of inputs in a payload by name (`matchNames`). A guess has a warning; an input with two
 * readings of different values is left unmapped, and `ambiguous` says why.
 */
export function autoMap(
  payload: PayloadValue,
  names: string[],
): { values: Map<string, PayloadValue>; ambiguous: Map<string, string>; warnings: string[] } {
  const values = new Map<string, PayloadValue>();
  const ambiguous = new Map<string, string>();
  const warnings: string[] = [];
  const index = indexOf(payload);
  const matches = matchNames(payload, names);
  for (const name of names) {
    const [listed] = index.exact.get(name) ?? index.folded.get(fold(name)) ?? [];
    if (listed === undefined || matches.has(name)) continue;
    ambiguous.set(name, `${shownPath(pathTo(listed))} is in one of several items of a list`);
  }
  for (const [name, { value, path, other, isGuess }] of matches) {
    const place = shownPath(path);
    if (other !== null) {
      const why = `${place} and ${shownPath(other)} differ, and either could be meant`;
      ambiguous.set(name, why);
      continue;
    }
    values.set(name, value);
    if (isGuess) warnings.push(`the input ${name} is taken from ${place}`);
  }
  if (index.isCut) {
    warnings.push(`only the first ${MAX_MEMBERS} members of the payload were searched for inputs`);
  }
  return { values, ambiguous, warnings };
}
