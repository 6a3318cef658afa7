import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import type { Plugin } from "vitest/config";
import type { TestProject } from "vitest/node";
import { bundleOptions } from "../../../scripts/local/build.ts";
import { buildSite } from "../../../scripts/site/build.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const SRC = join(ROOT, "src");
const CACHE = join(ROOT, "node_modules/.cache/prompthook-tests");

/** The modules of a build, for the pool's rules: workerd loads them itself, without Vite. */
export const BUNDLED = "**/.cache/prompthook-tests/*/**/*.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the built Worker, and of the documentation under `site`. */
    workerBundle: string;
  }
}

/**
 * Builds the Worker once for all test files, with the modules of `src` that tests import as further
 * entries: so a test that looks inside has the very classes that the Worker runs.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await mkdir(CACHE, { recursive: true });
  const directory = await mkdtemp(join(CACHE, "worker-"));
  await build({
    ...bundleOptions("src/index.ts", directory),
    entryPoints: [join(SRC, "index.ts"), ...(await importedSources())],
    outbase: SRC,
    outExtension: { ".js": ".mjs" },
    splitting: true,
    chunkNames: "chunks/[hash]",
  });
  await buildSite(join(directory, "site"));
  project.provide("workerBundle", directory);
  return () => rm(directory, { recursive: true, force: true });
}

/** The modules of `src` that the tests of the Worker and their support import, tests of Node aside. */
async function importedSources(): Promise<string[]> {
  const sources = new Set<string>();
  for (const folder of ["test/worker", "test/support"]) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.name.endsWith(".ts")) continue;
      const text = await readFile(join(entry.parentPath, entry.name), "utf8");
      for (const [, path = ""] of text.matchAll(/(?:from|import) "([^"]+)"/g)) {
        const file = path.startsWith(".") ? resolve(entry.parentPath, path) : "";
        if (file.startsWith(SRC) && /\.tsx?$/.test(file)) sources.add(file);
      }
    }
  }
  return [...sources];
}

/** Leads the tests' imports of `src` into the build. */
export function importsFromBundle(): Plugin {
  let project: TestProject | undefined;
  return {
    name: "imports-from-bundle",
    enforce: "pre",
    configureVitest(context) {
      project = context.project;
    },
    resolveId(source, importer) {
      if (project === undefined || importer === undefined || !source.startsWith(".")) return null;
      const file = resolve(dirname(importer), source);
      if (!file.startsWith(SRC) || !/\.tsx?$/.test(file)) return null;
      const module = relative(SRC, file).replace(/\.tsx?$/, ".mjs");
      return join(project.getProvidedContext().workerBundle, module);
    },
  };
}
