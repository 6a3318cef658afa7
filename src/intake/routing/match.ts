import type { RouteDecision } from "../../contract/webhooks/inbox.ts";
import type { PayloadValue, StageError } from "../../contract/webhooks/payload.ts";
import type { Route } from "../../contract/webhooks/routing.ts";
import { mapPayload } from "../mapping/map.ts";
import type { MappingSources } from "../mapping/sources.ts";
import { WorkBudget } from "../mapping/work-budget.ts";
import { validatePayload } from "../validation.ts";
import { judge } from "./condition.ts";
import { readKey } from "./key.ts";

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
