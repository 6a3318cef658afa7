import { afterEach, beforeEach, expect, test } from "vitest";
import { DeployedWorker } from "../support/cloudflare/account.ts";
import { type Checkout, newCheckout } from "../support/cloudflare/checkout.ts";
import { type Cloudflare, startCloudflare } from "../support/cloudflare/cloudflare.ts";

const NAME = "prompthook";
const DOMAIN = "hooks.example.com";
/** A deployment calls wrangler a dozen times. */
const LONG_MS = 240_000;

let cloudflare: Cloudflare;
let checkout: Checkout;

beforeEach(async () => {
  cloudflare = await startCloudflare();
  checkout = await newCheckout(cloudflare);
});

afterEach(async () => {
  await checkout.close();
  await cloudflare.close();
});

/** Runs a deployment that Cloudflare refuses, and expects these words. */
async function refused(words: string, args: string[] = []): Promise<void> {
  const { code, output } = await checkout.deploy({ args });
  expect(output).toContain(words);
  expect(code).toBe(1);
}

test("tells somebody who is not signed in how to", async () => {
  const { code, output } = await checkout.deploy({ environment: { CLOUDFLARE_API_TOKEN: "" } });
  expect(output).toContain("You are not signed in to Cloudflare. Run npx wrangler login");
  expect(code).toBe(1);
});

test("tells which permission is lacking", async () => {
  cloudflare.forbid(/\/d1\//);
  await refused("Cloudflare refused the databases: this sign-in lacks a permission");
  expect(cloudflare.changes).toEqual([]);
});

test("creates nothing in an account that cannot have queues", async () => {
  cloudflare.account.hasQueues = false;
  await refused("Cloudflare refused the queues: your plan does not include Queues.");
  expect(cloudflare.changes).toEqual([]);
});

test("asks a fresh account on the free plan for the one thing that it needs, then deploys within the plan", {
  timeout: LONG_MS,
}, async () => {
  const { account } = cloudflare;
  account.subdomain = null;
  account.isEmailVerified = false;
  account.plan = "free";
  await refused("Your account has no workers.dev subdomain");
  await refused("e-mail address of your Cloudflare account is not verified", [
    "--subdomain",
    "quay",
  ]);
  account.isEmailVerified = true;
  await refused("belongs to another account", ["--subdomain", "taken"]);
  expect(cloudflare.changes).toEqual([]);

  const { code, output } = await checkout.deploy({ args: ["--subdomain", "quay"] });
  expect(output).toContain("Subdomain   quay.workers.dev is registered");
  expect(output).toContain("Plan        free");
  expect(output).toContain("Dashboard");
  expect(code).toBe(0);
  expect(cloudflare.changes[0]).toBe("PUT /workers/subdomain");
  const { metadata } = account.worker(NAME).versions.at(-1) ?? {};
  expect(metadata?.limits).toBeUndefined();
  expect(metadata?.bindings).toContainEqual({
    type: "plain_text",
    name: "SERVICE_HOSTS",
    text: `${NAME}.quay.workers.dev`,
  });
});

test("says of an address that turns out to be unverified at the upload what to do", async () => {
  cloudflare.account.isEmailVerified = false;
  await refused("e-mail address of your Cloudflare account is not verified");
  expect(cloudflare.account.workers.size).toBe(0);
});

test("takes a domain neither from another Worker nor from DNS records, unless it is told to", {
  timeout: LONG_MS,
}, async () => {
  const { account } = cloudflare;
  account.workers.set("shop", new DeployedWorker("shop"));
  account.domains.set(DOMAIN, "shop");
  await refused(`${DOMAIN} leads to the Worker "shop"`, ["--domain", DOMAIN]);
  expect(cloudflare.changes).toEqual([]);

  // The records of a zone are compared once the Worker exists.
  account.domains.delete(DOMAIN);
  account.dnsRecords.add(DOMAIN);
  await refused(`${DOMAIN} has DNS records of its own`, ["--domain", DOMAIN]);
  expect(account.domains.size).toBe(0);
  cloudflare.changes.splice(0);
  await refused(`${DOMAIN} has DNS records of its own`, ["--domain", DOMAIN]);
  expect(cloudflare.changes).toEqual([`POST /workers/scripts/${NAME}/domains/changeset`]);

  const { code, output } = await checkout.deploy({ args: ["--domain", DOMAIN, "--take-over"] });
  expect(output).toContain("Dashboard");
  expect(code).toBe(0);
  expect([...account.domains]).toEqual([[DOMAIN, NAME]]);
  expect(account.worker(NAME).versions.at(-1)?.metadata.bindings).toContainEqual({
    type: "plain_text",
    name: "SERVICE_HOSTS",
    text: `${NAME}.harbour-lane.workers.dev,${DOMAIN}`,
  });
});
