import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { fromBase64 } from "../../src/lib/encoding.ts";
import { listAccounts } from "../support/client.ts";
import { type Checkout, newCheckout } from "../support/cloudflare/checkout.ts";
import { type Cloudflare, startCloudflare } from "../support/cloudflare/cloudflare.ts";

/** The first part of every name: of a further deployment, and of one as the configuration has it. */
const NAME = "staging";
const BUILT = "prompthook";
const DOMAIN = "hooks.example.com";
const QUEUES = ["callbacks", "callbacks-dead", "inbound", "inbound-dead"];
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

test("explains how to sign in", async () => {
  const { code, output } = await checkout.deploy({ environment: { CLOUDFLARE_API_TOKEN: "" } });
  expect(output).toContain("You are not signed in to Cloudflare. Run npx wrangler login");
  expect(code).toBe(1);
});

test.each([
  ["a subdomain", { subdomain: null }, [], "has no workers.dev subdomain"],
  ["queues", { hasQueues: false }, [], "your plan does not include Queues"],
  ["the domain that it names", {}, ["--domain", DOMAIN], `leads to the Worker "another"`],
])("changes nothing in an account without %s", async (_, lacking, args, said) => {
  const { domains, ...before } = cloudflare.account;
  Object.assign(cloudflare.account, lacking);
  domains.set(DOMAIN, "another");
  const { code, output } = await checkout.deploy({ name: NAME, args });
  Object.assign(cloudflare.account, before);
  domains.clear();
  expect(output).toContain(said);
  expect(code).toBe(1);
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
  expect(cloudflare.account.worker(NAME).updateModes.at(-1)).toBe("immediate");
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

/**
 * Deploys as the button's build does, into the account of the first deployment: it keeps no file, prints no
 * key, and has names of its own. The account has the free plan by now, and its zone a record of the domain.
 */
async function deploysBuildBeside(): Promise<void> {
  Object.assign(cloudflare.account, { plan: "free", subdomain: null });
  cloudflare.account.dnsRecords.add(DOMAIN);
  const secrets = {
    ADMIN_TOKEN: "3f786850e387550fdab836ed7e6dc881de23001b",
    ENCRYPTION_KEY: "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=",
    ID_KEY: "EjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8=",
  };
  const environment = { WORKERS_CI: "1", ...secrets };
  const args = ["--subdomain", "quay", "--domain", DOMAIN, "--take-over"];
  const { code, output } = await checkout.deploy({ name: BUILT, args, environment });
  expect(output).toContain("Subdomain   quay.workers.dev is registered");
  expect(output).toContain("Plan        free");
  expect(output).toContain("sign in to the dashboard with ADMIN_TOKEN");
  expect(code).toBe(0);
  expect(versions(BUILT).at(-1)?.secrets).toEqual(secrets);
  expect(output).not.toMatch(/ph_live_/);
  for (const secret of Object.values(secrets)) expect(output).not.toContain(secret);
  await expect(stat(keptFile(BUILT))).rejects.toThrow("ENOENT");
  const url = await cloudflare.urlOf(BUILT);
  expect(await listAccounts({ url, adminToken: secrets.ADMIN_TOKEN })).toEqual([]);

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
