import { createHash } from "node:crypto";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { builtinModules } from "node:module";
import { join, relative } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import * as z from "zod";
import { type LocalOptions, localOptions, readAliases, readLocalOptions } from "./options.ts";
import { readFileIfAny } from "./private-file.ts";
import { CONFIG, ROOT, UserError } from "./project.ts";

/** The service's entry, where no other Worker is asked for. */
const ENTRY = join(ROOT, "src/index.ts");

/** Earlier builds to keep, so that switching between two branches does not build again. */
const KEPT_BUILDS = 4;
const CACHE = join(ROOT, "node_modules/.cache/prompthook-worker");

/** A Worker as workerd takes it. */
export interface BuiltWorker {
  /** The folder of the modules, and of the documentation under `site`. */
  directory: string;
  /** Bindings and compatibility, as wrangler.toml states them. */
  options: LocalOptions;
}

/**
 * Builds a Worker under the service's configuration, from `entry` or the service's own. A build of the
 * same sources is taken from the cache, which spares the next start esbuild and wrangler; `onBuild`
 * is called where there is none. Throws `UserError` for sources that do not build.
 */
export async function buildWorker({
  entry = ENTRY,
  onBuild = () => undefined,
}: {
  entry?: string;
  onBuild?: () => void;
} = {}): Promise<BuiltWorker> {
  const directory = join(CACHE, await hashOfSources(entry));
  const cached = await readFileIfAny(join(directory, OPTIONS));
  if (cached !== null) return { directory, options: localOptions.parse(JSON.parse(cached)) };
  onBuild();
  await mkdir(CACHE, { recursive: true });
  // Whole or not at all: a start that is killed here must not leave half a build behind.
  const draft = await mkdtemp(join(CACHE, "draft-"));
  try {
    const [options] = await Promise.all([addSurroundings(draft, entry), bundle(entry, draft)]);
    await writeFile(join(draft, OPTIONS), JSON.stringify(options));
    await removeOldBuilds();
    // Another process may have built the same meanwhile.
    await rename(draft, directory).catch(() => undefined);
    return { directory, options };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Adds the documentation to a draft, and returns the options: both are the same for every entry. */
async function addSurroundings(draft: string, entry: string): Promise<LocalOptions> {
  const site = join(draft, "site");
  if (entry !== ENTRY) {
    const { directory, options } = await buildWorker();
    await cp(join(directory, "site"), site, { recursive: true });
    return options;
  }
  const { buildSite } = await import("../site/build.ts");
  await buildSite(site);
  return readLocalOptions();
}

/**
 * Builds the service into `directory` whenever a source changes from now on. `onBuild` gets the Worker and
 * the errors of the build, a line each.
 */
export async function watchWorker(
  directory: string,
  onBuild: (worker: BuiltWorker, errors: string[]) => void | Promise<void>,
): Promise<void> {
  const { context } = await import("esbuild");
  const built = await buildWorker();
  const worker = { ...built, directory };
  await cp(join(built.directory, "site"), join(directory, "site"), { recursive: true });
  const first = Promise.withResolvers<void>();
  let isFirst = true;
  const report: Plugin = {
    name: "report",
    setup: (build) =>
      void build.onEnd(({ errors }) => {
        if (!isFirst) return onBuild(worker, errors.map(lineOf));
        isFirst = false;
        first.resolve();
      }),
  };
  const options = bundleOptions(ENTRY, directory);
  const watching = await context({ ...options, plugins: [...(options.plugins ?? []), report] });
  await watching.watch();
  await first.promise;
}

const OPTIONS = "options.json";

async function hashOfSources(entry: string): Promise<string> {
  const hash = createHash("sha256");
  const folders = await Promise.all(
    ["src", "docs", "scripts/site"].map((name) =>
      readdir(join(ROOT, name), { recursive: true, withFileTypes: true }),
    ),
  );
  const files = folders
    .flat()
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  const others = ["package-lock.json", "tsconfig.json", "scripts/local/options.ts"].map((name) =>
    join(ROOT, name),
  );
  const all = [...files.sort(), ...others, CONFIG, entry, import.meta.filename];
  const texts = await Promise.all(all.map((file) => readFile(file)));
  for (const [index, text] of texts.entries())
    hash.update(`${relative(ROOT, all[index] ?? "")}\n${text.length}\n`).update(text);
  return hash.digest("hex").slice(0, 32);
}

async function bundle(entry: string, directory: string): Promise<void> {
  const { build } = await import("esbuild");
  try {
    // As wrangler.toml has it: each start copies the code many times, and workerd parses it.
    await build({ ...bundleOptions(entry, directory), minify: true });
  } catch (error) {
    const [first] = failure.safeParse(error).data?.errors ?? [];
    throw first === undefined ? error : new UserError(`The build failed. ${lineOf(first)}`);
  }
}

const failure = z.object({
  errors: z.array(
    z.object({
      text: z.string(),
      location: z.object({ file: z.string(), line: z.number(), column: z.number() }).nullable(),
    }),
  ),
});

function lineOf({ text, location }: z.infer<typeof failure>["errors"][number]): string {
  return location === null ? text : `${location.file}:${location.line}:${location.column}: ${text}`;
}

/** What `wrangler deploy` asks of esbuild, but for its source map: workerd reads none. */
export function bundleOptions(entry: string, directory: string): BuildOptions {
  return {
    absWorkingDir: ROOT,
    entryPoints: [{ in: entry, out: "index" }],
    outdir: directory,
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    define: { "process.env.NODE_ENV": '"production"' },
    external: ["node:*", "cloudflare:*"],
    // Node's own modules are workerd's, by whichever of their two names.
    alias: Object.fromEntries(
      builtinModules
        .filter((name) => !name.startsWith("node:"))
        .map((name) => [name, `node:${name}`]),
    ),
    loader: { ".css": "text", ".svg": "text", ".wasm": "copy" },
    plugins: [aliases, scriptsAsText],
    logLevel: "silent",
  };
}

/** Replaces the imports that wrangler.toml replaces: esbuild's own aliases are for packages only. */
const aliases: Plugin = {
  name: "aliases",
  async setup(build) {
    for (const [path, replacement] of Object.entries(await readAliases())) {
      const filter = new RegExp(`^${path.replaceAll(".", "\\.")}$`);
      build.onResolve({ filter }, ({ kind }) =>
        build.resolve(replacement, { kind, resolveDir: ROOT }),
      );
    }
  },
};

/**
 * Takes as text what the rules in wrangler.toml do: imports that name such a script, not a library whose
 * own file happens to be minified.
 */
const scriptsAsText: Plugin = {
  name: "scripts-as-text",
  setup(build) {
    build.onResolve({ filter: /\.min\.js$|\/islands\/[^/]+\.js$/ }, async ({ path, ...from }) => {
      if (from.pluginData === scriptsAsText) return null;
      const found = await build.resolve(path, { ...from, pluginData: scriptsAsText });
      return { path: found.path, errors: found.errors, namespace: "text" };
    });
    build.onLoad({ filter: /./, namespace: "text" }, async ({ path }) => ({
      contents: await readFile(path, "utf8"),
      loader: "text",
    }));
  },
};

async function removeOldBuilds(): Promise<void> {
  const names = await readdir(CACHE);
  const builds = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(CACHE, name))).mtimeMs })),
  );
  const old = builds.sort((a, b) => b.at - a.at).slice(KEPT_BUILDS);
  for (const { name } of old) await rm(join(CACHE, name), { recursive: true, force: true });
}
