import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "./private-file.ts";
import { ROOT } from "./project.ts";
import { Trouble } from "./trouble.ts";

const BINDING = '\n[browser]\nbinding = "BROWSER"\n';
const MAIN = /^main = "(.+)"$/m;

/** The service's configuration with a browser bound, as text that stands in any folder. */
export function withBrowser(configuration: string, root: string): string {
  const main = MAIN.exec(configuration)?.[1];
  if (main === undefined) throw new Trouble("wrangler.toml names no main.");
  // What it takes from JSON, TOML reads the same.
  return configuration.replace(MAIN, () => `main = ${JSON.stringify(join(root, main))}`) + BINDING;
}

/**
 * Writes the configuration of this start beside its state, from wrangler.toml as it is now. It has a
 * folder of its own, in which wrangler keeps what it builds.
 */
export async function writeBrowserConfig(stateDir: string): Promise<string> {
  const directory = join(stateDir, "prompthook.browser");
  await mkdir(directory, { recursive: true });
  const path = join(directory, "wrangler.toml");
  const configuration = await readFile(join(ROOT, "wrangler.toml"), "utf8");
  await writePrivateFile(path, withBrowser(configuration, ROOT));
  return path;
}
