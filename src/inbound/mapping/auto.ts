import type { PayloadValue } from "../../contract/inbound/payload.ts";
import { type Path, shownPath } from "./paths.ts";

/** Members that are looked at; only the largest payloads have more. */
const MAX_MEMBERS = 50_000;
/** Longer than the name of any input with its separators. */
const MAX_NAME_LENGTH = 200;

/** A member of an object, or the one element of an array, and where it is. */
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
 * The values that a payload has for inputs, found by name at any depth: a member that has the very name,
 * else one whose name differs only in case and separators (`orderId`, `order_id`, `ORDER-ID`). Shallower
 * members win over deeper ones; several at one depth with different values leave the input unmapped:
 * `ambiguous` says why, by input. Members that are null do not count. Of arrays, only those of one element are looked
 * into: the elements of longer ones are of a kind, and none of them is the one that is meant.
 */
export function autoMapped(
  payload: PayloadValue,
  names: string[],
): { values: Map<string, PayloadValue>; ambiguous: Map<string, string>; warnings: string[] } {
  const search = { payload, left: MAX_MEMBERS };
  const matches = matchesOf(search, names);
  const values = new Map<string, PayloadValue>();
  const ambiguous = new Map<string, string>();
  for (const [name, [match, ...others]] of matches) {
    const other = others.find(({ value }) => value !== match?.value);
    if (match && other) ambiguous.set(name, eitherOf(match, other));
    else if (match) values.set(name, match.value);
  }
  const warnings =
    search.left === 0
      ? [`only the first ${MAX_MEMBERS} members of the payload were searched for inputs`]
      : [];
  return { values, ambiguous, warnings };
}

/** The shallowest matches by input: exact ones, where there are any at any depth. */
function matchesOf(search: Search, names: string[]): Map<string, Member[]> {
  const exact = new Map<string, Member[]>();
  const folded = new Map<string, Member[]>();
  const wanted = new Set(names);
  const byFold = Map.groupBy(names, fold);
  for (const level of levels(search)) {
    const named = level.filter(({ step, value }) => typeof step === "string" && value !== null);
    keepShallower(exact, named, (name) => (wanted.has(name) ? [name] : []));
    keepShallower(folded, named, (name) => byFold.get(fold(name)) ?? []);
    if (exact.size === names.length) break;
  }
  return new Map([...folded, ...exact]);
}

/** Adds the members of a level to inputs that no level above it had any for. */
function keepShallower(
  matches: Map<string, Member[]>,
  level: Member[],
  inputsOf: (name: string) => string[],
): void {
  const here = new Map<string, Member[]>();
  for (const member of level) {
    for (const input of inputsOf(String(member.step))) {
      const found = here.get(input);
      if (found) found.push(member);
      else here.set(input, [member]);
    }
  }
  for (const [input, found] of here) if (!matches.has(input)) matches.set(input, found);
}

/** The members of a payload, depth by depth. */
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
