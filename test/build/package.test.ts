import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/local/project.ts";
import { buildPackage } from "../../scripts/package/build.ts";
import { answer, startScript } from "../support/scripted-service.ts";
import { CREDITS } from "../support/states.ts";

const execute = promisify(execFile);
const KIB = 1_024;
/** What a page loads that has no bundler. */
const MAX_CLIENT_KIB = 96;

/** A project of somebody's, with the package installed as npm has packed it, and with no network. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "prompthook-consumer-"));
  const built = join(project, "built");
  await buildPackage(built);
  await writeFile(join(project, "package.json"), '{"private": true, "type": "module"}');
  await run("npm", ["pack", built]);
  const archive = (await readdir(project)).find((name) => name.endsWith(".tgz"));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${archive}`]);
});
afterAll(() => rm(project, { recursive: true }));

const run = (program: string, args: string[]) => execute(program, args, { cwd: project });

test("brings nothing else with it", async () => {
  const installed = await readdir(join(project, "node_modules"));
  expect(installed.filter((name) => !name.startsWith("."))).toEqual(["prompthook"]);
  const client = await readFile(join(project, "node_modules/prompthook/client.js"), "utf8");
  expect(client).not.toMatch(/^\s*import\b|\brequire\(|\bimport\(|\bprocess\./m);
  const size = gzipSync(client).length;
  console.info(`The client has ${Math.round(size / KIB)} KiB, compressed and not minified.`);
  expect(size).toBeLessThan(MAX_CLIENT_KIB * KIB);
});

test("tells how it is used, with nothing that leads out of it", async () => {
  const readme = await readFile(join(project, "node_modules/prompthook/README.md"), "utf8");
  expect(readme).toContain('from "prompthook/client"');
  expect(readme).toContain("prompthook --help");
  expect(readme.match(/\]\((?!https:)[^)]*\)/g)).toBeNull();
});

test("names whose work it contains", async () => {
  const licenses = await readFile(join(project, "node_modules/prompthook/LICENSES.txt"), "utf8");
  expect(licenses).toContain("zod\n\nMIT License");
  expect(licenses).toContain("eventsource-parser\n\nMIT License");
});

describe("its types", () => {
  const settings = [
    ["nodenext", ["--module", "nodenext"]],
    ["bundler", ["--module", "esnext", "--moduleResolution", "bundler"]],
  ] as const;

  test.each(settings)("are whole and strict for %s", async (_, flags) => {
    await copyFile(join(ROOT, "test/build/consumer/use.ts"), join(project, "use.ts"));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
    const lib = ["--noEmit", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"];
    const { stdout } = await run(process.execPath, [tsc, ...lib, ...strict, ...flags, "use.ts"]);
    expect(stdout).toBe("");
  });
});

test("works in a plain script", async () => {
  const service = await startScript(answer(CREDITS));
  const script = `
    import { Prompthook } from "prompthook/client";
    const client = new Prompthook({ baseUrl: ${JSON.stringify(service.url)}, apiKey: "ph_live_x" });
    console.log((await client.credits()).availableCredits);
  `;
  await writeFile(join(project, "script.mjs"), script);
  const { stdout } = await run(process.execPath, ["script.mjs"]);
  await service.close();
  expect(stdout).toBe(`${CREDITS.availableCredits}\n`);
});

test("has a program", async () => {
  const { stdout } = await run("npx", ["--no-install", "prompthook", "--version"]);
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(stdout).toBe(`${version}\n`);
});
