import { appendFile } from "node:fs/promises";
import { UserError } from "../local/project.ts";
import type { DeployedConfig, DeployedDatabase } from "./config.ts";
import { shown } from "./progress.ts";

const BINDING = /^RECORDS_\d+$/;

/**
 * Returns the databases of execution rows that the configuration lacks, so that it has `count` of them.
 * Throws `UserError` if it has more: accounts have rows there.
 */
export function missingRecords(config: DeployedConfig, count: number | null): DeployedDatabase[] {
  const known = config.databases.filter(({ binding }) => BINDING.test(binding));
  if (count === null) return [];
  if (known.length > count) {
    throw new UserError(
      `${shown(config.path)} has ${known.length} databases of execution rows. None can be taken away: accounts have their rows there.`,
    );
  }
  const { name, migrationsDir } = controlDatabase(config);
  const wanted = Array.from({ length: count }, (_, n) => ({
    binding: `RECORDS_${n}`,
    name: `${name}-records-${n}`,
    migrationsDir,
  }));
  return wanted.filter(({ binding }) => known.every((each) => each.binding !== binding));
}

/** Throws `UserError` if Cloudflare has databases of execution rows that the configuration leaves out. */
export function checkRecords(config: DeployedConfig, existing: readonly string[]): void {
  const prefix = `${controlDatabase(config).name}-records-`;
  const numbers = existing
    .filter(
      (name) => name.startsWith(prefix) && config.databases.every((each) => each.name !== name),
    )
    .map((name) => Number(name.slice(prefix.length)))
    .filter(Number.isInteger);
  if (numbers.length === 0) return;
  const count = Math.max(...numbers) + 1;
  throw new UserError(
    `Cloudflare has ${prefix}${count - 1}, which ${shown(config.path)} does not name. Deploying would hide the rows in it. Run npm run deploy -- --records ${count}, and keep the change of that file.`,
  );
}

/** Adds databases to the configuration file. */
export async function appendRecords(
  path: string,
  added: readonly DeployedDatabase[],
): Promise<void> {
  const blocks = added.map(
    ({ binding, name, migrationsDir }) => `
[[d1_databases]]
binding = ${JSON.stringify(binding)}
database_name = ${JSON.stringify(name)}
migrations_dir = ${JSON.stringify(migrationsDir)}
`,
  );
  await appendFile(path, blocks.join(""));
}

function controlDatabase({ databases, path }: DeployedConfig): DeployedDatabase {
  const found = databases.find(({ binding }) => binding === "DB");
  if (found === undefined) throw new UserError(`${path} has no database "DB".`);
  return found;
}
