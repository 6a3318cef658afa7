import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { writePrivateFile } from "../local/private-file.ts";
import { UserError } from "../local/project.ts";
import type { DeployedConfig } from "./config.ts";
import { keptFile } from "./kept.ts";
import { shown } from "./tell.ts";
import { printed, type Wrangler } from "./wrangler.ts";

const entry = z.object({ type: z.string(), targets: z.array(z.string()).default([]) });

/** Brings the database up to what the code of this checkout expects. */
export async function migrate(wrangler: Wrangler, binding: string): Promise<void> {
  await printed(wrangler, ["d1", "migrations", "apply", binding, "--remote"]);
}

/**
 * Deploys the code of this checkout, and in the same version the secrets that are not set yet: so
 * none ever runs without them. Answers where wrangler says that it is reached.
 */
export async function publish(
  wrangler: Wrangler,
  config: DeployedConfig,
  secrets: Record<string, string>,
): Promise<string[]> {
  // Not on the command line, which everybody can read, nor where temporary files are left lying.
  const upload = `${keptFile(config)}.upload`;
  const directory = await mkdtemp(join(tmpdir(), "prompthook-deploy-"));
  const output = join(directory, "output.ndjson");
  const args = ["deploy"];
  try {
    if (Object.keys(secrets).length > 0) {
      await writePrivateFile(upload, JSON.stringify(secrets));
      args.push(`--secrets-file=${upload}`);
    }
    await printed(wrangler, args, { WRANGLER_OUTPUT_FILE_PATH: output });
    return targetsIn(await readFile(output, "utf8"));
  } finally {
    await rm(upload, { force: true });
    await rm(directory, { recursive: true, force: true });
  }
}

/** The targets in wrangler's output file, one JSON document a line. */
export function targetsIn(output: string): string[] {
  const entries = output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => entry.parse(JSON.parse(line)));
  return entries.find(({ type }) => type === "deploy")?.targets ?? [];
}

/** Where the service is reached: by its custom domain, or else on workers.dev. Throws `UserError` for neither. */
export function addressOf({ domain, path }: DeployedConfig, targets: string[]): string {
  if (domain !== null) return `https://${domain}`;
  const address = targets.find((target) => target.startsWith("https://"));
  if (address !== undefined) return new URL(address).origin;
  throw new UserError(
    `It is deployed, but ${shown(path)} gives it no address that can be told from here: run this again with --url https://<its address>.`,
  );
}
