import { execFile } from "node:child_process";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import * as JsonSchema from "@cfworker/json-schema";
import { Ruleset, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { expect, it } from "vitest";
import * as z from "zod";
import { PROBLEMS } from "../../../src/contract/problem.ts";
import { hookRoutes } from "../../../src/http/hooks.ts";
import { apiDocument, routes as mounted } from "../../../src/http/routes.ts";
import { folderUntilEnd } from "../../support/until-end.ts";

const run = promisify(execFile);

const folder = await folderUntilEnd();

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
  .parse(JSON.parse(JSON.stringify(apiDocument())));

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

it("gives integer and id parameters their types", () => {
  const parameter = (path: string, name: string) =>
    paths[path]?.get?.parameters.find((each) => each.name === name);
  expect(parameter("/api/v1/agent/trigger/list", "limit")).toMatchObject({
    in: "query",
    schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
  });
  expect(parameter("/api/v1/agent/trigger/{executionId}/status", "executionId")).toMatchObject({
    in: "path",
    required: true,
    schema: { type: "string", format: "uuid" },
  });
});

it("promises no rate to a caller who is refused before their key is read", () => {
  const { components } = JSON.parse(JSON.stringify(apiDocument()));
  expect(components.headers.RateLimit.required).not.toBe(true);
  expect(components.headers["RateLimit-Policy"].required).not.toBe(true);
  expect(components.headers["X-Request-Id"].required).toBe(true);
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
  const { components } = JSON.parse(JSON.stringify(apiDocument()));
  const schema = { components, $ref: `#/components/schemas/${name}` };
  const validator = new JsonSchema.Validator(schema, "2020-12");
  expect(validator.validate(right).errors).toEqual([]);
  expect(validator.validate(wrong).valid).toBe(false);
});

it("states the default of an optional field in words, as type generators read the keyword as required", () => {
  const { components } = JSON.parse(JSON.stringify(apiDocument()));
  const { maxSteps } = components.schemas.Trigger.properties;
  expect(maxSteps.default).toBeUndefined();
  expect(maxSteps.description).toContain("Default: `30`.");
});

const report = z.object({
  problems: z.array(z.object({ ruleId: z.string(), message: z.string(), location: z.unknown() })),
});

it("passes Redocly's strict rules without an error or a warning", async () => {
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(apiDocument()));
  const options = ["--config=test/support/redocly.yaml", "--format=json", "--max-problems=1000"];
  // With problems it ends with a code other than 0; what they are is in what it has written.
  const { stdout } = await run(
    process.execPath,
    ["node_modules/@redocly/cli/bin/cli.js", "lint", file, ...options],
    { env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
  ).catch((failed: { stdout: string }) => failed);
  expect(report.parse(JSON.parse(stdout)).problems).toEqual([]);
});

it("passes Spectral's rules for OpenAPI without a finding", async () => {
  const spectral = new Spectral();
  // Redocly's rules above read the examples and find unused components, in a quarter of the time; and this
  // one takes the `required` of a workflow's inputs in an example for that of a schema.
  const rules = {
    "oas3-unused-component": "off",
    "oas3-valid-media-example": "off",
    "oas3-valid-schema-example": "off",
  } as const;
  spectral.setRuleset(new Ruleset({ extends: [oas], rules }));
  const findings = await spectral.run(JSON.stringify(apiDocument()));
  expect(findings.map(({ code, message, path }) => [code, message, path.join(".")])).toEqual([]);
});

const CONSUMER = `
import type { components } from "./api";

type Trigger = components["schemas"]["Trigger"];
export const least: Trigger = { prompt: "List the prices." };
// @ts-expect-error A prompt is text.
export const wrong: Trigger = { prompt: 1 };

export function creditsOf(result: components["schemas"]["ExecutionResult"]): number {
  return result.status === "completed" ? result.creditsConsumed : 0;
}
`;

it("converts to TypeScript types with the defaults of openapi-typescript", async () => {
  // It needs the API of TypeScript 5, which a consumer has under the usual name. Another tool here has it.
  const modules = join(folder, "node_modules");
  await mkdir(modules);
  for (const name of await readdir("node_modules")) {
    if (name === "typescript" || name === "@types") continue;
    await symlink(resolve("node_modules", name), join(modules, name));
  }
  const typescript5 = resolve("node_modules/@arethetypeswrong/core/node_modules/typescript");
  await symlink(typescript5, join(modules, "typescript"));
  const node = (...args: string[]) =>
    run(process.execPath, ["--preserve-symlinks", "--preserve-symlinks-main", ...args], {
      cwd: folder,
    });
  await writeFile(join(folder, "openapi.json"), JSON.stringify(apiDocument()));
  await writeFile(join(folder, "consumer.ts"), CONSUMER);
  await node("node_modules/openapi-typescript/bin/cli.js", "openapi.json", "-o", "api.d.ts");
  const { stdout } = await node(
    "node_modules/typescript/bin/tsc",
    "--noEmit",
    "--strict",
    "--lib",
    "es2023",
    "consumer.ts",
  ).catch((failed: { stdout: string }) => failed);
  expect(stdout).toBe("");
});
