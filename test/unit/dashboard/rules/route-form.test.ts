import { expect, it } from "vitest";
import * as z from "zod";
import { mappingBody } from "../../../../src/contract/webhooks/mapping.ts";
import { shownForm, typedValues } from "../../../../src/dashboard/forms/form.ts";
import {
  type Route,
  routeFields,
  shownRoute,
  typedRoute,
} from "../../../../src/dashboard/pages/rules/rules-form.ts";

const mapping = mappingBody.parse({});
const PLAIN: Route = { name: "a", workflowId: "wf_1", mapping };

/** Returns a route as its form sends it that nobody has changed. */
function unchanged(route: Route) {
  const form = { schema: z.unknown(), fields: routeFields([], 1) };
  const workflow = { ...form.fields, "route.workflowId": { kind: "line" as const, label: "" } };
  const state = shownForm({ ...form, fields: workflow }, shownRoute(route, 0));
  return typedRoute(typedValues(state), route, route.mapping);
}

it.each<[string, Partial<Route>]>([
  ["no condition", {}],
  ["a text", { when: { path: "action", equals: "opened" } }],
  ["a text that reads as a number", { when: { path: "action", equals: "7" } }],
  ["a missing header", { when: { in: "header", path: "x-a", exists: false } }],
  ["a list", { when: { path: "a", oneOf: ["b", 1, null] } }],
  [
    "several comparisons",
    {
      when: {
        all: [
          { path: "a", gt: 1 },
          { path: "b", matches: "^c" },
        ],
      },
    },
  ],
  ["a pattern in any case", { when: { path: "a", matches: "b", ignoreCase: true } }],
  ["alternatives", { when: { any: [{ path: "a", exists: true }, { jsonata: "b" }] } }],
  ["a key of a header", { key: { in: "header", path: "x-a" }, onEvent: "message" }],
  [
    "a template and times",
    { key: { template: "{{body.a}}" }, onEvent: "collect", quietSeconds: 5 },
  ],
  ["rules of its own", { validation: { required: ["a"], types: {}, schema: null } }],
])("a route with %s is unchanged by its form", (_, more) => {
  const route = { ...PLAIN, ...more };
  expect(unchanged(route)).toEqual(JSON.parse(JSON.stringify(route)));
});
