import { UserError } from "../local/project.ts";
import { Admin } from "../smoke/admin.ts";
import { smoke } from "../smoke/run.ts";
import type { Credential } from "../smoke/target.ts";
import { lineOf } from "../smoke/tell.ts";
import { openFirstAccount } from "./account.ts";
import { type DeployedConfig, readDeployed } from "./config.ts";
import { type Kept, keptFile } from "./kept.ts";
import { signedIn } from "./login.ts";
import { look } from "./look.ts";
import { tellPlan } from "./plan.ts";
import { prepareDatabase, prepareQueues, prepareSecrets } from "./prepare.ts";
import { addressOf, migrate, publish } from "./publish.ts";
import { untilReady } from "./ready.ts";
import { shown, type Tell } from "./tell.ts";
import { inAccount, type Wrangler } from "./wrangler.ts";

export interface DeployOptions {
  /** The configuration's path. */
  config: string;
  /** Where the service is reached, if that is neither on workers.dev nor a custom domain. */
  url: string | null;
  dryRun: boolean;
}

export interface DeployParts {
  wrangler: Wrangler;
  tell: Tell;
  environment: NodeJS.ProcessEnv;
}

/**
 * Takes a signed-in operator to a working service. Each step first looks for what it is to make, so a
 * run that was interrupted is continued by the next one, and one after that only deploys the code
 * again. Throws `UserError` for what the operator can mend.
 */
export async function deploy(options: DeployOptions, parts: DeployParts): Promise<void> {
  const { tell, environment } = parts;
  const config = await readDeployed(options.config);
  const account = await signedIn(parts.wrangler, config, environment);
  tell("Cloudflare", `${account.email ?? "signed in"}, account "${account.name}"`);
  const wrangler = inAccount(parts.wrangler, account.id);
  const found = await look(wrangler, config);
  if (options.dryRun) return tellPlan(config, found, tell);

  await prepareDatabase(wrangler, config, found, tell);
  await prepareQueues(wrangler, config, found, tell);
  const { kept, unset } = await prepareSecrets(config, found, tell);
  await migrate(wrangler, config.database.binding);
  tell("Migrations", "the database is up to date");
  const targets = await publish(wrangler, config, unset);
  const url = options.url ?? addressOf(config, targets);
  tell("Worker", `deployed at ${url}`);
  await untilReady(url, tell);
  const credential = await prepareAccount(url, config, kept, parts);
  await check(url, credential, tell);
  tell("Dashboard", `${url}/dashboard`);
}

/** Opens the first account where there is none. Answers with what the service can be checked, if anything is known. */
async function prepareAccount(
  url: string,
  config: DeployedConfig,
  kept: Kept,
  { tell, environment }: DeployParts,
): Promise<Credential | null> {
  const given = environment.PROMPTHOOK_API_KEY;
  const adminToken = kept.ADMIN_TOKEN ?? environment.ADMIN_TOKEN;
  if (!adminToken) {
    tell("Accounts", "not looked at: ADMIN_TOKEN is kept where this was first deployed");
    return given ? { apiKey: given } : null;
  }
  const file = keptFile(config);
  const { apiKey, newKey, told } = await openFirstAccount(new Admin(url, adminToken), file, kept);
  tell("Accounts", told);
  if (newKey !== null) tell("API key", `${newKey}   (shown only now, and kept in ${shown(file)})`);
  const key = given || apiKey;
  return key ? { apiKey: key } : { adminToken };
}

async function check(url: string, credential: Credential | null, tell: Tell): Promise<void> {
  if (credential === null) {
    tell("Checks", "not made: set PROMPTHOOK_API_KEY, or run npm run smoke");
    return;
  }
  tell("Checks", "");
  const target = { url, credential, callback: null };
  const { passed } = await smoke(target, (result) => tell("", lineOf(result)));
  if (passed) return;
  throw new UserError(
    `${url} is deployed, and does not do what it promises: see the checks that failed. If only the key is outdated, set PROMPTHOOK_API_KEY to another.`,
  );
}
