import * as z from "zod";
import { UserError } from "../local/project.ts";
import type { CloudflareApi } from "./api.ts";
import type { DeployedConfig, DeployedDatabase } from "./config.ts";
import { shown } from "./progress.ts";
import { describeRefusal, NOT_FOUND } from "./refusals.ts";
import { SECRETS } from "./secrets.ts";
import { type Wrangler, WranglerError } from "./wrangler.ts";

const WHOAMI = ["whoami", "--json"];

const whoami = z.discriminatedUnion("loggedIn", [
  z.object({ loggedIn: z.literal(false) }),
  z.object({
    loggedIn: z.literal(true),
    email: z.string().optional(),
    accounts: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
]);

/** The Cloudflare account to deploy to. */
export interface Account {
  id: string;
  name: string;
  /** The user who is signed in, if the token may read it. */
  email: string | null;
}

/** Finds the account of the user who is signed in. Throws `UserError` when nobody is, or when there are several. */
export async function signedIn(
  wrangler: Wrangler,
  config: DeployedConfig,
  environment: NodeJS.ProcessEnv,
): Promise<Account> {
  const outcome = await wrangler(WHOAMI);
  const parsed = whoami.safeParse(parseJson(outcome.stdout));
  if (!parsed.success) throw new WranglerError(WHOAMI, outcome);
  if (!parsed.data.loggedIn) {
    throw new UserError(
      "You are not signed in to Cloudflare. Run npx wrangler login or set CLOUDFLARE_API_TOKEN, then run this again.",
    );
  }
  const { accounts, email = null } = parsed.data;
  const wanted = config.accountId ?? environment.CLOUDFLARE_ACCOUNT_ID;
  const [first, ...others] = accounts.filter(({ id }) => wanted === undefined || id === wanted);
  if (first === undefined)
    throw new UserError(
      wanted === undefined
        ? "Your sign-in has no account."
        : `Your sign-in has no account ${wanted}.`,
    );
  if (others.length === 0) return { ...first, email };
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  throw new UserError(
    `You have several accounts. Choose one with CLOUDFLARE_ACCOUNT_ID=<id>:\n${list}`,
  );
}

/** The parts of the service that the account has already. */
export interface Deployed {
  /** All databases of the account. */
  databases: Database[];
  /** The names of the Worker's secrets; null when there is no Worker yet. */
  secrets: string[] | null;
}

const named = z.array(z.object({ name: z.string() }));
const databases = z.array(z.object({ uuid: z.string(), name: z.string() }));
type Database = z.infer<typeof databases>[number];
/** Databases of one answer. */
const PAGE = 100;

/** Looks for the service in the account, and changes nothing. */
export async function findDeployed(api: CloudflareApi, config: DeployedConfig): Promise<Deployed> {
  const { path, name } = config;
  const [databases, secrets] = await Promise.all([listDatabases(api), listSecrets(api, name)]);
  const missing = config.databases.filter((each) => databaseIn(databases, each) === undefined);
  const foreign = missing.find(({ id }) => id !== null);
  if (foreign !== undefined) {
    throw new UserError(
      `${shown(path)} names the database ${foreign.id}, which your account does not have. Remove that database_id to have a database "${foreign.name}" created, or sign in to the account that has it.`,
    );
  }
  // The button sets the secrets before the first build, which may find no database yet.
  const isOurs = SECRETS.every((each) => secrets?.includes(each));
  const [control] = config.databases;
  if (secrets !== null && !isOurs && control !== undefined && missing.includes(control)) {
    throw new UserError(
      `The name "${name}" is taken: your account has such a Worker but no database "${control.name}", so it is not a Prompthook, and deploying would replace it. Choose another with --name or in ${shown(path)}, or delete that Worker.`,
    );
  }
  return { databases, secrets };
}

/** Returns the account's database that a configuration means: by its id, or else by its name. */
export function databaseIn(
  databases: readonly Database[],
  { id, name }: Pick<DeployedDatabase, "id" | "name">,
): Database | undefined {
  return databases.find((each) => (id === null ? each.name === name : each.uuid === id));
}

/** Returns the account's databases. */
export async function listDatabases(api: CloudflareApi): Promise<Database[]> {
  const all: Database[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await api("GET", `/d1/database?page=${page}&per_page=${PAGE}`);
    if (!answer.ok) throw new UserError(describeRefusal("the databases", answer.refusal));
    const found = databases.parse(answer.result);
    all.push(...found);
    if (found.length < PAGE) return all;
  }
}

async function listSecrets(api: CloudflareApi, worker: string): Promise<string[] | null> {
  const answer = await api("GET", `/workers/scripts/${worker}/secrets`);
  if (answer.ok) return named.parse(answer.result).map(({ name }) => name);
  if (answer.refusal.code === NOT_FOUND) return null;
  throw new UserError(describeRefusal(`the secrets of ${worker}`, answer.refusal));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
