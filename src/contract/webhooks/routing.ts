import * as z from "zod";
import { closed, distinct, listOf, oneOf, open, textUpTo, whole } from "../fields.ts";
import { json } from "../json.ts";
import { workflowDefinition, workflowId } from "../workflow.ts";
import { mapping, mappingBody } from "./mapping.ts";
import { routeRules, routeRulesBody } from "./validation.ts";

/** The most routes of an endpoint. */
export const MAX_ROUTES = 20;
const DEFAULT_QUIET_SECONDS = 10;
const DEFAULT_MAX_WAIT_SECONDS = 300;

const OPERATORS = ["exists", "equals", "oneOf", "matches", "gt", "gte", "lt", "lte"] as const;
const FORMS = ["path", "all", "any", "not", "jsonata"] as const;

const part = oneOf("body", "header", "query")
  .optional()
  .describe("The part of the request that `path` reads: `body` (default), `header` or `query`.");
const bound = z.union([z.number(), textUpTo(100)]).optional();
const BOUND = "a number, or a time in ISO 8601 with an offset";

/** A comparison of one value, a combination, or an expression. Keeps to one form, so that no part is ignored. */
export const condition = closed({
  in: part,
  path: textUpTo(500)
    .optional()
    .describe("A path in the payload, or the name of a header or a query parameter."),
  exists: z.boolean().optional().describe("Whether there is a value."),
  equals: json.optional().describe("The value is this one."),
  oneOf: listOf(json, 200, 1).optional().describe("The value is one of these."),
  matches: textUpTo(1_000)
    .optional()
    .describe(
      "The value is a text in which this regular expression matches anywhere; `^` and `$` anchor it. The syntax is JavaScript's with the flag `u`, without look-around and back-references, so that every pattern runs in linear time.",
    ),
  ignoreCase: z.boolean().optional().describe("Whether `matches` ignores case."),
  gt: bound.describe(`The value is greater than this: ${BOUND}.`),
  gte: bound.describe(`The value is at least this: ${BOUND}.`),
  lt: bound.describe(`The value is less than this: ${BOUND}.`),
  lte: bound.describe(`The value is at most this: ${BOUND}.`),
  get all() {
    return listOf(condition, 50, 1).optional().describe("All of these hold.");
  },
  get any() {
    return listOf(condition, 50, 1).optional().describe("At least one of these holds.");
  },
  get not() {
    return condition.optional().describe("This does not hold.");
  },
  jsonata: textUpTo(5_000)
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
    description: "`path` with one operator, or `all`, `any`, `not` or `jsonata`.",
  });
export type Condition = z.infer<typeof condition>;

function formFault(given: Condition): string | null {
  const forms = FORMS.filter((name) => given[name] !== undefined);
  const operators = OPERATORS.filter((name) => given[name] !== undefined);
  if (forms.length !== 1) return `must have exactly one of ${FORMS.join(", ")}`;
  if (given.ignoreCase !== undefined && given.matches === undefined) {
    return "must have `matches` beside `ignoreCase`";
  }
  if (given.path !== undefined) {
    return operators.length === 1 ? null : `must have exactly one of ${OPERATORS.join(", ")}`;
  }
  return operators.length === 0 && given.in === undefined
    ? null
    : `must have no operator beside ${forms[0]}`;
}

const keyPath = closed({
  in: part,
  path: textUpTo(500).describe("Where the value of the key is."),
});
const keyTemplate = closed({
  template: textUpTo(1_000).describe("Several values: `{{body.number}}/{{header.X-Id}}`."),
});
const routeKey = z
  .union([keyPath, keyTemplate])
  .describe("What the requests of a case share. A request without a value belongs to no case.");
export type RouteKey = z.infer<typeof routeKey>;

export const onEvent = oneOf("queue", "message", "collect", "replace").describe(
  "What the service does with an event of a case whose execution is live. `queue`: starts another execution afterwards. `message`: gives the event to the live execution at its next step, as untrusted data. `collect`: gathers events, then starts one execution with all of them as the input `events`. `replace`: stops the live execution and starts another with the newest event.",
);
const quietSeconds = whole(1, 3_600).describe("`collect`: seconds without an event. Default: 10.");
const maxWaitSeconds = whole(1, 86_400).describe(
  "`collect`: the longest time in seconds. Default: 300, or `quietSeconds` if that is more.",
);
const wake = oneOf("all", "one").describe(
  "Which of the executions that wait for an event of the route it wakes: `all`, or `one`, the one that waits longest. Default: `all`.",
);

const routeName = textUpTo(100).describe("Its name, unique within the endpoint.");
const when = condition.optional().describe("The condition. Without one, every request matches.");
const WORKFLOW = "The workflow that the route starts.";

/** A route in a body. */
export const routeBody = closed({
  name: routeName,
  when,
  workflowId: workflowId.describe(WORKFLOW),
  mapping: mappingBody.prefault({}),
  validation: routeRulesBody.optional().describe("Rules of this route, beside the endpoint's."),
  key: routeKey.optional(),
  onEvent: onEvent.optional(),
  quietSeconds: quietSeconds.optional(),
  maxWaitSeconds: maxWaitSeconds.optional(),
  wake: wake.optional(),
}).superRefine((route, context) => {
  const { key, onEvent: mode, quietSeconds: quiet, maxWaitSeconds: longest } = route;
  const fault = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (key === undefined && mode !== undefined) fault("onEvent", "needs a `key`");
  if (mode === "collect") {
    const shortest = quiet ?? DEFAULT_QUIET_SECONDS;
    if (longest !== undefined && longest < shortest) {
      fault("maxWaitSeconds", `must be at least \`quietSeconds\`, which is ${shortest}`);
    }
    return;
  }
  if (quiet !== undefined) fault("quietSeconds", 'needs `onEvent: "collect"`');
  if (longest !== undefined) fault("maxWaitSeconds", 'needs `onEvent: "collect"`');
});

/** `routing` in a body. */
export const routingBody = closed({
  routes: distinct(listOf(routeBody, MAX_ROUTES, 1), "a route", ({ name }) => name).describe(
    "The routes, in order. Every route that matches a request starts an execution.",
  ),
}).meta({
  id: "RoutingDraft",
  description: "The routes from requests to workflows, in place of `workflowId`.",
});

/** How a case gathers or queues its events. */
export const caseRule = open({ onEvent, quietSeconds: z.int(), maxWaitSeconds: z.int() });
export type CaseRule = z.infer<typeof caseRule>;

/** Returns the settings of a case that a body describes. */
export function caseRuleOf(
  body: Partial<Record<"quietSeconds" | "maxWaitSeconds", number | undefined>> & {
    onEvent?: z.infer<typeof onEvent> | undefined;
  },
): CaseRule {
  const quiet = body.quietSeconds ?? DEFAULT_QUIET_SECONDS;
  return {
    onEvent: body.onEvent ?? "queue",
    quietSeconds: quiet,
    maxWaitSeconds: body.maxWaitSeconds ?? Math.max(quiet, DEFAULT_MAX_WAIT_SECONDS),
  };
}

/** A route as it is stored, without its workflow. */
const storedRoute = open({
  name: z.string(),
  when: condition.nullable(),
  workflowId,
  mapping,
  validation: routeRules.nullable(),
  key: routeKey.nullable().default(null),
  rule: caseRule.default(caseRuleOf({})),
  wake: wake.optional(),
});

export const storedRouting = open({ routes: listOf(storedRoute) });
export type StoredRouting = z.infer<typeof storedRouting>;

/** A route with its workflow, as an endpoint's configuration carries it; null if the workflow is deleted. */
const route = storedRoute.extend({ workflow: workflowDefinition.nullable() });
export type Route = z.infer<typeof route>;

export const routing = open({ routes: listOf(route) });
export type Routing = z.infer<typeof routing>;

/** The routes of an endpoint as the API shows them. */
export const shownRouting = open({
  routes: listOf(
    open({
      ...routeBody.shape,
      mapping: mapping.describe("How payloads map to the workflow's inputs."),
      validation: routeRules.optional().describe("The rules of this route."),
    }).meta({ id: "Route" }),
  ).describe("The routes, in order."),
}).meta({ id: "Routing", description: "The routes from requests to workflows." });

/** A route's decision about a request. */
export const matchFields = {
  name: z.string().describe("The name of the route."),
  matched: z.boolean().describe("Whether the route matched the request."),
  reason: z.string().describe("Why the route matched, or why it did not."),
  key: z.string().nullable().describe("The key of the request's case, or null."),
};

/** The same as the log stores it. */
export const routeMatch = open({
  ...matchFields,
  workflowRevision: z.int().nullable().default(null),
});
export type RouteMatch = z.infer<typeof routeMatch>;
