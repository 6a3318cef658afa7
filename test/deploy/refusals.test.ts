import { afterEach, beforeEach, expect, test } from "vitest";
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

test("tells somebody who is not signed in how to", async () => {
  const { code, output } = await checkout.deploy({ environment: { CLOUDFLARE_API_TOKEN: "" } });
  expect(output).toContain("You are not signed in to Cloudflare. Run npx wrangler login");
  expect(code).toBe(1);
});

test("deploys within the free plan, and takes a domain from its DNS records only with --take-over", {
  timeout: LONG_MS,
}, async () => {
  const { account } = cloudflare;
  account.subdomain = null;
  account.plan = "free";
  account.dnsRecords.add(DOMAIN);
  const args = ["--subdomain", "quay", "--domain", DOMAIN];
  const refused = await checkout.deploy({ args });
  expect(refused.output).toContain("Subdomain   quay.workers.dev is registered");
  expect(refused.output).toContain("Plan        free");
  // The records of a zone are compared once the Worker exists.
  expect(refused.output).toContain(`${DOMAIN} has DNS records of its own`);
  expect(refused.code).toBe(1);
  expect(cloudflare.changes[0]).toBe("PUT /workers/subdomain");
  expect(account.domains.size).toBe(0);
  expect(versions()).toHaveLength(1);

  const { code, output } = await checkout.deploy({ args: ["--domain", DOMAIN, "--take-over"] });
  expect(output).toContain("Dashboard");
  expect(code).toBe(0);
  expect([...account.domains]).toEqual([[DOMAIN, NAME]]);
  expect(versions()).toHaveLength(2);
  for (const { metadata } of versions()) {
    expect(metadata.limits).toBeUndefined();
    expect(metadata.bindings).toContainEqual({
      type: "plain_text",
      name: "SERVICE_HOSTS",
      text: `${NAME}.quay.workers.dev,${DOMAIN}`,
    });
  }
});

const versions = () => cloudflare.account.worker(NAME).versions;
