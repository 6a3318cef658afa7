import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as JsonSchema from "@cfworker/json-schema";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { apiDocument } from "../../../src/http/routes.ts";

const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openapi-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

it("writes a valid OpenAPI 3.1 document", async () => {
  const document = structuredClone({ ...apiDocument() });
  const result = await new Validator().validate(document);
  expect(result).toEqual({ valid: true });
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
  ["DescribeModel", { name: "m" }, { name: "m", inputPrice: 1 }],
];

it.each(RULES)("states the rules between the fields of %s", (name, right, wrong) => {
  const { components } = JSON.parse(JSON.stringify(apiDocument()));
  const schema = { components, $ref: `#/components/schemas/${name}` };
  const validator = new JsonSchema.Validator(schema, "2020-12");
  expect(validator.validate(right).errors).toEqual([]);
  expect(validator.validate(wrong).valid).toBe(false);
});

it("says the default of an optional field in words, as generators of types take the keyword for required", () => {
  const { components } = JSON.parse(JSON.stringify(apiDocument()));
  const { maxSteps } = components.schemas.Trigger.properties;
  expect(maxSteps.default).toBeUndefined();
  expect(maxSteps.description).toContain("Default: `30`.");
});

const report = z.object({
  problems: z.array(z.object({ ruleId: z.string(), message: z.string(), location: z.unknown() })),
});

it("passes a strict linter without an error or a warning", async () => {
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
