import { UserError } from "../local/project.ts";
import type { DeployedConfig, DeployedDatabase } from "./config.ts";

const BINDING = /^RECORDS_\d+$/;

/**
 * Returns the configuration with the databases of execution rows: its own, those that the account has, and
 * further ones up to `count`. Throws `UserError` if there are more than `count`: accounts have rows there.
 */
export function withRecords(
  config: DeployedConfig,
  existing: readonly string[],
  count: number | null,
): DeployedConfig {
  const { name, migrationsDir } = controlDatabase(config);
  const prefix = `${name}-records-`;
  const numbers = existing
    .filter((each) => each.startsWith(prefix))
    .map((each) => each.slice(prefix.length))
    .filter((number) => /^\d+$/.test(number))
    .map((number) => Number(number) + 1);
  const known = config.databases.filter(({ binding }) => BINDING.test(binding));
  const present = Math.max(known.length, ...numbers);
  if (count !== null && present > count) {
    throw new UserError(
      `The service has ${present} databases of execution rows. None can be taken away: accounts have their rows there.`,
    );
  }
  const added: DeployedDatabase[] = Array.from({ length: count ?? present }, (_, n) => ({
    binding: `RECORDS_${n}`,
    name: `${prefix}${n}`,
    id: null,
    migrationsDir,
  })).filter(({ binding }) => known.every((each) => each.binding !== binding));
  const rows = added.map(({ binding, name: database_name, migrationsDir: migrations_dir }) => ({
    binding,
    database_name,
    migrations_dir,
  }));
  return {
    ...config,
    databases: [...config.databases, ...added],
    raw: { ...config.raw, d1_databases: [...config.raw.d1_databases, ...rows] },
  };
}

function controlDatabase({ databases, path }: DeployedConfig): DeployedDatabase {
  const found = databases.find(({ binding }) => binding === "DB");
  if (found === undefined) throw new UserError(`${path} has no database "DB".`);
  return found;
}
