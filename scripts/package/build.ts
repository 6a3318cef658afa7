import { chmod, copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import * as z from "zod";
import { ROOT } from "../local/project.ts";
import { declareTypes } from "./types.ts";

/** The bundled packages, whose licences are included. */
const BUNDLED = ["eventsource-parser", "yaml", "zod"];

/** The modules that can be imported, by the path behind the package's name. */
const ENTRIES = { ".": "index", "./client": "index", "./verify": "callback" } as const;

/**
 * Builds the package into `directory`: the client as modules without imports, for `import` and for
 * `require`, with its types, and the command line as one program. A page can load the client as it is, and
 * installing it adds nothing else.
 */
export async function buildPackage(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  const names = [...new Set(Object.values(ENTRIES))];
  await Promise.all([
    ...names.flatMap((name) => [
      bundleClient(name, directory, "esm"),
      bundleClient(name, join(directory, "cjs"), "cjs"),
    ]),
    bundleProgram(directory),
    declareTypes(join(directory, "types")),
  ]);
  // A declaration counts as a module of the kind that the package.json above it states.
  await cp(join(directory, "types"), join(directory, "cjs/types"), { recursive: true });
  await writeFile(join(directory, "cjs/package.json"), '{ "type": "commonjs" }\n');
  await Promise.all([writeManifest(directory), ...writeStubs(directory)]);
  await writeFile(join(directory, "LICENSES.txt"), await licenses());
  await copyFile(join(ROOT, "docs/client.md"), join(directory, "README.md"));
}

async function bundleClient(name: string, to: string, format: "esm" | "cjs"): Promise<void> {
  await bundle(`src/client/${name}.ts`, join(to, `${name}.js`), "neutral", "es2022", format);
}

/** Builds the command line into `directory`, as one program. */
export async function bundleProgram(directory: string): Promise<void> {
  const to = join(directory, "cli.js");
  await bundle("src/cli/main.ts", to, "node", "node20", "esm");
  await chmod(to, 0o755);
}

async function bundle(
  from: string,
  to: string,
  platform: "neutral" | "node",
  target: string,
  format: "esm" | "cjs",
): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [from],
    outfile: to,
    bundle: true,
    format,
    platform,
    target,
    // Its other form is CommonJS, which a module cannot have in it.
    alias: { yaml: join(ROOT, "node_modules/yaml/browser/index.js") },
    logLevel: "warning",
  });
}

async function licenses(): Promise<string> {
  const texts = BUNDLED.map(async (name) => {
    const text = await readFile(join(ROOT, "node_modules", name, "LICENSE"), "utf8");
    return `${name}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join("\n\n");
}

const project = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
});

/**
 * Writes the package's package.json. The project's own lists the dependencies of the Worker, which the
 * client does not need.
 */
async function writeManifest(directory: string): Promise<void> {
  const manifest = {
    ...project.parse(JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"))),
    type: "module",
    sideEffects: false,
    main: "./cjs/index.js",
    types: "./cjs/types/client/index.d.ts",
    exports: Object.fromEntries(
      Object.entries(ENTRIES).map(([path, name]) => [
        path,
        { import: entryIn(".", name), require: entryIn("./cjs", name) },
      ]),
    ),
    bin: { prompthook: "cli.js" },
  };
  await writeFile(join(directory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

const entryIn = (directory: string, name: string) => ({
  types: `${directory}/types/client/${name}.d.ts`,
  default: `${directory}/${name}.js`,
});

/** Writes what leads to a module where a program knows no `exports`. */
function writeStubs(directory: string): Promise<void>[] {
  return Object.entries(ENTRIES).flatMap(([path, name]) =>
    path === "." ? [] : writeStub(join(directory, path), entryIn("../cjs", name)),
  );
}

async function writeStub(
  directory: string,
  { types, default: main }: ReturnType<typeof entryIn>,
): Promise<void> {
  await mkdir(directory);
  await writeFile(join(directory, "package.json"), `${JSON.stringify({ main, types }, null, 2)}\n`);
}
