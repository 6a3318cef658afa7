import type { PayloadValue } from "../../contract/inbound/payload.ts";
import { type Path, shownPath } from "./payload-path.ts";

/** Members that are searched; only the largest payloads have more. */
const MAX_MEMBERS = 30_000;
/** Longer names match no input. */
const MAX_NAME_LENGTH = 100;

/** Elements of an array that are searched for other readings. */
const MAX_ELEMENTS = 20;

/** A member of an object, or an element of an array, with its place. */
interface Member {
  step: string | number;
  value: PayloadValue;
  parent: Member | null;
  /** Whether it belongs to one of several elements: such a member is no value, but another reading. */
  isOneOfMany: boolean;
}

interface Search {
  payload: PayloadValue;
  left: number;
}

/**
 * Finds the values of inputs in a payload by name, at any depth: a member with the exact name, else one
 * whose name differs only in case and separators (`orderId`, `order_id`, `ORDER-ID`), else one whose
 * name follows that of its parent (`id` of `order`), else the payload's own member where its topic
 * precedes it (`id` where the payload is an order). The last two are guesses, which a warning names. The
 * shallowest member wins over those within its own object; another one of a different value leaves the
 * input unmapped, and `ambiguous` says why, by input. A null under the exact name is the value; other
 * nulls do not count. None of several like elements of an array is the value of an input.
 */
export function autoMap(
  payload: PayloadValue,
  names: string[],
  topic: string | null = null,
): { values: Map<string, PayloadValue>; ambiguous: Map<string, string>; warnings: string[] } {
  const search = { payload, left: MAX_MEMBERS };
  const { sure, guessed } = matchesOf(search, names, topic);
  const values = new Map<string, PayloadValue>();
  const ambiguous = new Map<string, string>();
  const warnings: string[] = [];
  for (const [name, found] of new Map([...guessed, ...sure])) {
    const match = found.find(({ isOneOfMany }) => !isOneOfMany);
    const other = match && otherReading(match, found);
    if (match && other) ambiguous.set(name, eitherOf(match, other));
    else if (match) {
      values.set(name, match.value);
      if (!sure.has(name)) warnings.push(`the input ${name} is taken from ${pathOf(match)}`);
    }
  }
  if (search.left === 0) {
    warnings.push(`only the first ${MAX_MEMBERS} members of the payload were searched for inputs`);
  }
  return { values, ambiguous, warnings };
}

type Matches = Map<string, Member[]>;

/** Returns the matches by input, the shallowest first: by their own names, and by what they belong to. */
function matchesOf(
  search: Search,
  names: string[],
  topic: string | null,
): { sure: Matches; guessed: Matches } {
  const exact: Matches = new Map();
  const folded: Matches = new Map();
  const joined: Matches = new Map();
  const wanted = new Set(names);
  const byFold = Map.groupBy(names, fold);
  for (const level of levels(search)) {
    for (const member of level) {
      const { step, parent, value } = member;
      if (typeof step !== "string") continue;
      if (wanted.has(step)) add(exact, step, member);
      if (value === null) continue;
      for (const input of byFold.get(fold(step)) ?? []) add(folded, input, member);
      const owner = parent === null ? topic : parent.step;
      if (typeof owner !== "string" || (parent === null && step !== "id")) continue;
      for (const input of byFold.get(fold(`${owner}_${step}`)) ?? []) add(joined, input, member);
    }
  }
  const sure = new Map([...folded, ...exact].filter(hasValue));
  return { sure, guessed: new Map([...joined].filter(hasValue)) };
}

function hasValue([, found]: [string, Member[]]): boolean {
  return found.some(({ isOneOfMany }) => !isOneOfMany);
}

function add(matches: Matches, input: string, member: Member): void {
  const found = matches.get(input);
  if (found) found.push(member);
  else matches.set(input, [member]);
}

/**
 * Returns a member that could be meant as well as the shallowest one: of another value, and not within the
 * object that the shallowest one belongs to, since an order's own id precedes those of its parts.
 */
function otherReading(match: Member, found: Member[]): Member | undefined {
  return found.find(
    (other) =>
      other.value !== match.value && (isAsDeep(other, match) || !isWithin(other, match.parent)),
  );
}

function isAsDeep(one: Member, other: Member): boolean {
  return depthOf(one) === depthOf(other);
}

function depthOf({ parent }: Member): number {
  return parent === null ? 0 : 1 + depthOf(parent);
}

function isWithin(member: Member, owner: Member | null): boolean {
  if (owner === null) return true;
  for (let at = member.parent; at !== null; at = at.parent) if (at === owner) return true;
  return false;
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
  const members = entries
    .slice(0, search.left)
    .map(([step, member]) => ({ step, value: member, parent, isOneOfMany }));
  search.left -= members.length;
  return members;
}

function fold(name: string): string {
  return name.length > MAX_NAME_LENGTH ? name : name.toLowerCase().replace(/[\s_.:/-]+/g, "");
}

function eitherOf(match: Member, other: Member): string {
  return `${pathOf(match)} and ${pathOf(other)} differ, and either could be meant`;
}

function pathOf(member: Member): string {
  const path: Path = [];
  for (let at: Member | null = member; at !== null; at = at.parent) path.unshift(at.step);
  return shownPath(path);
}
