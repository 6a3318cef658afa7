import type * as z from "zod";

const TYPES: Record<string, string> = {
  array: "an array",
  boolean: "true or false",
  int: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};
const FORMATS: Record<string, string> = {
  base64: "base64",
  datetime: "an ISO 8601 time such as 2026-11-20T09:30:00Z",
  url: "a URL",
  uuid: "a UUID",
};
const UNITS: Record<string, string> = { array: "item", record: "field", string: "character" };

/**
 * Returns what an issue says of a value, as a predicate without a subject: "must have at least 1
 * character". zod takes it as its locale; a message that a schema sets itself wins over it.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type": {
      if (issue.input === undefined) return "is required";
      const wanted = `must be ${TYPES[issue.expected] ?? issue.expected}`;
      return Array.isArray(issue.input) ? `${wanted}, not an array` : wanted;
    }
    case "too_small":
      return bound(issue.origin, issue.minimum, issue.inclusive ? "at least" : "more than", issue);
    case "too_big":
      return bound(issue.origin, issue.maximum, issue.inclusive ? "at most" : "less than", issue);
    case "invalid_format":
      return describeFormat(issue);
    case "invalid_value": {
      const values = issue.values.map(String);
      if (values.length === 1) return `must be ${values[0]}`;
      const nearest = nearestName(String(issue.input), values);
      const hint = nearest && `the allowed values. Did you mean \`${nearest}\`? Allowed: `;
      return `must be one of ${hint ?? ""}${values.join(", ")}`;
    }
    case "invalid_union":
      if (!Array.isArray(issue.options)) return "is not valid";
      return `must be one of ${issue.options.join(", ")}`;
    case "unrecognized_keys":
      return describeUnknown("field", issue.keys[0] ?? "", []);
    case "invalid_key":
      return `is not a valid name: it ${issue.issues[0]?.message}`;
    default:
      return "is not valid";
  }
}

/**
 * Returns the sentence for a name that is not among the allowed ones. It suggests the nearest of them,
 * because most unknown names are misspelt ones.
 */
export function describeUnknown(noun: string, name: string, allowed: readonly string[]): string {
  const nearest = nearestName(name, allowed);
  const hint = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`;
  const list = allowed.length === 0 ? "" : ` Allowed: ${allowed.join(", ")}.`;
  return `Unknown ${noun} \`${name}\`.${hint}${list}`;
}

/** Returns the name that differs least from a misspelt one, at most by two characters. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  // A payload's names may be as long as the payload.
  return names
    .filter((each) => Math.abs(each.length - name.length) <= 2)
    .map((each) => ({ each, distance: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.min(2, name.length / 2))
    .sort((a, b) => a.distance - b.distance)[0]?.each;
}

function bound(
  origin: string,
  limit: number | bigint,
  comparison: string,
  { exact }: { exact?: boolean | undefined },
): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be ${comparison} ${limit}`;
  const amount = `${limit} ${unit}${Number(limit) === 1 ? "" : "s"}`;
  return `must have ${exact ? "exactly" : comparison} ${amount}`;
}

function describeFormat(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string {
  if (issue.format === "regex") return `must match ${issue.pattern}`;
  return `must be ${FORMATS[issue.format] ?? `a valid ${issue.format}`}`;
}

/** Returns the Levenshtein distance. Both names are short; longer ones are cut. */
function editDistance(left: string, right: string): number {
  const target = right.slice(0, 64);
  let row = Array.from({ length: target.length + 1 }, (_, at) => at);
  for (const [above, char] of [...left.slice(0, 64)].entries()) {
    const next = [above + 1];
    for (let at = 1; at <= target.length; at += 1) {
      const substituted = (row[at - 1] ?? 0) + (char === target[at - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const MAX_MESSAGE_LENGTH = 1_000;
const MAX_NAME_LENGTH = 100;
const MAX_UNKNOWN = 5;

/** What is wrong with a value, and where. */
interface Violation {
  path: string;
  rule: string;
  message: string;
}

/** Returns the violations of a value that does not match its schema; of one of the wrong type only that. */
export function violationsOf(issues: z.core.$ZodIssue[]): Violation[] {
  const all = issues.flatMap(leavesOf).flatMap(violationsIn);
  const wrong = new Set(all.flatMap(({ path, rule }) => (rule === "invalid_type" ? path : [])));
  return all.filter(({ path, rule }) => rule === "invalid_type" || !wrong.has(path));
}

/** Returns the issues of the alternative that the value comes closest to. */
function leavesOf(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.filter((each) => !each.some(isOfAnotherType));
  const [first, ...others] = meant.length === 0 ? issue.errors : meant;
  if (first === undefined) return [issue];
  const closest = others.reduce((best, each) => (each.length < best.length ? each : best), first);
  return closest
    .flatMap(leavesOf)
    .map((leaf) => ({ ...leaf, path: [...issue.path, ...leaf.path] }));
}

/** Whether an issue says that the whole value is of another type. */
const isOfAnotherType = ({ code, path }: z.core.$ZodIssue): boolean =>
  code === "invalid_type" && path.length === 0;

/** Returns one violation for each of the first unknown fields; only the first lists the allowed ones. */
function violationsIn(issue: z.core.$ZodIssue): Violation[] {
  const { path, code } = issue;
  const message = issue.message.slice(0, MAX_MESSAGE_LENGTH);
  if (issue.code !== "unrecognized_keys") return [{ path: dotted(path), rule: code, message }];
  return issue.keys.slice(0, MAX_UNKNOWN).map((key, at) => {
    const name = key.slice(0, MAX_NAME_LENGTH);
    return {
      path: dotted([...path, name]),
      rule: code,
      message: at === 0 ? message : `Unknown field \`${name}\`.`,
    };
  });
}

/** Returns a path such as `items[0].sku`. */
export function dotted(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}
