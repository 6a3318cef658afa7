import type { Fault, PayloadValue } from "../../contract/webhooks/payload.ts";
import type { Condition } from "../../contract/webhooks/routing.ts";
import { isIsoInstant } from "../../lib/instants.ts";
import { canonicalJson, exactJson } from "../../lib/json-values.ts";
import { memoize } from "../../lib/lru-map.ts";
import { linearPattern, patternFault } from "../../lib/pattern/linear-pattern.ts";
import { preview } from "../../lib/text.ts";
import { evaluateJsonata, expressionFault } from "../mapping/jsonata/evaluate.ts";
import { type MappingSources, readSource, sourceFault } from "../mapping/sources.ts";
import { Unaffordable, type WorkBudget } from "../mapping/work-budget.ts";

/** The parts of a request that a condition reads. */
export interface ConditionInput {
  payload: PayloadValue;
  sources: MappingSources;
  /** The work that the conditions of one request may still take. */
  budget: WorkBudget;
}

/** Whether a condition holds, and why, as one line for people. */
export interface Judgement {
  holds: boolean;
  reason: string;
}

/** Conditions of one route or waiter, each part counted. */
const MAX_PARTS = 100;

const compiled = memoize(200, (pattern) => linearPattern(pattern));
const compiledAnyCase = memoize(200, (pattern) =>
  linearPattern(pattern, { unicode: true, ignoreCase: true }),
);

/** Evaluates a condition. One that cannot be evaluated does not hold. */
export async function judge(condition: Condition, input: ConditionInput): Promise<Judgement> {
  try {
    return await judgePart(condition, input);
  } catch (error) {
    if (!(error instanceof Unaffordable)) throw error;
    return { holds: false, reason: `The condition ${error.message}.` };
  }
}

async function judgePart(condition: Condition, input: ConditionInput): Promise<Judgement> {
  const { all, any, not, jsonata } = condition;
  if (all !== undefined) return await judgeEach(all, false, input);
  if (any !== undefined) return await judgeEach(any, true, input);
  if (not !== undefined) {
    const { holds, reason } = await judgePart(not, input);
    return { holds: !holds, reason };
  }
  if (jsonata !== undefined) return await judgeExpression(jsonata, input);
  return compare(condition, input);
}

/** Judges parts until one decides: `all` is decided by one that fails, `any` by one that holds. */
async function judgeEach(
  parts: Condition[],
  deciding: boolean,
  input: ConditionInput,
): Promise<Judgement> {
  const reasons: string[] = [];
  for (const part of parts) {
    const judgement = await judgePart(part, input);
    if (judgement.holds === deciding) return judgement;
    reasons.push(judgement.reason);
  }
  return { holds: !deciding, reason: reasons.join(" ") };
}

async function judgeExpression(expression: string, input: ConditionInput): Promise<Judgement> {
  const { payload, sources, budget } = input;
  const variables = {
    payload,
    headers: Object.fromEntries(sources.headers),
    query: Object.fromEntries(sources.query),
  };
  // The library's own rule for what counts as true.
  const outcome = await evaluateJsonata(`$boolean((${expression}))`, payload, variables, budget);
  if (!outcome.ok) return { holds: false, reason: `The expression ${outcome.message}.` };
  const holds = outcome.value === true;
  return { holds, reason: `The expression is ${holds ? "true" : "false"}.` };
}

function compare(condition: Condition, { payload, sources, budget }: ConditionInput): Judgement {
  const { in: part, path = "" } = condition;
  const value = readSource(payload, { in: part, from: path }, sources);
  budget.spendReading(value ?? null);
  const subject = part === "header" || part === "query" ? `${part} ${path}` : path;
  const place = `\`${subject}\``;
  if (condition.exists !== undefined) {
    const holds = (value !== undefined) === condition.exists;
    return { holds, reason: `${place} ${value === undefined ? "is missing" : "exists"}.` };
  }
  if (value === undefined) return { holds: false, reason: `${place} is missing.` };
  // Bounds look at a number or a time; all else reads the whole value again.
  if (BOUNDS.every(({ name }) => condition[name] === undefined)) budget.spendReading(value);
  const { holds, wanted } = test(condition, value);
  const shown = preview(shownText(value));
  return { holds, reason: `${place} is ${shown}${holds ? "" : `, not ${wanted}`}.` };
}

function test(condition: Condition, value: PayloadValue): { holds: boolean; wanted: string } {
  const { equals, oneOf, matches, ignoreCase = false } = condition;
  if (equals !== undefined) {
    return { holds: comparable(value) === comparable(equals), wanted: shownText(equals) };
  }
  if (oneOf !== undefined) {
    const own = comparable(value);
    const holds = oneOf.some((one) => own === comparable(one));
    return { holds, wanted: `one of ${preview(oneOf.map(shownText).join(", "))}` };
  }
  if (matches !== undefined) {
    const linear = (ignoreCase ? compiledAnyCase : compiled)(matches);
    const holds = typeof value === "string" && linear.ok && linear.test(value) === true;
    return { holds, wanted: `a match of ${preview(matches)}` };
  }
  for (const { name, words, holds } of BOUNDS) {
    const limit = condition[name];
    if (limit === undefined) continue;
    const order = orderOf(value, limit);
    return { holds: order !== null && holds(order), wanted: `${words} ${limit}` };
  }
  throw new Error("a condition without an operator");
}

const BOUNDS = [
  { name: "gt", words: "greater than", holds: (order: number) => order > 0 },
  { name: "gte", words: "at least", holds: (order: number) => order >= 0 },
  { name: "lt", words: "less than", holds: (order: number) => order < 0 },
  { name: "lte", words: "at most", holds: (order: number) => order <= 0 },
] as const;

/**
 * Returns a text that equal values share, as JSON compares them; a long number is the text of its digits, as
 * a client that reads doubles sends it.
 */
function comparable(value: PayloadValue): string {
  return canonicalJson(exactJson(value));
}

/** Returns a number below, at or above zero, or null for values that have no order. */
function orderOf(value: PayloadValue, limit: number | string): number | null {
  if (typeof limit === "number") {
    const number = typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
    if (typeof number !== "number" && typeof number !== "bigint") return null;
    return number < limit ? -1 : number > limit ? 1 : 0;
  }
  if (typeof value !== "string" || !isIsoInstant(value)) return null;
  return Date.parse(value) - Date.parse(limit);
}

/** Headers, queries and forms send numbers as text. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;

function shownText(value: PayloadValue): string {
  return typeof value === "string" ? JSON.stringify(value) : JSON.stringify(exactJson(value));
}

/** Returns the faults of a condition to be saved; `path` is its place in the body. */
export function conditionFaults(condition: Condition, path: string): Fault[] {
  const parts = partsOf(condition, path);
  if (parts.length > MAX_PARTS) {
    return [{ path, rule: "parts", message: `must have at most ${MAX_PARTS} parts` }];
  }
  return parts.flatMap((part) => partFaults(part.condition, part.path));
}

interface Part {
  condition: Condition;
  path: string;
}

function partsOf(condition: Condition, path: string): Part[] {
  const { all, any, not } = condition;
  const inner = [
    ...(all ?? []).map((part, at) => ({ condition: part, path: `${path}.all[${at}]` })),
    ...(any ?? []).map((part, at) => ({ condition: part, path: `${path}.any[${at}]` })),
    ...(not === undefined ? [] : [{ condition: not, path: `${path}.not` }]),
  ];
  return [{ condition, path }, ...inner.flatMap((part) => partsOf(part.condition, part.path))];
}

function partFaults(condition: Condition, place: string): Fault[] {
  const { in: part, path, matches, jsonata } = condition;
  const faults = path === undefined ? [] : placeFaults(part, path, place);
  if (matches !== undefined) {
    const fault = patternFault(matches);
    if (fault !== null) faults.push({ path: `${place}.matches`, rule: "pattern", message: fault });
  }
  if (jsonata !== undefined) {
    const fault = expressionFault(jsonata);
    if (fault !== null) faults.push({ path: `${place}.jsonata`, rule: "jsonata", message: fault });
  }
  for (const { name } of BOUNDS) {
    const limit = condition[name];
    if (typeof limit !== "string" || isIsoInstant(limit)) continue;
    const message = "must be a number, or a time in ISO 8601 with an offset";
    faults.push({ path: `${place}.${name}`, rule: "bound", message });
  }
  return faults;
}

/** Returns the faults of a place in a request that `place` of a body names. */
export function placeFaults(part: Condition["in"], path: string, place: string): Fault[] {
  const fault = sourceFault(part, path);
  return fault === null ? [] : [{ path: `${place}.path`, ...fault }];
}
