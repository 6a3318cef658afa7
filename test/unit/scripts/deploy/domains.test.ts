import { expect, test } from "vitest";
import type { CloudflareApi } from "../../../../scripts/deploy/api.ts";
import { type Choices, readDeployed } from "../../../../scripts/deploy/config.ts";
import { attachDomains, withServiceHosts } from "../../../../scripts/deploy/domains.ts";
import { CONFIG } from "../../../../scripts/local/project.ts";

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
