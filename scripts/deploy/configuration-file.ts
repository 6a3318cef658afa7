import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writePrivateFile } from "../local/private-file.ts";
import type { DeployedConfig, RawConfig } from "./config.ts";

/**
 * Runs `use` on a file with this configuration, which wrangler reads in place of the checkout's: a decision
 * of one deployment changes no file that git knows. It lies beside that one, since paths in it are relative.
 */
export async function withConfiguration<Result>(
  { path, name }: Pick<DeployedConfig, "path" | "name">,
  raw: RawConfig,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  const file = join(dirname(path), `.deploy-${name}.json`);
  await writePrivateFile(file, JSON.stringify(raw, null, 2));
  try {
    return await use(file);
  } finally {
    await rm(file, { force: true });
  }
}
