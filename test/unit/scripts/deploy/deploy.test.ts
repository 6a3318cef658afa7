import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type DeployOptions, deploy } from "../../../../scripts/deploy/deploy.ts";
import type { Outcome, Wrangler } from "../../../../scripts/deploy/wrangler.ts";
import { DeployedWorker } from "../../../support/cloudflare/account.ts";
import { type Checkout, newCheckout } from "../../../support/cloudflare/checkout.ts";
import { type Cloudflare, startCloudflare } from "../../../support/cloudflare/cloudflare.ts";
import { startServer, type TestServer } from "../../../support/server.ts";

const NAME = "prompthook";
const DOMAIN = "hooks.example.com";

/** The environment of a build that keeps no file. */
const BUILD = {
  WORKERS_CI: "1",
  ADMIN_TOKEN: "3f786850e387550fdab836ed7e6dc881de23001b",
  ENCRYPTION_KEY: "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=",
  ID_KEY: "EjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8=",
};

let cloudflare: Cloudflare;
let checkout: Checkout;
/** A service that is healthy. */
let service: TestServer;
/** The commands that wrangler was called with. */
let commands: string[];
/** What wrangler says of the upload in place of doing it. */
let uploadRefused: string | null;
/** The names that lead somewhere, by DNS. */
let leading: (name: string) => boolean;

beforeEach(async () => {
  [cloudflare, service] = await Promise.all([
    startCloudflare(),
    startServer((_, response) => response.end("{}")),
  ]);
  checkout = await newCheckout(cloudflare);
  commands = [];
  uploadRefused = null;
  leading = () => false;
});

afterEach(() => Promise.all([checkout, cloudflare, service].map((each) => each.close())));

const printing = (stdout: string): Outcome => ({ code: 0, stdout, stderr: "" });

/** A wrangler of somebody who is signed in. It migrates nothing, and uploads a Worker without code. */
const wrangler: Wrangler = async (args, { WRANGLER_OUTPUT_FILE_PATH: output = "" } = {}) => {
  const command = args.filter((arg) => !arg.startsWith("-")).join(" ");
  commands.push(command);
  if (command === "whoami") {
    const accounts = [{ id: cloudflare.account.id, name: "Harbour Lane" }];
    return printing(JSON.stringify({ loggedIn: true, accounts }));
  }
  if (command === "auth token") return printing('{"type": "api_token", "token": "of-wrangler"}');
  if (command !== "deploy") return printing("");
  if (uploadRefused !== null) return { code: 1, stdout: "", stderr: uploadRefused };
  cloudflare.account.workers.set(NAME, new DeployedWorker(NAME));
  await writeFile(output, '{"type": "deploy", "targets": []}');
  return printing("");
};

/** Deploys with these options. Returns what was reported. */
async function deployed(
  options: Partial<DeployOptions> = {},
  environment: Record<string, string> = {},
): Promise<string> {
  let reported = "";
  const chosen = { name: null, domain: null, subdomain: null, takeOver: false };
  const settings = { region: null, records: null, now: false, dryRun: false };
  await deploy(
    { config: checkout.config, url: service.origin, ...chosen, ...settings, ...options },
    {
      wranglerOn: () => wrangler,
      report: (step, outcome) => {
        reported += `${step.padEnd(12)}${outcome}\n`;
      },
      ask: async () => null,
      resolves: async (name) => leading(name),
      environment: { ...cloudflare.environment, ...environment },
    },
  );
  return reported;
}

const hasSecretsFile = () =>
  stat(join(checkout.directory, ".secrets", `${NAME}.json`)).then(
    () => true,
    () => false,
  );

test("plans a deployment, and changes nothing", async () => {
  const plan = await deployed({ dryRun: true });
  expect(plan).toContain(`Database    ${NAME} would be created`);
  expect(plan).toContain("ADMIN_TOKEN, ENCRYPTION_KEY, and ID_KEY");
  expect(plan).toContain(`Worker      ${NAME} would be created`);
  expect(commands).toEqual(["whoami", "auth token"]);
  expect(cloudflare.changes).toEqual([]);
  expect(await hasSecretsFile()).toBe(false);
});

test("continues a deployment that was interrupted after it created the database", async () => {
  uploadRefused = "The connection was lost.";
  await expect(deployed()).rejects.toThrow("The connection was lost.");
  expect(cloudflare.changes[0]).toBe("POST /d1/database");
  cloudflare.changes.splice(0);
  uploadRefused = null;
  expect(await deployed({}, BUILD)).toContain(`Worker      deployed at ${service.origin}`);
  expect(cloudflare.changes).toEqual([]);
});

test("generates no secret in a build without a state file", async () => {
  await expect(deployed({}, { WORKERS_CI: BUILD.WORKERS_CI })).rejects.toThrow(
    "this build generates none",
  );
  expect(cloudflare.changes).toEqual([]);
  expect(await hasSecretsFile()).toBe(false);
});

describe("before any change, refuses", () => {
  afterEach(() => {
    expect(commands).not.toContain("deploy");
    expect(cloudflare.changes).toEqual([]);
  });

  test("a sign-in that lacks a permission, and an account that cannot have queues", async () => {
    cloudflare.account.hasQueues = false;
    await expect(deployed()).rejects.toThrow(
      "Cloudflare refused the queues: your plan does not include Queues.",
    );
    cloudflare.forbid(/\/d1\//);
    await expect(deployed()).rejects.toThrow(
      "Cloudflare refused the databases: this sign-in lacks a permission",
    );
  });

  test("an account without a subdomain of workers.dev, until it can have the chosen one", async () => {
    const { account } = cloudflare;
    account.subdomain = null;
    await expect(deployed()).rejects.toThrow("Your account has no workers.dev subdomain");
    account.isEmailVerified = false;
    await expect(deployed({ subdomain: "quay" })).rejects.toThrow(
      "e-mail address of your Cloudflare account is not verified",
    );
    account.isEmailVerified = true;
    await expect(deployed({ subdomain: "taken" })).rejects.toThrow("belongs to another account");
  });

  test("a domain that leads to another Worker", async () => {
    cloudflare.account.workers.set("shop", new DeployedWorker("shop"));
    cloudflare.account.domains.set(DOMAIN, "shop");
    await expect(deployed({ domain: DOMAIN })).rejects.toThrow(
      `${DOMAIN} leads to the Worker "shop"`,
    );
  });

  test("a domain that has DNS records, if the sign-in may read them", async () => {
    cloudflare.account.dnsRecords.add(DOMAIN);
    const refused = `Domains are in use:\n  ${DOMAIN} has DNS records of its own\n`;
    await expect(deployed({ domain: DOMAIN })).rejects.toThrow(refused);
  });

  test("a domain that leads somewhere, if the sign-in may not read its DNS records", async () => {
    cloudflare.forbid(/\/dns_records$/);
    leading = (name) => name === DOMAIN;
    const refused = `${DOMAIN} has DNS records of its own`;
    await expect(deployed({ domain: DOMAIN })).rejects.toThrow(refused);
    cloudflare.forbid(/\/zones/);
    await expect(deployed({ domain: DOMAIN })).rejects.toThrow(refused);
  });
});

test("compares a domain with DNS records once the Worker exists, if they are neither readable nor told from a wildcard", async () => {
  cloudflare.account.dnsRecords.add(DOMAIN);
  cloudflare.forbid(/\/dns_records$/);
  leading = (name) => name.endsWith(".example.com");
  const refused = `${DOMAIN} has DNS records of its own`;
  await expect(deployed({ domain: DOMAIN }, BUILD)).rejects.toThrow(refused);
  expect(cloudflare.account.domains.size).toBe(0);
  expect(commands).toContain("deploy");
  commands.length = 0;
  cloudflare.changes.length = 0;
  await expect(deployed({ domain: DOMAIN }, BUILD)).rejects.toThrow(refused);
  expect(commands).not.toContain("deploy");
  expect(cloudflare.changes).toEqual([`POST /workers/scripts/${NAME}/domains/changeset`]);

  cloudflare.account.dnsRecords.clear();
  expect(await deployed({ domain: DOMAIN }, BUILD)).toContain("Worker      deployed at");
  expect([...cloudflare.account.domains]).toEqual([[DOMAIN, NAME]]);
});

test.each([
  ["an address that is not verified", 10034, "e-mail address of your Cloudflare account is not"],
  ["a price that is not agreed to", 10084, "Cloudflare may want a payment method"],
])("advises on an upload refused for %s", async (_, code, advice) => {
  uploadRefused = `In order to use Workers, do something. [code: ${code}]`;
  await expect(deployed()).rejects.toThrow(advice);
});
