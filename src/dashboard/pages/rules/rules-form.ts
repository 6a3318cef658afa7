import * as z from "zod";
import type { Json, JsonObject } from "../../../contract/json.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { mappingBody } from "../../../contract/webhooks/mapping.ts";
import { type Condition, routeBody } from "../../../contract/webhooks/routing.ts";
import {
  DEFAULT_MAX_BYTES,
  payloadType,
  validationBody,
} from "../../../contract/webhooks/validation.ts";
import type { WorkflowInput, WorkflowRecord } from "../../../contract/workflow.ts";
import { isObject } from "../../../lib/json-values.ts";
import type { Faults } from "../../forms/errors.ts";
import {
  type Fields,
  type Form,
  field,
  optionsOf,
  readJson,
  type Values,
} from "../../forms/form.ts";
import { namesOf } from "../../lookups.ts";

/** The name of the list of fields, which is its path in the API's errors. */
const FIELDS = "mapping.fields";

const rules = z.object({
  validation: validationBody,
  mapping: mappingBody,
  /** The route that has the mapping, on an endpoint with routes. */
  route: routeBody.optional(),
});
export type Rules = z.output<typeof rules>;

/** A stored route, and the controls that change it. */
export interface EditedRoute {
  stored: Route;
  fields: Fields;
}

/**
 * Returns the form of an endpoint's validation and mapping, to these inputs where they are known, and of the
 * route that has the mapping. What no control shows stays as it is saved.
 */
export function rulesForm(
  inputs: readonly WorkflowInput[],
  saved: Pick<Rules, "validation" | "mapping">,
  route: EditedRoute | null = null,
): Form<typeof rules> {
  const names = inputs.map(({ name }) => name);
  return {
    schema: rules,
    fields: {
      ...route?.fields,
      [FIELDS]: {
        kind: "rows",
        label: "Mapped values",
        hint: "The path of a value in the request, and the input that it goes to.",
        one: "value",
        keepsBlank: true,
        fields: {
          from: field.line("Path or name", { more: { spellcheck: "false" } }),
          in: field.select("From", REQUEST_PARTS),
          to: names.length === 0 ? field.line("Input") : field.select("Input", optionsOf(names)),
          default: field.json("Default", {
            hint: "JSON that is used if there is no value.",
            more: { rows: 1 },
          }),
          transforms: field.json("Transforms", {
            hint: 'Such as [{"type": "trim"}, {"type": "number"}], in order.',
            more: { rows: 1 },
          }),
        },
      },
      "mapping.auto": field.check("Find other inputs by their names", {
        hint: "At any depth of the payload, in upper or lower case.",
      }),
      "validation.required": field.lines("Required paths", {
        hint: "One per line.",
        more: { rows: 3 },
      }),
      "validation.types": field.json("Types", {
        hint: `By paths, such as {"order.total": "number"}: ${payloadType.options.join(", ")}.`,
        more: { rows: 3 },
      }),
      "validation.schema": field.json("JSON Schema", {
        hint: "Draft 2020-12. Leave empty for none.",
        more: { rows: 10 },
      }),
      "validation.maxBytes": field.number("Maximum body size (bytes)"),
    },
    assemble(values) {
      const mapping = { ...saved.mapping, ...mappingOf(values) };
      return {
        validation: {
          ...saved.validation,
          required: values["validation.required"] ?? [],
          types: values["validation.types"] ?? {},
          schema: values["validation.schema"] ?? null,
          maxBytes: values["validation.maxBytes"] ?? DEFAULT_MAX_BYTES,
        },
        mapping,
        ...(route !== null && { route: typedRoute(values, route.stored, mapping) }),
      };
    },
  };
}

/** Returns the mapping that was typed, as the API has it. */
export function mappingOf(values: Values): { auto: boolean; fields: JsonObject[] } {
  const rows = [values[FIELDS] ?? []].flat().filter(isObject);
  return {
    auto: values["mapping.auto"] === true,
    fields: rows.map(({ in: part, from = null, ...row }) => ({
      ...row,
      ...(part !== "body" && part !== undefined && { in: part }),
      from,
    })),
  };
}

/** Moves the API's faults of a route and its mapping to the controls of the form. */
export function atControls(faults: Faults): Faults {
  const placed = [...faults].map(([path, text]): [string, string] => [
    path
      .replace(/^routing\.routes\[\d+\]/, "route")
      .replace(/^route\.(?=mapping)/, "")
      .replace(/^route\.when.*/, CONDITIONS)
      .replace(/^route\.key.*/, "route.key"),
    text,
  ]);
  return new Map(placed);
}

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
const REQUEST_PARTS = { body: "payload", header: "header", query: "query" };

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
    "route.name": field.line("Route", { required: true }),
    "route.workflowId": field.select("Workflow", options),
    "route.position": field.select("Position", Object.fromEntries(positions)),
    [CONDITIONS]: {
      kind: "rows",
      label: "Matches requests where all of these hold",
      hint: "Click a value of the request to add it. Without a condition, every request matches.",
      one: "condition",
      fields: {
        path: field.line("Path or name", { more: { spellcheck: "false" } }),
        in: field.select("In", REQUEST_PARTS),
        operator: field.select("Comparison", COMPARISONS),
        value: field.line("Value"),
      },
    },
    "route.when": field.json("Further condition", {
      hint: 'As the API has it, for any, not and jsonata: {"any": [{"path": "a", "exists": true}]}.',
      more: { rows: 2 },
    }),
    "route.key": field.line("Case key", {
      hint: "At most one execution is live for each value: issue.number, or {{body.repo.id}}/{{body.number}}.",
    }),
    "route.onEvent": field.select("Further events of a live case", ON_EVENT_LABELS),
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
