import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import { type Path, shownPath } from "./payload-path.ts";

/** Longer names match no input. */
const MAX_NAME_LENGTH = 100;

/** A member of an object, or an element of an array, that may be the value of an input by its name. */
export interface Named<Self> {
  /** Its name, or its index. */
  step: string | number;
  parent: Self | null;
  /** Whether it belongs to one of several elements: such a member is no value, but another reading. */
  isOneOfMany: boolean;
  isNull: boolean;
}

/** The member that an input is taken from, or two that it could be. */
export type NameMatch<Member> =
  /** `isGuess`: not by its own name, but by what it belongs to. */
  | { kind: "found"; member: Member; isGuess: boolean }
  | { kind: "ambiguous"; member: Member; other: Member };

type Members<Member> = Map<string, Member[]>;

/** The members of a payload by their names, the shallowest first. */
export interface NameIndex<Member> {
  exact: Members<Member>;
  /** Without case and separators, as all that follows. */
  folded: Members<Member>;
  /** By the name of the parent and their own. */
  joined: Members<Member>;
}

/** Indexes members once for all inputs that are looked for. `levels` yields them depth by depth. */
export function indexNames<Member extends Named<Member>>(
  levels: Iterable<Member[]>,
): NameIndex<Member> {
  const members = [...levels].flat().filter(({ step }) => typeof step === "string");
  const known = members.filter(({ isNull }) => !isNull);
  const inside = known.filter(({ parent }) => typeof parent?.step === "string");
  return {
    exact: Map.groupBy(members, ({ step }) => String(step)),
    folded: Map.groupBy(known, ({ step }) => fold(String(step))),
    joined: Map.groupBy(inside, ({ parent, step }) => fold(`${parent?.step}_${step}`)),
  };
}

/**
 * Finds the members for inputs by name, at any depth: a member with the exact name, else one whose name
 * differs only in case and separators (`orderId`, `order_id`, `ORDER-ID`), else, as a guess, one whose name
 * follows that of its parent (`id` of `order`). The shallowest member wins over those within its own object;
 * another one that differs makes the input ambiguous. A null under the exact name is the value; other nulls do not count. None of
 * several like elements of an array is the value of an input.
 */
export function matchNames<Member extends Named<Member>>(
  index: NameIndex<Member>,
  names: string[],
  differ: (one: Member, other: Member) => boolean,
): Map<string, NameMatch<Member>> {
  const matches = new Map<string, NameMatch<Member>>();
  for (const name of names) {
    const own = [index.exact.get(name), index.folded.get(fold(name))].find((found) =>
      found?.some(isValue),
    );
    const found = own ?? index.joined.get(fold(name)) ?? [];
    const member = found.find(isValue);
    if (member === undefined) continue;
    const other = otherReading(member, found, differ);
    const one = { kind: "found" as const, member, isGuess: own === undefined };
    matches.set(name, other === undefined ? one : { kind: "ambiguous", member, other });
  }
  return matches;
}

const isValue = ({ isOneOfMany }: { isOneOfMany: boolean }): boolean => !isOneOfMany;

/**
 * Returns a member that could be meant as well as the shallowest one: a different one, and not within the
 * object that the shallowest one belongs to, since an order's own id precedes those of its parts.
 */
function otherReading<Member extends Named<Member>>(
  match: Member,
  found: Member[],
  differ: (one: Member, other: Member) => boolean,
): Member | undefined {
  return found.find(
    (other) =>
      other !== match &&
      differ(other, match) &&
      (depthOf(other) === depthOf(match) || !isWithin(other, match.parent)),
  );
}

function depthOf<Member extends Named<Member>>({ parent }: Member): number {
  return parent === null ? 0 : 1 + depthOf(parent);
}

function isWithin<Member extends Named<Member>>(member: Member, owner: Member | null): boolean {
  if (owner === null) return true;
  for (let at = member.parent; at !== null; at = at.parent) if (at === owner) return true;
  return false;
}

function fold(name: string): string {
  return name.length > MAX_NAME_LENGTH ? name : name.toLowerCase().replace(/[\s_.:/-]+/g, "");
}

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
