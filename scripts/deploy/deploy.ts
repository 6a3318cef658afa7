import { UserError } from "../local/project.ts";
import { Admin } from "../smoke/http.ts";
import type { Credential } from "../smoke/options.ts";
import { lineOf } from "../smoke/report.ts";
import { smoke } from "../smoke/run.ts";
import { type Deployed, findDeployed, signedIn } from "./cloudflare.ts";
import { type DeployedConfig, readDeployed } from "./config.ts";
import { openFirstAccount } from "./first-account.ts";
import { type Report, shown } from "./progress.ts";
import { addressOf, prepareDatabase, publish, untilReady } from "./publish.ts";
import { appendRecords, checkRecords, missingRecords } from "./records.ts";
import {
  inWords,
  missingSecrets,
  prepareSecrets,
  type SecretsFile,
  secretsPath,
} from "./secrets.ts";
import { inAccount, type Wrangler } from "./wrangler.ts";

export interface DeployOptions {
  /** The configuration's path. */
  config: string;
  /** The service's address, if it is neither on workers.dev nor a custom domain. */
  url: string | null;
  /** The number of databases of execution rows, or null for those that the configuration has. */
  records: number | null;
  dryRun: boolean;
}

export interface DeployDependencies {
  wrangler: Wrangler;
  report: Report;
  environment: NodeJS.ProcessEnv;
}

/**
 * Takes a signed-in operator to a working service. Each step first looks for what it creates, so the next
 * run continues an interrupted one, and one after that only deploys the code again. Throws `UserError`
 * for what the operator can solve.
 */
export async function deploy(
  options: DeployOptions,
  dependencies: DeployDependencies,
): Promise<void> {
  const { report, environment } = dependencies;
  const known = await readDeployed(options.config);
  const added = missingRecords(known, options.records);
  const config = { ...known, databases: [...known.databases, ...added] };
  const account = await signedIn(dependencies.wrangler, config, environment);
  report("Cloudflare", `${account.email ?? "signed in"}, account "${account.name}"`);
  const wrangler = inAccount(dependencies.wrangler, account.id);
  const deployed = await findDeployed(wrangler, config);
  checkRecords(config, deployed.databases);
  if (options.dryRun) return reportPlan(config, deployed, report);

  const { stored, missing } = await prepareSecrets(config, deployed, report);
  if (added.length > 0) {
    await appendRecords(config.path, added);
    report(
      "Records",
      `${shown(config.path)} names ${added.length} more databases: keep the change`,
    );
  }
  // Code never meets an older database.
  for (const database of config.databases) {
    await prepareDatabase(wrangler, database, deployed.databases);
    const exists = deployed.databases.includes(database.name);
    report("Database", `${database.name} ${exists ? "exists" : "is created"} and up to date`);
  }
  const targets = await publish(wrangler, config, missing);
  const url = options.url ?? addressOf(config, targets);
  report("Worker", `deployed at ${url}`);
  await untilReady(url, report);
  const credential = await prepareAccount(url, config, stored, dependencies);
  await check(url, credential, report);
  report("Dashboard", `${url}/dashboard`);
}

function reportPlan(config: DeployedConfig, deployed: Deployed, report: Report): void {
  const missing = inWords(missingSecrets(deployed));
  for (const { name } of config.databases) {
    const exists = deployed.databases.includes(name);
    report("Database", `${name} ${exists ? "exists" : "would be created"}`);
  }
  report("Queues", "missing ones would be created");
  report(
    "Secrets",
    missing ? `would be set, and stored in ${shown(secretsPath(config))}: ${missing}` : "are set",
  );
  report("Migrations", "missing ones would be applied");
  report("Worker", `${config.name} would be ${deployed.secrets === null ? "created" : "updated"}`);
  report("Accounts", "the first would be opened if there is none");
  report("Checks", "would use the deployed service");
  report("", "Nothing was changed.");
}

/** Opens the first account when there is none. Returns a credential to check the service with, if one is known. */
async function prepareAccount(
  url: string,
  config: DeployedConfig,
  stored: SecretsFile,
  { report, environment }: DeployDependencies,
): Promise<Credential | null> {
  const given = environment.PROMPTHOOK_API_KEY;
  const adminToken = stored.ADMIN_TOKEN ?? environment.ADMIN_TOKEN;
  if (!adminToken) {
    report("Accounts", "skipped: ADMIN_TOKEN is in the checkout that deployed first");
    return given ? { apiKey: given } : null;
  }
  const path = secretsPath(config);
  const { apiKey, newKey, outcome } = await openFirstAccount(
    new Admin(url, adminToken),
    path,
    stored,
  );
  report("Accounts", outcome);
  if (newKey !== null)
    report("API key", `${newKey}   (shown only now, and stored in ${shown(path)})`);
  const key = given || apiKey;
  return key ? { apiKey: key } : { adminToken };
}

async function check(url: string, credential: Credential | null, report: Report): Promise<void> {
  if (credential === null) {
    report("Checks", "skipped: set PROMPTHOOK_API_KEY, or run npm run smoke");
    return;
  }
  report("Checks", "");
  const target = { url, credential, callback: null };
  const { passed } = await smoke(target, (result) => report("", lineOf(result)));
  if (passed) return;
  throw new UserError(
    `${url} is deployed, but some checks failed; see above. If only the key is outdated, set PROMPTHOOK_API_KEY to another.`,
  );
}
