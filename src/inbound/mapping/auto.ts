import type { PayloadValue } from "../../contract/inbound/payload.ts";
import { type Path, shownPath } from "./payload-path.ts";

/** Members that are searched; only the largest payloads have more. */
const MAX_MEMBERS = 30_000;
/** Longer names match no input. */
const MAX_NAME_LENGTH = 100;

/** A member of an object, or the only element of an array, with its place. */
interface Member {
  step: string | number;
  value: PayloadValue;
  parent: Member | null;
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
 * shallowest member wins; several at one depth with different values leave the input unmapped, and
 * `ambiguous` says why, by input. A null under the exact name is the value; other nulls do not count.
 * Only arrays of one element are searched: none of several like elements is the value of an input.
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
  for (const [name, [match, ...others]] of new Map([...guessed, ...sure])) {
    const other = others.find(({ value }) => value !== match?.value);
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

/** Returns the shallowest matches by input: those by their own names, and those by what they belong to. */
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
    const named = level.filter(({ step }) => typeof step === "string");
    const valued = named.filter(({ value }) => value !== null);
    keepShallower(exact, named, ({ step }) => (wanted.has(String(step)) ? [String(step)] : []));
    keepShallower(folded, valued, ({ step }) => byFold.get(fold(String(step))) ?? []);
    keepShallower(joined, valued, ({ step, parent }) => {
      const owner = parent === null ? topic : parent.step;
      const isOwned = typeof owner === "string" && (parent !== null || step === "id");
      return isOwned ? (byFold.get(fold(`${owner}_${step}`)) ?? []) : [];
    });
    if (exact.size === names.length) break;
  }
  return { sure: new Map([...folded, ...exact]), guessed: joined };
}

/** Adds the members of a level to the inputs without a match above it. */
function keepShallower(
  matches: Map<string, Member[]>,
  level: Member[],
  inputsOf: (member: Member) => string[],
): void {
  const here = new Map<string, Member[]>();
  for (const member of level) {
    for (const input of inputsOf(member)) {
      const found = here.get(input);
      if (found) found.push(member);
      else here.set(input, [member]);
    }
  }
  for (const [input, found] of here) if (!matches.has(input)) matches.set(input, found);
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
  if (Array.isArray(value)) {
    const [element] = value;
    return value.length === 1 && element !== undefined ? [{ step: 0, value: element, parent }] : [];
  }
  const members = Object.entries(value)
    .slice(0, search.left)
    .map(([step, member]) => ({ step, value: member, parent }));
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
