import * as z from "zod";
import { UserError } from "../local/project.ts";
import { type DeployedConfig, NO_DATABASE } from "./config.ts";
import { shown } from "./tell.ts";
import { failure, printed, type Wrangler } from "./wrangler.ts";

const databases = z.array(z.object({ uuid: z.string(), name: z.string() }));
const secrets = z.array(z.object({ name: z.string() }));
const NO_WORKER = /Worker "[^"]*"[^\n]* not found/;
const MAX_PAGES = 100;

/** What of the service is in the account already. */
export interface Found {
  /** The database's id; null where there is none yet. */
  databaseId: string | null;
  missingQueues: string[];
  /** The names of the Worker's secrets; null where there is no Worker yet. */
  secrets: string[] | null;
}

/** Looks for the service in the account, and changes nothing. */
export async function look(wrangler: Wrangler, config: DeployedConfig): Promise<Found> {
  const [databaseId, missingQueues, secrets] = await Promise.all([
    findDatabase(wrangler, config),
    findMissingQueues(wrangler, config.queues),
    listSecrets(wrangler),
  ]);
  if (secrets !== null && databaseId === null) {
    throw new UserError(
      `The name "${config.name}" is taken: this account has such a Worker, but no database "${config.database.name}", so it is not a Prompthook. Deploying would replace it. Choose another name under [env.production] in ${shown(config.path)}, or delete that Worker.`,
    );
  }
  return { databaseId, missingQueues, secrets };
}

/** The database that the configuration names by its id, or else by its name. */
export async function findDatabase(
  wrangler: Wrangler,
  { database, path }: DeployedConfig,
): Promise<string | null> {
  const known = databases.parse(JSON.parse(await printed(wrangler, ["d1", "list", "--json"])));
  if (database.id === NO_DATABASE) {
    return known.find(({ name }) => name === database.name)?.uuid ?? null;
  }
  if (known.some(({ uuid }) => uuid === database.id)) return database.id;
  throw new UserError(
    `This account has no database ${database.id}, which ${shown(path)} names in [env.production]. Sign in to the account that has it, or write ${NO_DATABASE} there to get a new one.`,
  );
}

async function findMissingQueues(wrangler: Wrangler, wanted: string[]): Promise<string[]> {
  const missing = new Set(wanted);
  for (let page = 1; page <= MAX_PAGES && missing.size > 0; page += 1) {
    const names = queuesIn(await printed(wrangler, ["queues", "list", `--page=${page}`]));
    if (names.length === 0) break;
    for (const name of names) missing.delete(name);
  }
  return [...missing];
}

/** The names in wrangler's table of queues, which it prints for people only. */
export function queuesIn(table: string): string[] {
  const rows = table
    .split("\n")
    .filter((line) => line.startsWith("│"))
    .map((line) => line.split("│").map((cell) => cell.trim()));
  const [head, ...body] = rows;
  const column = head?.indexOf("name") ?? -1;
  return body.map((cells) => cells[column] ?? "").filter((name) => name !== "");
}

async function listSecrets(wrangler: Wrangler): Promise<string[] | null> {
  const args = ["secret", "list"];
  const outcome = await wrangler(args);
  if (outcome.code === 0) return secrets.parse(JSON.parse(outcome.stdout)).map(({ name }) => name);
  const said = failure(args, outcome);
  if (NO_WORKER.test(said)) return null;
  throw new UserError(said);
}
