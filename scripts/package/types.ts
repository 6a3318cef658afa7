import { execFile } from "node:child_process";
import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../local/project.ts";

/** Of zod's declarations, those that its main module leads to. */
const ZOD = ["index.d.ts", "v4/classic", "v4/core", "v4/locales"];

/**
 * Writes the client's declarations into `directory`. They name types of zod's, whose declarations
 * come along, so that an installed client depends on nothing.
 */
export async function declareTypes(directory: string): Promise<void> {
  await Promise.all([compile(directory), copyZod(join(directory, "zod"))]);
  const files = await readdir(directory, { recursive: true });
  const ours = files.filter((file) => file.endsWith(".d.ts") && !file.startsWith("zod/"));
  await Promise.all(ours.map((file) => importZod(directory, file)));
}

async function compile(directory: string): Promise<void> {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--noCheck"];
  const project = ["--project", join(ROOT, "src/client"), "--outDir", directory];
  await promisify(execFile)(process.execPath, [tsc, ...project, ...flags]);
}

async function copyZod(directory: string): Promise<void> {
  const from = join(ROOT, "node_modules/zod");
  for (const name of ZOD) {
    await cp(join(from, name), join(directory, name), { recursive: true, filter: isDeclaration });
  }
}

async function isDeclaration(path: string): Promise<boolean> {
  return path.endsWith(".d.ts") || (await stat(path)).isDirectory();
}

async function importZod(directory: string, file: string): Promise<void> {
  const path = join(directory, file);
  const text = await readFile(path, "utf8");
  const zod = relative(dirname(path), join(directory, "zod/index.js"));
  await writeFile(path, text.replaceAll('"zod"', JSON.stringify(zod)));
}
