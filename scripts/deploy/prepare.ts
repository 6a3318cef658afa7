import type { DeployedConfig } from "./config.ts";
import { writeDatabaseId } from "./database-id.ts";
import {
  type Kept,
  keptFile,
  readKept,
  SECRETS,
  type SecretName,
  withSecrets,
  writeKept,
} from "./kept.ts";
import { type Found, findDatabase } from "./look.ts";
import { shown, type Tell } from "./tell.ts";
import { printed, type Wrangler } from "./wrangler.ts";

/** Creates the database where there is none, and names it in the configuration. */
export async function prepareDatabase(
  wrangler: Wrangler,
  config: DeployedConfig,
  found: Found,
  tell: Tell,
): Promise<void> {
  const { name, id } = config.database;
  if (found.databaseId === null) await printed(wrangler, ["d1", "create", name]);
  const databaseId = found.databaseId ?? (await findDatabase(wrangler, config));
  if (databaseId === null) throw new Error(`the database ${name} is not there after its creation`);
  if (databaseId !== id) await writeDatabaseId(config, databaseId);
  const become = found.databaseId === null ? "is created" : "is there";
  const written = databaseId === id ? "" : `; its id is written into ${shown(config.path)}`;
  tell("Database", `${name} ${become}${written}`);
}

/** Creates the queues that are missing. */
export async function prepareQueues(
  wrangler: Wrangler,
  { queues }: DeployedConfig,
  { missingQueues }: Found,
  tell: Tell,
): Promise<void> {
  for (const name of missingQueues) await printed(wrangler, ["queues", "create", name]);
  const created = missingQueues.length > 0 ? `; created: ${missingQueues.join(", ")}` : "";
  tell("Queues", `all ${queues.length} are there${created}`);
}

/** Values for the secrets that the Worker has not yet, kept before anything is sealed with them. */
export async function prepareSecrets(
  config: DeployedConfig,
  found: Found,
  tell: Tell,
): Promise<{ kept: Kept; unset: Record<string, string> }> {
  const file = keptFile(config);
  const names = unsetSecrets(found);
  const before = await readKept(file);
  const kept = withSecrets(before, names);
  if (names.length === 0) {
    tell("Secrets", `${SECRETS.join(" and ")} are set`);
    return { kept, unset: {} };
  }
  await writeKept(file, kept);
  tell("Secrets", `${names.join(" and ")} will be set; they are kept in ${shown(file)}`);
  tell("", "Copy that file to a safe place: what ENCRYPTION_KEY has sealed is lost without it.");
  return { kept, unset: Object.fromEntries(names.map((name) => [name, kept[name] ?? ""])) };
}

/** The secrets that the Worker has not yet. */
export function unsetSecrets({ secrets }: Found): SecretName[] {
  return SECRETS.filter((name) => !secrets?.includes(name));
}
