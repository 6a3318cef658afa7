import type { PayloadValue } from "../../contract/inbound/payload.ts";
import { type Path, shownPath } from "./payload-path.ts";

/** Members that are searched; only the largest payloads have more. */
const MAX_MEMBERS = 50_000;
/** Longer names match no input. */
const MAX_NAME_LENGTH = 200;

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
 * whose name differs only in case and separators (`orderId`, `order_id`, `ORDER-ID`). The shallowest
 * member wins; several at one depth with different values leave the input unmapped, and `ambiguous` says
 * why, by input. Null members do not count. Only arrays of one element are searched: none of several
 * like elements is the value of an input.
 */
export function autoMap(
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

/** Returns the shallowest matches by input, exact ones first. */
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

/** Adds the members of a level to the inputs without a match above it. */
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
