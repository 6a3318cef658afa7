import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { ROOT } from "../local/project.ts";

const project = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
});

/**
 * Writes the package.json of what is installed. The project's own one is the service's: its
 * dependencies are the Worker's, which nobody needs beside the client.
 */
export async function writeManifest(directory: string): Promise<void> {
  const manifest = {
    ...project.parse(JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"))),
    type: "module",
    exports: { "./client": { types: "./types/client/index.d.ts", default: "./client.js" } },
    bin: { prompthook: "cli.js" },
  };
  await writeFile(join(directory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
