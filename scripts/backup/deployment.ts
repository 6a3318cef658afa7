import { join } from "node:path";
import { apiOf } from "../deploy/api.ts";
import { databaseIn, listDatabases, signedIn } from "../deploy/cloudflare.ts";
import { readDeployed } from "../deploy/config.ts";
import { withRecords } from "../deploy/records.ts";
import { inAccount, printed, type Wrangler } from "../deploy/wrangler.ts";
import { UserError } from "../local/project.ts";
import type { Options } from "./options.ts";

/**
 * Finds the databases of the deployment that the configuration describes, or of the one with another name.
 * Returns what exports them into a folder, each into a file, and returns the names of the files.
 */
export async function databaseExport(
  user: Wrangler,
  { name, config }: Pick<Options, "name" | "config">,
  environment: NodeJS.ProcessEnv,
): Promise<(folder: string) => Promise<string[]>> {
  const described = await readDeployed(config, { name, domain: null, workerName: null });
  const { id } = await signedIn(user, described, environment);
  const wrangler = inAccount(user, id);
  const existing = await listDatabases(await apiOf(wrangler, id, environment));
  const names = existing.map(({ name }) => name);
  const { databases } = withRecords(described, names, null);
  const missing = databases.find((database) => databaseIn(existing, database) === undefined);
  if (missing !== undefined) {
    const advice = "Set --name and --config as for npm run deploy.";
    throw new UserError(`The Cloudflare account has no database ${missing.name}. ${advice}`);
  }
  return async (folder) => {
    const files: string[] = [];
    for (const database of databases) {
      const file = `${database.name}.sql`;
      const output = `--output=${join(folder, file)}`;
      await printed(wrangler, ["d1", "export", database.name, "--remote", output]);
      files.push(file);
    }
    return files;
  };
}
