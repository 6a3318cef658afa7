import { expect, onTestFinished, test } from "vitest";
import type { CloudflareApi } from "../../../../scripts/deploy/api.ts";
import { type Choices, readDeployed } from "../../../../scripts/deploy/config.ts";
import { attachDomains, resolvesBy, withServiceHosts } from "../../../../scripts/deploy/domains.ts";
import { CONFIG } from "../../../../scripts/local/project.ts";
import { startNameServer } from "../../../support/cloudflare/name-server.ts";

const CHOICES: Choices = { name: null, domain: "hooks.example.com", workerName: null };
const config = await readDeployed(CONFIG, CHOICES);

test("passes wrangler no custom domain, which it would take over", () => {
  expect(config.domains).toEqual([{ hostname: "hooks.example.com" }]);
  expect(config.raw.routes).toEqual([]);
  expect(config.raw.workers_dev).toBe(true);
});

test.each([true, false])("allows Cloudflare to take domains over: %s", async (takeOver) => {
  const asked: unknown[] = [];
  const api: CloudflareApi = async (...call) => {
    asked.push(call);
    return { ok: true, result: null };
  };
  await attachDomains(api, config, takeOver);
  const overrides = { override_existing_origin: takeOver, override_existing_dns_record: takeOver };
  const origins = [{ hostname: "hooks.example.com" }];
  const body = { override_scope: true, ...overrides, origins };
  expect(asked).toEqual([["PUT", "/workers/scripts/prompthook/domains/records", body]]);
});

test("adds the service's hosts to those of the operator", () => {
  const vars = { ...config.raw.vars, SERVICE_HOSTS: "a.example, b.example" };
  const named = withServiceHosts({ ...config, raw: { ...config.raw, vars } }, [
    "b.example",
    "c.example",
  ]);
  expect(named.raw.vars.SERVICE_HOSTS).toBe("a.example,b.example,c.example");
  expect(withServiceHosts(config, [])).toBe(config);
});

test("says what to do if Cloudflare keeps the DNS records that it was allowed to replace", async () => {
  const refusal = {
    code: 100_117,
    message: "Hostname already has externally managed DNS records.",
  };
  const api: CloudflareApi = async () => ({ ok: false, refusal });
  await expect(attachDomains(api, config, true)).rejects.toThrow("Delete them in the dashboard");
});

test("looks up whether a name leads anywhere, even if its target is gone", async () => {
  const server = await startNameServer({
    "shop.example.com": { type: "A", address: [203, 0, 113, 7] },
    "docs.example.com": { type: "CNAME", target: "gone.example.net" },
  });
  onTestFinished(server.close);
  const resolves = resolvesBy([server.address]);
  expect(await resolves("shop.example.com")).toBe(true);
  expect(await resolves("docs.example.com")).toBe(true);
  expect(await resolves("hooks.example.com")).toBe(false);
});
