import type { Region } from "../../src/lib/place.ts";
import { UserError } from "../local/project.ts";
import { Admin } from "../smoke/http.ts";
import type { Credential } from "../smoke/options.ts";
import { lineOf, unprovenLine } from "../smoke/report.ts";
import { smoke } from "../smoke/run.ts";
import {
  checkAccount,
  needsSubdomain,
  type Permissions,
  registerSubdomain,
  subdomainOf,
} from "./account-checks.ts";
import { apiOf, type CloudflareApi } from "./api.ts";
import { type Account, type Deployed, databaseIn, findDeployed, signedIn } from "./cloudflare.ts";
import { type Choices, type DeployedConfig, type RawConfig, readDeployed } from "./config.ts";
import { withConfiguration } from "./configuration-file.ts";
import { prepareDatabase, replicateReads } from "./databases.ts";
import {
  attachDomains,
  attachedDomains,
  checkDomains,
  type Resolves,
  withServiceHosts,
} from "./domains.ts";
import { openFirstAccount } from "./first-account.ts";
import { type Report, shown } from "./progress.ts";
import { addressOf, publish, untilReady } from "./publish.ts";
import { withRecords } from "./records.ts";
import { NO_LIMITS_ON_FREE_PLAN } from "./refusals.ts";
import { type Ask, regionOf, withRegion } from "./region.ts";
import {
  inWords,
  isThrownAway,
  missingSecrets,
  prepareSecrets,
  type SecretsFile,
  secretsPath,
} from "./secrets.ts";
import { inAccount, type Wrangler, WranglerError } from "./wrangler.ts";

export interface DeployOptions extends Permissions, Omit<Choices, "workerName"> {
  /** The configuration's path. */
  config: string;
  /** The service's address, if it is neither on workers.dev nor a custom domain. */
  url: string | null;
  /** The region of accounts that are created without one; null keeps the present one. */
  region: Region | null;
  /** The number of databases of execution rows, or null for those that there are. */
  records: number | null;
  /** Whether busy objects change to the new code at once. */
  now: boolean;
  dryRun: boolean;
}

export interface DeployDependencies {
  /** Returns wrangler on a configuration. */
  wranglerOn: (config: string) => Wrangler;
  report: Report;
  ask: Ask;
  resolves: Resolves;
  environment: NodeJS.ProcessEnv;
}

/** A deployment to an account that can take it. */
interface Target {
  account: Account;
  api: CloudflareApi;
  config: DeployedConfig;
  deployed: Deployed;
  /** The account's name on workers.dev; null before it is registered. */
  subdomain: string | null;
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
  const { report, resolves } = dependencies;
  const target = await findTarget(options, dependencies);
  if (options.dryRun) return reportPlan(target, options, report);
  const { api, deployed } = target;
  const exists = deployed.secrets !== null;
  const region = await regionOf(api, target.config, options.region, { ...dependencies, exists });
  const subdomain = target.subdomain ?? (await register(target, options, report));
  const config = await withDecisions(target, region, subdomain);
  const { stored, missing } = await prepareSecrets(config, deployed, dependencies);
  const upload = { secrets: missing, now: options.now, region };
  const targets = await deployCode({ ...target, config }, upload, dependencies);
  if (!options.takeOver) await checkDomains(api, config, { exists: true, resolves });
  await attachDomains(api, config, options.takeOver);
  const domains = [...hostnames(config), ...(await attachedDomains(api, config.name))];
  const url = options.url ?? addressOf(config, domains, targets);
  report("Worker", `deployed at ${url}`);
  if (exists && !options.now) {
    report("", "busy objects keep the old code for up to five minutes; --now ends that");
  }
  await untilReady(url, report);
  const credential = await prepareAccount(url, config, stored, dependencies);
  await check(url, credential, report);
  report("Dashboard", `${url}/dashboard`);
}

/** Finds the account and what it has of the service. Throws `UserError` for what Cloudflare would refuse later. */
async function findTarget(
  options: DeployOptions,
  { wranglerOn, report, resolves, environment }: DeployDependencies,
): Promise<Target> {
  const workerName = environment.WRANGLER_CI_OVERRIDE_NAME ?? null;
  const known = await readDeployed(options.config, { ...options, workerName });
  const anywhere = wranglerOn(options.config);
  const account = await signedIn(anywhere, known, environment);
  report("Cloudflare", `${account.email ?? "signed in"}, account "${account.name}"`);
  const api = await apiOf(anywhere, account.id, environment);
  const deployed = await findDeployed(api, known);
  const names = deployed.databases.map(({ name }) => name);
  const config = withRecords(known, names, options.records);
  const exists = deployed.secrets !== null;
  await checkAccount(api, config, options, { exists, resolves });
  const subdomain = await subdomainOf(api);
  if (subdomain === null && options.subdomain === null && (config.workersDev || !exists)) {
    throw needsSubdomain(account.id);
  }
  return { account, api, config, deployed, subdomain };
}

/** Registers the subdomain of workers.dev that the operator has chosen, if any. */
async function register(
  { api }: Target,
  { subdomain }: Permissions,
  report: Report,
): Promise<string | null> {
  if (subdomain === null) return null;
  const registered = await registerSubdomain(api, subdomain);
  report("Subdomain", `${registered}.workers.dev is registered`);
  return registered;
}

async function withDecisions(
  { api, config, deployed }: Target,
  region: Region | null,
  subdomain: string | null,
): Promise<DeployedConfig> {
  const attached = deployed.secrets === null ? [] : await attachedDomains(api, config.name);
  const onWorkersDev = config.workersDev && subdomain !== null;
  return withServiceHosts(withRegion(config, region), [
    ...(onWorkersDev ? [`${config.name}.${subdomain}.workers.dev`] : []),
    ...hostnames(config),
    ...attached,
  ]);
}

/** Prepares the databases and deploys the code; on the free plan without the limits that it does not take. */
async function deployCode(
  { account, api, config, deployed }: Target,
  { region, ...upload }: { secrets: Record<string, string>; now: boolean; region: Region | null },
  { wranglerOn, report }: DeployDependencies,
): Promise<string[]> {
  const withRaw = <Result>(raw: RawConfig, use: (wrangler: Wrangler) => Promise<Result>) =>
    withConfiguration(config, raw, (file) => use(inAccount(wranglerOn(file), account.id)));
  return withRaw(config.raw, async (wrangler) => {
    // Code never meets an older database.
    for (const database of config.databases) {
      const known = databaseIn(deployed.databases, database);
      const wanted = { knownId: known?.uuid, region };
      const id = await prepareDatabase({ wrangler, api }, database, wanted);
      const name = known?.name ?? database.name;
      report("Database", `${name} ${known ? "exists" : "is created"} and up to date`);
      if (database.binding === "DB") await replicateReads(api, { id, name }, report);
    }
    try {
      return await publish(wrangler, config, upload);
    } catch (error) {
      const { limits, ...withoutLimits } = config.raw;
      const isRefused =
        error instanceof WranglerError && error.codes.includes(NO_LIMITS_ON_FREE_PLAN);
      if (!isRefused || limits === undefined) throw error;
      report("Plan", "free, which takes no [limits]; docs/first-deploy.md says what it carries");
      return await withRaw(withoutLimits, (free) => publish(free, config, upload));
    }
  });
}

function hostnames({ domains }: DeployedConfig): string[] {
  return domains.map(({ hostname }) => hostname);
}

function reportPlan(
  { config, deployed, subdomain }: Target,
  options: DeployOptions,
  report: Report,
): void {
  const missing = inWords(missingSecrets(deployed));
  if (subdomain === null && options.subdomain !== null) {
    report("Subdomain", `${options.subdomain}.workers.dev would be registered`);
  }
  for (const database of config.databases) {
    const known = databaseIn(deployed.databases, database);
    report("Database", `${known?.name ?? database.name} ${known ? "exists" : "would be created"}`);
  }
  report("Queues", "missing ones would be created");
  report(
    "Secrets",
    missing ? `would be set, and stored in ${shown(secretsPath(config))}: ${missing}` : "are set",
  );
  report("Migrations", "missing ones would be applied");
  report("Worker", `${config.name} would be ${deployed.secrets === null ? "created" : "updated"}`);
  for (const name of hostnames(config)) report("Domain", `${name} would lead to it`);
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
  if (isThrownAway(environment)) {
    report(
      "Accounts",
      "a build opens none: to open the first, sign in to the dashboard with ADMIN_TOKEN",
    );
    return given ? { apiKey: given } : null;
  }
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
  const checks = await smoke(target, (result) => report("", lineOf(result)));
  const unproven = unprovenLine(checks);
  if (unproven !== null) report("", unproven);
  if (checks.passed) return;
  throw new UserError(
    `${url} is deployed, but some checks failed; see above. If only the key is outdated, set PROMPTHOOK_API_KEY to another.`,
  );
}
