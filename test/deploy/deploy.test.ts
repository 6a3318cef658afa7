import { randomUUID } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { fromBase64 } from "../../src/lib/encoding.ts";
import { listAccounts } from "../support/client.ts";
import { DeployedWorker } from "../support/cloudflare/account.ts";
import { type Checkout, newCheckout } from "../support/cloudflare/checkout.ts";
import { type Cloudflare, startCloudflare } from "../support/cloudflare/cloudflare.ts";

/** The first part of every name: of a further deployment, and of one as the configuration has it. */
const NAME = "staging";
const BUILT = "prompthook";
const DOMAIN = "hooks.example.com";
const QUEUES = ["callbacks", "callbacks-dead", "inbound", "inbound-dead"];
/** The secrets that a build is given, or finds. */
const SECRETS = {
  ADMIN_TOKEN: "3f786850e387550fdab836ed7e6dc881de23001b",
  ENCRYPTION_KEY: "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=",
  ID_KEY: "EjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8=",
};
/** What a Worker is before its first build. */
const PLACEHOLDER = {
  main_module: "worker.js",
  bindings: [],
  compatibility_date: "2026-08-01",
  compatibility_flags: [],
  observability: { enabled: true },
  assets: { jwt: "" },
};
/** A deployment calls wrangler a dozen times. */
const LONG_MS = 900_000;

const keptRecord = z.object({
  ADMIN_TOKEN: z.string(),
  ENCRYPTION_KEY: z.string(),
  ID_KEY: z.string(),
  account: z.object({ name: z.string(), apiKey: z.string() }),
});

let cloudflare: Cloudflare;
let checkout: Checkout;
/** The configuration before, which no deployment changes. */
let asPulled: string;

beforeAll(async () => {
  cloudflare = await startCloudflare();
  checkout = await newCheckout(cloudflare);
  asPulled = await config();
});

afterAll(async () => {
  await checkout.close();
  await cloudflare.close();
});

const keptFile = (name = NAME) => join(checkout.directory, ".secrets", `${name}.json`);
const kept = async (name = NAME) =>
  keptRecord.parse(JSON.parse(await readFile(keptFile(name), "utf8")));
const versions = (name = NAME) => cloudflare.account.worker(name).versions;
const namesOf = (items: { name: string }[]) => items.map(({ name }) => name).sort();
const config = () => readFile(checkout.config, "utf8");

test("prints its usage on request, and does nothing", async () => {
  const { code, output } = await checkout.deploy({ args: ["--help"] });
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(/^Usage: npm run deploy -- /),
  });
  expect(cloudflare.changes).toEqual([]);
});

test("deploys a working service to an empty account despite kills and a concurrent build", {
  timeout: LONG_MS,
}, async () => {
  await killAt(/^PUT \/workers\/scripts/, ["--records", "1", "--region", "weur"]);
  const url = await cloudflare.urlOf(NAME);
  cloudflare.changes.splice(0);
  // What was chosen for the deployment that was killed is kept without being said again.
  const { code, output } = await checkout.deploy({ name: NAME, args: ["--now"] });
  expect(output).toContain(`Dashboard   ${url}/dashboard`);
  expect(code).toBe(0);
  expect(output).not.toContain("FAILED");
  // It leaves a queue of the name that the deployment gave it.
  expect(output).toMatch(/ok {6}callback .* standardwebhooks accepts its signature/);

  const { databases, queues } = cloudflare.account;
  expect(cloudflare.changes).not.toContain("POST /d1/database");
  expect(databases).toMatchObject([
    { name: NAME, location: "weur", replication: "auto" },
    { name: `${NAME}-records-0`, location: "weur", replication: "disabled" },
  ]);
  // The checks of the deployment ran executions of the account that it opened.
  const [control = "", records = ""] = databases.map(({ uuid }) => uuid);
  await expect.poll(() => executionsIn(records)).toBeGreaterThan(0);
  expect(await executionsIn(control)).toBe(0);
  const names = queues.map(({ queue_name }) => queue_name);
  expect(names.sort()).toEqual(QUEUES.map((queue) => `${NAME}-${queue}`));
  expect(queues.filter(({ consumer }) => consumer === null)).toEqual([]);
  const { account, ...secrets } = await kept();
  expect(versions().length).toBeGreaterThan(1);
  for (const version of versions()) expect(version.secrets).toEqual(secrets);
  for (const key of [secrets.ENCRYPTION_KEY, secrets.ID_KEY]) {
    expect(fromBase64(key)).toHaveLength(32);
  }
  expect(versions().at(-1)?.metadata.bindings).toEqual(
    expect.arrayContaining([
      { type: "plain_text", name: "DEFAULT_REGION", text: "weur" },
      { type: "d1", name: "RECORDS_0", id: records },
    ]),
  );
  expect(cloudflare.account.worker(NAME).deployments.at(-1)?.updateMode).toBe("immediate");
  expect((await stat(keptFile())).mode & 0o077).toBe(0);
  expect(output.split(account.apiKey)).toHaveLength(2);
  for (const secret of Object.values(secrets)) expect(output).not.toContain(secret);
  const accounts = await listAccounts({ url, adminToken: secrets.ADMIN_TOKEN });
  expect(accounts.map(({ name }) => name)).toEqual(["operator"]);
  expect(await readdir(checkout.directory)).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/^\.deploy-/)]),
  );
  expect(await config()).toBe(asPulled);
  await deploysBuildBeside();
});

test("builds twice with the secrets, the database and the queues that the button has made", {
  timeout: LONG_MS,
}, async () => {
  const button = await pressButton("hooks");
  try {
    const { account, changes } = button.cloudflare;
    const made = structuredClone([account.databases, account.queues.map(nameOf)]);
    for (const build of ["first", "second"]) {
      const { code, output } = await button.build();
      expect(output, build).toContain(
        "Secrets     ADMIN_TOKEN, ENCRYPTION_KEY, and ID_KEY are set",
      );
      expect(output).toContain("Database    hooks-5d2c exists and up to date");
      expect(output).not.toMatch(/ph_live_/);
      expect(code).toBe(0);
      const version = account.worker("hooks").versions.at(-1);
      expect(version?.secrets).toEqual(SECRETS);
      const [database] = account.databases;
      const bound = { type: "d1", name: "DB", id: database?.uuid };
      expect(version?.metadata.bindings).toContainEqual(bound);
    }
    expect(changes).not.toContain("POST /d1/database");
    expect(changes).not.toContain("POST /queues");
    const replicated = account.databases.map((each) => ({ ...each, replication: "disabled" }));
    expect([replicated, account.queues.map(nameOf)]).toEqual(made);
    const consumers = account.queues.map(({ consumer }) => consumer?.script_name);
    expect(consumers).toEqual(["hooks", "hooks", "hooks", "hooks"]);
    expect(await readdir(button.directory)).not.toContain(".secrets");
  } finally {
    await button.close();
  }
});

const nameOf = ({ queue_name }: { queue_name: string }) => queue_name;

/**
 * Prepares an account and a repository as the button does: its Worker has the secrets and no code of this
 * service, the queues and the database exist, and the configuration has their names and the database's id.
 */
async function pressButton(name: string) {
  const cloudflare = await startCloudflare();
  const repository = await newCheckout(cloudflare);
  const { account } = cloudflare;
  const worker = new DeployedWorker(name);
  worker.addVersion({ metadata: PLACEHOLDER, modules: [] }).secrets = SECRETS;
  account.workers.set(name, worker);
  const uuid = randomUUID();
  account.databases.push({
    uuid,
    name: `${name}-5d2c`,
    location: null,
    replication: "disabled",
  });
  for (const queue of QUEUES) {
    const queue_name = `${name}-${queue}`;
    account.queues.push({ queue_id: randomUUID(), queue_name, consumer: null });
  }
  const text = await readFile(repository.config, "utf8");
  const named = text.replaceAll('"prompthook', `"${name}`);
  const database = `database_name = "${name}"`;
  await writeFile(
    repository.config,
    named.replace(database, `${database}\ndatabase_id = "${uuid}"`),
  );
  const environment = { CI: "true", WORKERS_CI: "1", WRANGLER_CI_OVERRIDE_NAME: name };
  return {
    cloudflare,
    directory: repository.directory,
    build: () => repository.deploy({ name, asConfigured: true, environment }),
    close: async () => {
      await repository.close();
      await cloudflare.close();
    },
  };
}

/**
 * Deploys as the button's build does, into the account of the first deployment: it keeps no file, prints no
 * key, and has names of its own. The account has the free plan by now, and its zone a record of the domain.
 */
async function deploysBuildBeside(): Promise<void> {
  Object.assign(cloudflare.account, { plan: "free", subdomain: null });
  cloudflare.account.dnsRecords.add(DOMAIN);
  const environment = { WORKERS_CI: "1", ...SECRETS };
  const args = ["--subdomain", "quay", "--domain", DOMAIN, "--take-over"];
  const { code, output } = await checkout.deploy({ name: BUILT, args, environment });
  expect(output).toContain("Subdomain   quay.workers.dev is registered");
  expect(output).toContain("Plan        free");
  expect(output).toContain("sign in to the dashboard with ADMIN_TOKEN");
  expect(code).toBe(0);
  expect(versions(BUILT).at(-1)?.secrets).toEqual(SECRETS);
  expect(output).not.toMatch(/ph_live_/);
  for (const secret of Object.values(SECRETS)) expect(output).not.toContain(secret);
  await expect(stat(keptFile(BUILT))).rejects.toThrow("ENOENT");
  const url = await cloudflare.urlOf(BUILT);
  expect(await listAccounts({ url, adminToken: SECRETS.ADMIN_TOKEN })).toEqual([]);

  const { databases, domains, queues, workers } = cloudflare.account;
  expect([...domains]).toEqual([[DOMAIN, BUILT]]);
  const metadata = versions(BUILT).at(-1)?.metadata;
  expect(metadata?.limits).toBeUndefined();
  expect(metadata?.bindings).toContainEqual({
    type: "plain_text",
    name: "SERVICE_HOSTS",
    text: `${BUILT}.quay.workers.dev,${DOMAIN}`,
  });
  expect([...workers.keys()]).toEqual([NAME, BUILT]);
  expect(namesOf(databases)).toEqual([BUILT, NAME, `${NAME}-records-0`]);
  const expected = [NAME, BUILT].flatMap((name) => QUEUES.map((queue) => `${name}-${queue}`));
  expect(queues.map(({ queue_name }) => queue_name).sort()).toEqual(expected.sort());
  for (const { queue_name, consumer } of queues) {
    expect(consumer?.script_name).toBe(queue_name.split("-")[0]);
  }
  const limits = [NAME, BUILT].flatMap((name) =>
    (versions(name).at(-1)?.metadata.bindings ?? []).flatMap((binding) =>
      binding.type === "ratelimit" ? [binding.namespace_id] : [],
    ),
  );
  expect(limits).toHaveLength(4);
  expect(new Set(limits).size).toBe(4);
  expect(await config()).toBe(asPulled);
}

/** Runs a deployment until the first such change is made, and ends it at once, before it hears of that. */
async function killAt(stop: RegExp, args: string[]): Promise<void> {
  const group = Promise.withResolvers<number>();
  let killed = false;
  cloudflare.onChange(async (change) => {
    if (killed || !stop.test(change)) return;
    killed = true;
    process.kill(-(await group.promise), "SIGKILL");
  });
  const { output } = await checkout.deploy({ name: NAME, args, started: group.resolve });
  cloudflare.onChange(() => undefined);
  expect(killed, output).toBe(true);
}

/** How many rows of executions a database has. */
async function executionsIn(databaseId: string): Promise<number> {
  const rows = await cloudflare.query(databaseId, "SELECT count(*) AS count FROM executions");
  return z.tuple([z.object({ count: z.int() })]).parse(rows)[0].count;
}
