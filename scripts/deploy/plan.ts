import type { DeployedConfig } from "./config.ts";
import { keptFile } from "./kept.ts";
import type { Found } from "./look.ts";
import { unsetSecrets } from "./prepare.ts";
import { shown, type Tell } from "./tell.ts";

/** Tells what a deployment would do. */
export function tellPlan(config: DeployedConfig, found: Found, tell: Tell): void {
  const { name, id } = config.database;
  const become = found.databaseId === null ? "would be created" : "is there";
  const written =
    found.databaseId === id ? "" : `; its id would be written into ${shown(config.path)}`;
  tell("Database", `${name} ${become}${written}`);
  const { missingQueues } = found;
  const toCreate = missingQueues.length > 0 ? `would be created: ${missingQueues.join(", ")}` : "";
  tell("Queues", toCreate || `all ${config.queues.length} are there`);
  const unset = unsetSecrets(found).join(" and ");
  tell(
    "Secrets",
    unset ? `would be set, and kept in ${shown(keptFile(config))}: ${unset}` : "are set",
  );
  tell("Migrations", "those that are missing would be applied");
  tell("Worker", `${config.name} would be ${found.secrets === null ? "created" : "updated"}`);
  tell("Accounts", "the first would be opened where there is none");
  tell("Checks", "would be made on the deployed service");
  tell("", "Nothing was changed.");
}
