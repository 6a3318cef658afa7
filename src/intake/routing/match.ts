import type { RouteDecision } from "../../contract/webhooks/inbox.ts";
import type { Fault, PayloadValue, StageError } from "../../contract/webhooks/payload.ts";
import type { Route, RouteKey } from "../../contract/webhooks/routing.ts";
import { exactJson } from "../../lib/json-values.ts";
import { mapPayload } from "../mapping/map.ts";
import { parsePath } from "../mapping/payload-path.ts";
import { type MappingSources, readSource } from "../mapping/sources.ts";
import { WorkBudget } from "../mapping/work-budget.ts";
import { validatePayload } from "../validation.ts";
import { judge, placeFaults } from "./condition.ts";

/**
 * Matches a request with each route, in order, and maps it for those that match. A matching route whose
 * validation or mapping fails has errors and starts nothing.
 */
export async function matchRoutes(
  routes: readonly Route[],
  payload: PayloadValue,
  sources: MappingSources,
): Promise<RouteDecision[]> {
  const budget = new WorkBudget();
  const decisions: RouteDecision[] = [];
  for (const route of routes) {
    decisions.push(await matchRoute(route, payload, sources, budget));
  }
  return decisions;
}

async function matchRoute(
  { name, when, workflow, validation, mapping, key, rule }: Route,
  payload: PayloadValue,
  sources: MappingSources,
  budget: WorkBudget,
): Promise<RouteDecision> {
  const unmatched = (reason: string): RouteDecision => ({ ...BLANK, name, matched: false, reason });
  const { holds, reason } =
    when === null ? UNCONDITIONAL : await judge(when, { payload, sources, budget });
  if (!holds) return unmatched(reason);
  if (workflow === null) return unmatched("The workflow of this route is deleted.");
  const read = key === null ? NO_KEY : readKey(key, payload, sources);
  const keyed = key !== null && read.ok && read.key === null;
  const warnings = keyed ? [`the route ${name} has no value for its key in this request`] : [];
  const matched: RouteDecision = {
    ...BLANK,
    name,
    matched: true,
    reason,
    key: read.ok ? read.key : null,
    warnings,
  };
  if (!read.ok) {
    const fault = { path: "key", rule: "key", message: `of the route ${name} ${read.message}` };
    return { ...matched, errors: errorsOf("mapping", [fault]) };
  }
  const faults = validation === null ? [] : validatePayload(payload, validation);
  if (faults.length > 0) return { ...matched, errors: errorsOf("validation", faults) };
  // What a case gathers is mapped when it starts.
  if (rule.onEvent === "collect" && read.key !== null) return matched;
  const mapped = await mapPayload(payload, mapping, workflow.inputs, sources, budget);
  if (!mapped.ok) return { ...matched, errors: errorsOf("mapping", mapped.faults) };
  return { ...matched, inputs: mapped.inputs, warnings: [...warnings, ...mapped.warnings] };
}

const UNCONDITIONAL = { holds: true, reason: "The route has no condition." };
const NO_KEY = { ok: true, key: null } as const;
const BLANK = { key: null, inputs: null, warnings: [], errors: [] };

/** Returns the faults that a stage found as errors of a request. */
export function errorsOf(
  stage: StageError["stage"],
  faults: readonly Omit<StageError, "stage">[],
): StageError[] {
  return faults.map((fault) => ({ stage, ...fault }));
}

/** Returns the errors of a request that matches routes and can start none of them, else none. */
export function blockingErrors(decisions: readonly RouteDecision[]): StageError[] {
  const matched = decisions.filter((decision) => decision.matched);
  return matched.some(({ errors }) => errors.length === 0)
    ? []
    : matched.flatMap(({ errors }) => errors);
}

/** Characters of a key; the keys of a case are compared, stored and shown. */
const MAX_KEY_LENGTH = 1_000;

const REFERENCE = /\{\{\s*([^{}]*?)\s*\}\}/g;
const PLACE = /^(body|header|query)\.(.+)$/s;

/** The key of a request, null if it has none, or why it cannot be used. */
export type KeyReading = { ok: true; key: string | null } | { ok: false; message: string };

/** Reads the key of a request. A value that is absent, null or empty leaves it without a key. */
export function readKey(key: RouteKey, payload: PayloadValue, sources: MappingSources): KeyReading {
  const read = (part: "body" | "header" | "query" | undefined, path: string) =>
    keyText(readSource(payload, { in: part, from: path }, sources));
  const text = "template" in key ? filled(key.template, read) : read(key.in, key.path);
  if (text === null || text === "") return { ok: true, key: null };
  if (text.length <= MAX_KEY_LENGTH) return { ok: true, key: text };
  return { ok: false, message: `has more than ${MAX_KEY_LENGTH} characters` };
}

function filled(
  template: string,
  read: (part: "body" | "header" | "query", path: string) => string | null,
): string | null {
  let isWhole = true;
  const text = template.replace(REFERENCE, (_, reference: string) => {
    const place = placeOf(reference);
    const value = place === null ? null : read(place.part, place.path);
    if (value === null) isWhole = false;
    return value ?? "";
  });
  return isWhole ? text : null;
}

function placeOf(reference: string): { part: "body" | "header" | "query"; path: string } | null {
  const [, part, path] = PLACE.exec(reference) ?? [];
  if (path === undefined) return null;
  return part === "header" || part === "query" ? { part, path } : { part: "body", path };
}

function keyText(value: PayloadValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "object" ? JSON.stringify(exactJson(value)) : String(value);
}

/** Returns the faults of a key to be saved; `place` is its place in the body. */
export function keyFaults(key: RouteKey, place: string): Fault[] {
  if (!("template" in key)) return placeFaults(key.in, key.path, place);
  const path = `${place}.template`;
  const references = [...key.template.matchAll(REFERENCE)];
  if (references.length === 0) {
    return [{ path, rule: "template", message: "must refer to a value, such as {{body.id}}" }];
  }
  return references.flatMap(([whole, reference = ""]) => {
    const found = placeOf(reference);
    const fault = (message: string) => [{ path, rule: "template", message }];
    if (found === null) {
      return fault(`refers to ${whole}, which must begin with body., header. or query.`);
    }
    if (found.part !== "body") return placeFaults(found.part, found.path, place);
    const parsed = parsePath(found.path);
    return parsed.ok ? [] : fault(`refers to ${whole}, whose path ${parsed.message}`);
  });
}
