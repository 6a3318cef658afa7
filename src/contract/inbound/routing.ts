import * as z from "zod";
import { closed } from "../fields.ts";
import { type Json, json } from "../json.ts";
import { workflowDefinition, workflowId } from "../workflow.ts";
import { mapping, mappingBody } from "./mapping.ts";
import { routeRules, routeRulesBody } from "./validation.ts";

const MAX_ROUTES = 20;

/** A condition over a request: a comparison of one value, a combination, or a JSONata expression. */
export interface Condition {
  in?: "body" | "header" | "query" | undefined;
  path?: string | undefined;
  exists?: boolean | undefined;
  equals?: Json | undefined;
  oneOf?: Json[] | undefined;
  matches?: string | undefined;
  gt?: number | string | undefined;
  gte?: number | string | undefined;
  lt?: number | string | undefined;
  lte?: number | string | undefined;
  all?: Condition[] | undefined;
  any?: Condition[] | undefined;
  not?: Condition | undefined;
  jsonata?: string | undefined;
}

export const OPERATORS = [
  "exists",
  "equals",
  "oneOf",
  "matches",
  "gt",
  "gte",
  "lt",
  "lte",
] as const;
const FORMS = ["path", "all", "any", "not", "jsonata"] as const;

const part = z
  .enum(["body", "header", "query"])
  .optional()
  .describe("The part of the request that `path` reads: `body` (default), `header` or `query`.");
const bound = z.union([z.number(), z.string().min(1).max(100)]).optional();
const BOUND = "a number, or a time in ISO 8601";

/** Keeps to one form, so that no part of a condition is silently ignored. */
export const condition: z.ZodType<Condition> = z.lazy(() =>
  closed({
    in: part,
    path: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe("A path in the payload, or the name of a header or a query parameter."),
    exists: z.boolean().optional().describe("Whether there is a value."),
    equals: json.optional().describe("The value is this one."),
    oneOf: z.array(json).min(1).max(200).optional().describe("The value is one of these."),
    matches: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe("The value is a text in which this pattern (RE2) matches."),
    gt: bound.describe(`The value is greater than this: ${BOUND}.`),
    gte: bound.describe(`The value is at least this: ${BOUND}.`),
    lt: bound.describe(`The value is less than this: ${BOUND}.`),
    lte: bound.describe(`The value is at most this: ${BOUND}.`),
    all: z.array(condition).min(1).max(50).optional().describe("All of these hold."),
    any: z.array(condition).min(1).max(50).optional().describe("At least one of these holds."),
    not: condition.optional().describe("This does not hold."),
    jsonata: z
      .string()
      .min(1)
      .max(5_000)
      .optional()
      .describe(
        "A JSONata expression whose result counts as true or false as `$boolean` says. `$` is the payload, `$headers` the headers by their names in lower case, `$query` the query.",
      ),
  })
    .superRefine((given, context) => {
      const message = formFault(given);
      if (message !== null) context.addIssue({ code: "custom", message });
    })
    .meta({
      id: "Condition",
      description:
        "A condition over a request: `path` with one operator, `all`, `any`, `not` or `jsonata`.",
    }),
);

function formFault(given: Condition): string | null {
  const forms = FORMS.filter((name) => given[name] !== undefined);
  const operators = OPERATORS.filter((name) => given[name] !== undefined);
  if (forms.length !== 1) return `must have exactly one of ${FORMS.join(", ")}`;
  if (given.path !== undefined) {
    return operators.length === 1 ? null : `must have exactly one of ${OPERATORS.join(", ")}`;
  }
  return operators.length === 0 && given.in === undefined
    ? null
    : `must have no operator beside ${forms[0]}`;
}

const routeName = z
  .string()
  .min(1)
  .max(100)
  .describe("The name of the route, unique within the endpoint.");
const when = condition
  .optional()
  .describe("The condition of the route. Without one, every request matches.");
const WORKFLOW = "The workflow that the route starts.";

const routeBody = closed({
  name: routeName,
  when,
  workflowId: workflowId.describe(WORKFLOW),
  mapping: mappingBody.prefault({}),
  validation: routeRulesBody
    .optional()
    .describe("Rules for the payloads of this route, besides those of the endpoint."),
});

/** `routing` in a body. */
export const routingBody = closed({
  routes: z
    .array(routeBody)
    .min(1)
    .max(MAX_ROUTES)
    .refine(
      (routes) => new Set(routes.map(({ name }) => name)).size === routes.length,
      "must not have two routes of one name",
    )
    .describe("The routes, in order. Every route that matches a request starts an execution."),
}).meta({
  id: "RoutingDraft",
  description: "The routes from requests to workflows, in place of `workflowId`.",
});
export type RoutingBody = z.infer<typeof routingBody>;

/** A route as it is stored, without its workflow. */
const storedRoute = z.object({
  name: z.string(),
  when: condition.nullable(),
  workflowId,
  mapping,
  validation: routeRules.nullable(),
});

export const storedRouting = z.object({ routes: z.array(storedRoute) });
export type StoredRouting = z.infer<typeof storedRouting>;

/** A route with its workflow, as an endpoint's configuration carries it; null if the workflow is deleted. */
const route = storedRoute.extend({ workflow: workflowDefinition.nullable() });
export type Route = z.infer<typeof route>;

export const routing = z.object({ routes: z.array(route) });
export type Routing = z.infer<typeof routing>;

/** The routes of an endpoint as the API shows them. */
export const shownRouting = z
  .object({
    routes: z
      .array(
        z
          .object({
            name: routeName,
            when,
            workflowId: workflowId.describe(WORKFLOW),
            mapping: mapping.describe("How payloads map to the workflow's inputs."),
            validation: routeRules.optional().describe("The rules of this route."),
          })
          .meta({ id: "Route" }),
      )
      .describe("The routes, in order."),
  })
  .meta({ id: "Routing", description: "The routes from requests to workflows." });

/** A route's decision about a request, as the log stores it. */
export const routeMatch = z.object({
  name: z.string(),
  matched: z.boolean(),
  reason: z.string(),
  key: z.string().nullable(),
});
export type RouteMatch = z.infer<typeof routeMatch>;
