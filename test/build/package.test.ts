import { execFile } from "node:child_process";
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/local/project.ts";
import { buildPackage } from "../../scripts/package/build.ts";
import { answer, startScript } from "../support/scripted-service.ts";
import { CREDITS } from "../support/states.ts";
import { folderUntilEnd } from "../support/until-end.ts";

const execute = promisify(execFile);
const KIB = 1_024;
/** What importing one thing costs a page, minified. */
const MAX_KIB = [
  ["prompthook", "Prompthook", 30],
  ["prompthook/verify", "verifyCallback", 8],
] as const;

/** A project of somebody's, with the package installed as npm has packed it, and with no network. */
const project = await folderUntilEnd();
/** The package as npm has packed it. */
let archive: string;

beforeAll(async () => {
  const built = join(project, "built");
  await buildPackage(built);
  await writeFile(join(project, "package.json"), '{"private": true, "type": "module"}');
  await run("npm", ["pack", built]);
  archive = (await readdir(project)).find((name) => name.endsWith(".tgz")) ?? "";
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${archive}`]);
});

const run = (program: string, args: string[]) => execute(program, args, { cwd: project });

test("has no dependencies", async () => {
  const installed = await readdir(join(project, "node_modules"));
  expect(installed.filter((name) => !name.startsWith("."))).toEqual(["prompthook"]);
  const client = await readFile(join(project, "node_modules/prompthook/index.js"), "utf8");
  expect(client).not.toMatch(/^\s*import\b|\brequire\(|\bimport\(|\bprocess\./m);
});

test.each(MAX_KIB)(
  "adds to a page that imports %s for %s at most %i KiB",
  async (from, name, kib) => {
    const contents = `import { ${name} } from "${from}"; console.log(${name});`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: project },
      bundle: true,
      format: "esm",
      minify: true,
      write: false,
    });
    const size = outputFiles[0]?.contents.length ?? Number.NaN;
    console.info(`${name} of ${from} has ${(size / KIB).toFixed(1)} KiB, minified.`);
    expect(size).toBeLessThan(kib * KIB);
  },
);

test("explains its use, without links into the repository", async () => {
  const readme = await readFile(join(project, "node_modules/prompthook/README.md"), "utf8");
  expect(readme).toContain('from "prompthook"');
  expect(readme).toContain("prompthook --help");
  expect(readme.match(/\]\((?!https:)[^)]*\)/g)).toBeNull();
});

test("names the authors of bundled work", async () => {
  const licenses = await readFile(join(project, "node_modules/prompthook/LICENSES.txt"), "utf8");
  expect(licenses).toContain("zod\n\nMIT License");
  expect(licenses).toContain("eventsource-parser\n\nMIT License");
});

describe("its types", () => {
  test("are found by every way of importing it, with the right module kind", async () => {
    const packed = createPackageFromTarballData(await readFile(join(project, archive)));
    const checked = await checkPackage(packed);
    expect(checked).toMatchObject({ types: { kind: "included" }, problems: [] });
  });

  const settings = [
    ["Node, as ES modules and as CommonJS", ["use.ts", "use.cts"], ["--module", "nodenext"]],
    ["bundlers", ["use.ts"], ["--module", "esnext", "--moduleResolution", "bundler"]],
  ] as const;

  test.each(settings)("are whole and strict for %s", async (_, files, flags) => {
    for (const file of files) {
      await copyFile(join(ROOT, "test/build/consumer/use.ts"), join(project, file));
    }
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
    const lib = ["--target", "es2022", "--lib", "es2022,dom,dom.iterable"];
    const quick = ["--noEmit", "--singleThreaded", "--skipDefaultLibCheck"];
    const { stdout } = await run(process.execPath, [
      tsc,
      ...quick,
      ...lib,
      ...strict,
      ...flags,
      ...files,
    ]);
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

test("works in a CommonJS script, also through its client export", async () => {
  const script = `
    const { Prompthook } = require("prompthook");
    const { verifyCallback } = require("prompthook/verify");
    console.log(typeof Prompthook, typeof verifyCallback, typeof require("prompthook/client").isFinal);
  `;
  await writeFile(join(project, "script.cjs"), script);
  const { stdout } = await run(process.execPath, ["script.cjs"]);
  expect(stdout).toBe("function function function\n");
});

test("has a command", async () => {
  const { stdout } = await run("npx", ["--no-install", "prompthook", "--version"]);
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(stdout).toBe(`${version}\n`);
});
