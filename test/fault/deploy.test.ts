import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { fromBase64 } from "../../src/lib/encoding.ts";
import { listAccounts } from "../support/client.ts";
import { type Checkout, newCheckout } from "../support/cloudflare/checkout.ts";
import { type Cloudflare, startCloudflare } from "../support/cloudflare/cloudflare.ts";

/** The first part of every name, as in a second deployment. */
const NAME = "harbour";
const QUEUES = ["callbacks", "callbacks-dead", "inbound", "inbound-dead"];
/** A deployment calls wrangler a dozen times. */
const LONG_MS = 400_000;

const keptRecord = z.object({
  ADMIN_TOKEN: z.string(),
  ENCRYPTION_KEY: z.string(),
  ID_KEY: z.string(),
  account: z.object({ name: z.string(), apiKey: z.string() }),
});

let cloudflare: Cloudflare;
let checkout: Checkout;

beforeEach(async () => {
  cloudflare = await startCloudflare();
  checkout = await newCheckout(cloudflare, NAME);
});

afterEach(async () => {
  await checkout.close();
  await cloudflare.close();
});

const keptFile = () => join(checkout.directory, ".secrets", `${NAME}.json`);
const kept = async () => keptRecord.parse(JSON.parse(await readFile(keptFile(), "utf8")));
const config = () => readFile(checkout.config, "utf8");

test("takes an empty account to a working service under any names, however often it is killed, and only deploys again after that", {
  timeout: LONG_MS,
}, async () => {
  const stops = [
    /^POST \/d1\/database$/,
    /^PUT \/workers\/scripts/,
    /^POST \/api\/v1\/admin\/accounts$/,
  ];
  for (const stop of stops) await killAt(stop);
  const first = await checkout.deploy({ args: ["--records", "1"] });
  expect(first.output).toContain(`Dashboard   ${cloudflare.url}/dashboard`);
  expect(first.code).toBe(0);
  expect(first.output).not.toContain("FAILED");
  expect(first.output).toMatch(/ok {6}callback .* standardwebhooks accepts its signature/);

  const { databases, queues, versions } = cloudflare.account;
  expect(databases.map(({ name }) => name)).toEqual([NAME, `${NAME}-records-0`]);
  // The checks of the deployment ran executions of the account that it opened.
  const [control = "", records = ""] = databases.map(({ uuid }) => uuid);
  await expect.poll(() => executionsIn(records)).toBeGreaterThan(0);
  expect(await executionsIn(control)).toBe(0);
  const names = queues.map(({ queue_name }) => queue_name);
  expect(names.sort()).toEqual(QUEUES.map((queue) => `${NAME}-${queue}`));
  expect(queues.filter(({ consumer }) => consumer === null)).toEqual([]);
  const { account, ...secrets } = await kept();
  for (const version of versions) expect(version.secrets).toEqual(secrets);
  for (const key of [secrets.ENCRYPTION_KEY, secrets.ID_KEY]) {
    expect(fromBase64(key)).toHaveLength(32);
  }
  expect((await stat(keptFile())).mode & 0o077).toBe(0);
  expect(first.output.split(account.apiKey)).toHaveLength(2);
  for (const secret of Object.values(secrets)) expect(first.output).not.toContain(secret);

  const [file, text] = [await readFile(keptFile(), "utf8"), await config()];
  cloudflare.changes.splice(0);
  const second = await checkout.deploy();
  expect(second.output).toContain(`Dashboard   ${cloudflare.url}/dashboard`);
  expect(second.code).toBe(0);
  expect(cloudflare.changes.filter((change) => /d1\/database$|queues$/.test(change))).toEqual([]);
  expect(versions.at(-1)?.secrets).toEqual(secrets);
  expect([await readFile(keptFile(), "utf8"), await config()]).toEqual([file, text]);
  expect(second.output).not.toContain(account.apiKey);
  // Nobody has seen the key of the account whose opening was interrupted, so there is another.
  expect(await accountNames()).toEqual(["operator", "operator"]);
});

test("says what it would do, and does nothing of it", async () => {
  const before = await config();
  const { code, output } = await checkout.deploy({ args: ["--dry-run"] });
  expect(code).toBe(0);
  expect(output).toContain(`Database    ${NAME} would be created`);
  expect(output).toContain("ADMIN_TOKEN, ENCRYPTION_KEY, and ID_KEY");
  expect(cloudflare.changes).toEqual([]);
  expect(await config()).toBe(before);
  await expect(stat(keptFile())).rejects.toThrow("ENOENT");
});

test("tells somebody who is not signed in how to", async () => {
  const { code, output } = await checkout.deploy({ environment: { CLOUDFLARE_API_TOKEN: "" } });
  expect(output).toContain("You are not signed in to Cloudflare. Run npx wrangler login");
  expect(code).toBe(1);
});

test("tells which permission is lacking, and what wrangler said", async () => {
  cloudflare.forbid(/\/d1\//);
  const { code, output } = await checkout.deploy();
  expect(output).toContain("wrangler d1 list --json failed: this sign-in lacks a permission");
  expect(output).toContain("Authentication error [code: 10000]");
  expect(code).toBe(1);
  expect(cloudflare.changes).toEqual([]);
});

/** Runs a deployment until the first such change is made, and ends it at once, before it hears of that. */
async function killAt(stop: RegExp): Promise<void> {
  const group = Promise.withResolvers<number>();
  let killed = false;
  cloudflare.onChange(async (change) => {
    if (killed || !stop.test(change)) return;
    killed = true;
    process.kill(-(await group.promise), "SIGKILL");
  });
  const { output } = await checkout.deploy({ started: group.resolve });
  cloudflare.onChange(() => undefined);
  expect(killed, output).toBe(true);
}

/** How many rows of executions a database has. */
async function executionsIn(databaseId: string): Promise<number> {
  const rows = await cloudflare.query(databaseId, "SELECT count(*) AS count FROM executions");
  return z.tuple([z.object({ count: z.int() })]).parse(rows)[0].count;
}

async function accountNames(): Promise<string[]> {
  const { ADMIN_TOKEN: adminToken } = await kept();
  return (await listAccounts({ url: cloudflare.url, adminToken })).map(({ name }) => name);
}
