import { chmod, copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import * as z from "zod";
import { ROOT } from "../local/project.ts";
import { declareTypes } from "./types.ts";

/** The bundled packages, whose licences are included. */
const BUNDLED = ["eventsource-parser", "zod"];

/**
 * Builds the package into `directory`: the client as one module without imports, with its types, and the
 * command line as one program. A page can load the client as it is, and installing it adds nothing else.
 */
export async function buildPackage(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await Promise.all([
    bundle("src/client/index.ts", join(directory, "client.js"), "neutral", "es2022"),
    bundleProgram("src/cli/main.ts", join(directory, "cli.js")),
    declareTypes(join(directory, "types")),
  ]);
  await writeManifest(directory);
  await writeFile(join(directory, "LICENSES.txt"), await licenses());
  await copyFile(join(ROOT, "docs/client.md"), join(directory, "README.md"));
}

async function bundleProgram(from: string, to: string): Promise<void> {
  await bundle(from, to, "node", "node20");
  await chmod(to, 0o755);
}

async function bundle(
  from: string,
  to: string,
  platform: "neutral" | "node",
  target: string,
): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [from],
    outfile: to,
    bundle: true,
    format: "esm",
    platform,
    target,
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
    exports: { "./client": { types: "./types/client/index.d.ts", default: "./client.js" } },
    bin: { prompthook: "cli.js" },
  };
  await writeFile(join(directory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
