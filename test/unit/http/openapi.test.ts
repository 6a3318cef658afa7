import * as JsonSchema from "@cfworker/json-schema";
import { expect, it } from "vitest";
import * as z from "zod";
import { PROBLEMS } from "../../../src/contract/problem.ts";
import { hookRoutes } from "../../../src/http/hooks.ts";
import { apiDocument, routes as mounted } from "../../../src/http/routes.ts";

const document = JSON.parse(JSON.stringify(apiDocument()));

/** Webhooks are described like a route, and served apart. */
const routes = [...hookRoutes, ...mounted];

const response = z.object({
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), z.looseObject({})).default({}),
});
const referred = z.object({ $ref: z.string() });
const operation = z.looseObject({
  security: z.array(z.unknown()),
  parameters: z.array(z.looseObject({ name: z.string() })).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({})) }).optional(),
  responses: z.record(z.string(), z.union([referred, response])),
});
const { paths, components } = z
  .looseObject({
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.looseObject({ responses: z.record(z.string(), response) }),
  })
  .parse(document);

it("describes exactly the existing routes", () => {
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
  expect(described.sort()).toEqual(served.sort());
});

it("states the key, errors, limit and examples of each operation", () => {
  const resolved = (answer: z.infer<typeof response> | z.infer<typeof referred> | undefined) =>
    answer && "$ref" in answer ? components.responses[answer.$ref.split("/").at(-1) ?? ""] : answer;
  for (const { method, path, auth, problems, body } of routes) {
    const found = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    expect(found?.security.length).toBe({ public: 0, key: 1, admin: 1, sender: 2 }[auth.kind]);
    for (const code of [...problems, "internal_error" as const]) {
      const answer = resolved(found?.responses[String(PROBLEMS[code].status)]);
      expect(answer?.content["application/problem+json"]?.examples).toHaveProperty(code);
      const isCounted = auth.kind === "key" && code !== "unauthorized";
      expect("RateLimit" in (answer?.headers ?? {})).toBe(isCounted);
    }
    for (const content of Object.values(found?.requestBody?.content ?? {})) {
      expect(content.example).toEqual(body.content?.example);
    }
  }
});

it("promises no rate to a caller who is refused before their key is read", () => {
  const { headers } = document.components;
  expect(headers.RateLimit.required).not.toBe(true);
  expect(headers["RateLimit-Policy"].required).not.toBe(true);
  expect(headers["X-Request-Id"].required).toBe(true);
});

const WORKFLOW = `wf_${"0".repeat(20)}`;
const RULES: [schema: string, right: object, wrong: object][] = [
  ["Message", { message: "Go on." }, { mode: "next_step" }],
  ["Decide", { answer: "2026" }, { answer: "2026", decision: "approve" }],
  ["DecisionRecipient", { email: "a@example.com" }, { destinationId: "dst_1", requireCode: true }],
  ["CreateSchedule", { workflowId: WORKFLOW, cron: "0 7 * * *" }, { workflowId: WORKFLOW }],
  ["UpdateSchedule", { everySeconds: 60 }, { everySeconds: 60, cron: "0 7 * * *" }],
  ["UpdateWorkflow", { name: "x" }, {}],
  ["TestRequest", { payload: 1 }, { payload: 1, body: "1" }],
  ["Rehearse", { last: 3 }, { last: 3, requestIds: [`req_${"0".repeat(32)}`] }],
  ["Limits", { creditsPerDay: 5 }, { onExceeded: "hold" }],
  ["SignatureAdvice", { causes: [], change: null }, { causes: [], change: { secret: null } }],
  ["DescribeModel", { name: "m" }, { name: "m", inputPrice: 1 }],
];

it.each(RULES)("states the rules between the fields of %s", (name, right, wrong) => {
  const schema = { components: document.components, $ref: `#/components/schemas/${name}` };
  const validator = new JsonSchema.Validator(schema, "2020-12");
  expect(validator.validate(right).errors).toEqual([]);
  expect(validator.validate(wrong).valid).toBe(false);
});

it("states the default of an optional field in words, as type generators read the keyword as required", () => {
  const { maxSteps } = document.components.schemas.Trigger.properties;
  expect(maxSteps.default).toBeUndefined();
  expect(maxSteps.description).toContain("Default: `30`.");
});
