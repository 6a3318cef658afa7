import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
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
