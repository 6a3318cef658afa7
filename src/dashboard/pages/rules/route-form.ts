import type { Json, JsonObject } from "../../../contract/json.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { Condition } from "../../../contract/webhooks/routing.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { isObject } from "../../../lib/json-values.ts";
import { type Fields, readJson, type Values } from "../../forms/form.ts";
import { namesOf } from "../../lookups.ts";

/** A route as the API shows it. */
export type Route = NonNullable<EndpointRecord["routing"]>["routes"][number];

/** The comparisons of a condition, in words. */
export const COMPARISONS = {
  equals: "is",
  oneOf: "is one of",
  matches: "matches",
  exists: "exists",
  gt: ">",
  gte: "≥",
  lt: "<",
  lte: "≤",
} as const;
type Comparison = keyof typeof COMPARISONS;

/** What a further event of a live case does. */
export const ON_EVENT_LABELS = {
  queue: "Queued",
  message: "Sent as message",
  collect: "Collected",
  replace: "Replaces",
} as const;

/** The parts of a request in which a value is looked for. */
export const REQUEST_PARTS = { body: "payload", header: "header", query: "query" };

/** The list of comparisons, to which a click on a value of a request adds one. */
export const CONDITIONS = "when";
/** The controls of a route besides its conditions and its mapping. */
export const ROUTE_CONTROLS = ["route.name", "route.workflowId", "route.position"];
export const CASE_CONTROLS = ["route.key", "route.onEvent"];

/** Returns the controls of a route: its name, its place among `count` routes, when it matches, its cases. */
export function routeFields(workflows: readonly WorkflowRecord[], count: number): Fields {
  const options = Object.fromEntries(namesOf(workflows));
  const positions = Array.from({ length: count }, (_, at) => [`${at}`, `${at + 1}`]);
  return {
    "route.name": { kind: "line", label: "Route", required: true },
    "route.workflowId": { kind: "select", label: "Workflow", options },
    "route.position": {
      kind: "select",
      label: "Position",
      options: Object.fromEntries(positions),
    },
    [CONDITIONS]: {
      kind: "rows",
      label: "Matches requests where all of these hold",
      hint: "Click a value of the request to add it. Without a condition, every request matches.",
      one: "condition",
      fields: {
        path: { kind: "line", label: "Path or name", more: { spellcheck: "false" } },
        in: { kind: "select", label: "In", options: REQUEST_PARTS },
        operator: { kind: "select", label: "Comparison", options: COMPARISONS },
        value: { kind: "line", label: "Value" },
      },
    },
    "route.when": {
      kind: "json",
      label: "Further condition",
      hint: 'As the API has it, for any, not and jsonata: {"any": [{"path": "a", "exists": true}]}.',
      more: { rows: 2 },
    },
    "route.key": {
      kind: "line",
      label: "Case key",
      hint: "At most one execution is live for each value: issue.number, or {{body.repo.id}}/{{body.number}}.",
    },
    "route.onEvent": {
      kind: "select",
      label: "Further events of a live case",
      options: ON_EVENT_LABELS,
    },
  };
}

/** Returns a route as its controls show it. */
export function shownRoute({ when, key, ...route }: Route, position: number): object {
  const rows = rowsOf(when);
  const { template, path } = { template: undefined, path: undefined, ...key };
  return {
    [CONDITIONS]: rows ?? [],
    route: {
      ...route,
      position,
      key: template ?? path,
      onEvent: route.onEvent ?? "queue",
      ...(rows === null && { when }),
    },
  };
}

/** Returns the comparisons of a condition as rows; null where rows do not say all of it. */
function rowsOf(when: Condition | undefined): object[] | null {
  if (when === undefined) return [];
  const rows = (when.all ?? [when]).map((condition) => {
    const { in: part = "body", path, ignoreCase, ...rest } = condition;
    const [operator, value] = Object.entries(rest).find(([name]) => isComparison(name)) ?? [];
    if (path === undefined || ignoreCase !== undefined || operator === undefined) return null;
    return { path, in: part, operator, value: JSON.stringify(value) };
  });
  return rows.every((row) => row !== null) ? rows : null;
}

/** Tells whether this is the name of a comparison. */
export const isComparison = (name: string): name is Comparison => Object.hasOwn(COMPARISONS, name);

/** Returns the route that was typed, as the API has it; what no control shows stays as it is stored. */
export function typedRoute(values: Values, stored: Route, mapping: object): JsonObject {
  const { when: _, key: known, onEvent: __, mapping: ___, validation, ...kept } = stored;
  const rows = [values[CONDITIONS] ?? []].flat().filter(isObject).map(comparisonOf);
  const all = [...rows, ...[values["route.when"] ?? []].flat()];
  const key = typeof values["route.key"] === "string" ? values["route.key"] : undefined;
  const isSame = known !== undefined && "path" in known && known.path === key;
  const { quietSeconds, maxWaitSeconds, ...rest } = kept;
  const mode = values["route.onEvent"];
  return JSON.parse(
    JSON.stringify({
      ...rest,
      ...(validation !== undefined && { validation }),
      ...(mode === "collect" && { quietSeconds, maxWaitSeconds }),
      name: values["route.name"],
      workflowId: values["route.workflowId"],
      when: all.length > 1 ? { all } : all[0],
      ...(key !== undefined && {
        key: isSame ? known : key.includes("{{") ? { template: key } : { path: key },
        onEvent: mode,
      }),
      mapping,
    }),
  );
}

function comparisonOf({ path = "", in: part, operator, value = "" }: JsonObject): JsonObject {
  const name = String(operator);
  return {
    ...(part !== "body" && part !== undefined && { in: part }),
    path,
    [name]: typedValue(name, String(value).trim()),
  };
}

/** A text without quotes is a text, unless the comparison needs another value. */
function typedValue(operator: string, text: string): Json {
  if (operator === "exists") return text !== "false";
  const read = readJson(text);
  if (operator === "oneOf" && !read.ok) return text.split(",").map((one) => one.trim());
  if (operator === "matches" && typeof (read.ok && read.value) !== "string") return text;
  return read.ok ? read.value : text;
}
