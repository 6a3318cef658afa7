import { execFile } from "node:child_process";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Ruleset, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { expect, it } from "vitest";
import * as z from "zod";
import { apiDocument } from "../../src/http/routes.ts";
import { folderUntilEnd } from "../support/until-end.ts";

const run = promisify(execFile);

const document = JSON.stringify(apiDocument());
const folder = await folderUntilEnd();
const file = join(folder, "openapi.json");
await writeFile(file, document);

const report = z.object({
  problems: z.array(z.object({ ruleId: z.string(), message: z.string(), location: z.unknown() })),
});

it("passes Redocly's strict rules without an error or a warning", async () => {
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
  const findings = await spectral.run(document);
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
