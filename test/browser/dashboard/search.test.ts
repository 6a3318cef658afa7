import { afterAll, beforeAll, expect, test } from "vitest";
import {
  expectAccessible,
  expectFitting,
  expectQuiet,
  openDashboard,
  type TestDashboard,
} from "../../support/browser/dashboard.ts";
import { Webhooks } from "../../support/webhooks.ts";

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

test("the keyboard alone finds an execution, a request and the sections", async () => {
  const client = await dashboard.account();
  const webhooks = new Webhooks(dashboard, client.apiKey);
  const id = await client.trigger({
    prompt: "Run ```return 12 * 7;```",
    metadata: { order: "A-1007" },
  });
  await client.ended(id);
  const { url, endpointId } = await webhooks.endpoint({ name: "Orders" });
  await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ type: "order.paid", sku: "fog-bell" }),
  });
  const page = await dashboard.signIn(client.apiKey);
  const results = page.locator("#results a");

  await page.keyboard.press("Control+k");
  await page.waitForURL("**/dashboard/search");
  await page.keyboard.type("a-1007");
  await page.keyboard.press("Enter");
  await results.filter({ hasText: "Run ```return 12 * 7;```" }).waitFor();
  await expectAccessible(page);
  await results.first().press("Enter");
  await page.waitForURL(`**/executions/${id}`);

  await page.keyboard.press("/");
  await page.waitForURL("**/dashboard/search");
  await page.keyboard.type("fog-bell");
  await page.keyboard.press("Enter");
  await results.filter({ hasText: "order.paid" }).press("Enter");
  await page.waitForURL(`**/webhooks/${endpointId}/requests/*`);

  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await page.waitForURL("**/dashboard/executions");
  expectQuiet(page);
});

test("a log of many requests opens in under 300 ms, and no page scrolls sideways on a phone", async () => {
  const client = await dashboard.account();
  const webhooks = new Webhooks(dashboard, client.apiKey);
  const { url, endpointId } = await webhooks.endpoint({
    name: "Orders",
    requestsPerMinute: 60_000,
  });
  const send = (at: number) =>
    fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ type: "order.paid", at }),
    });
  const many = Number(process.env.LOG_ROWS ?? 200);
  for (let at = 0; at < many; at += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, one) => send(at + one)));
  }
  const page = await dashboard.signIn(client.apiKey, { phone: true });
  const log = `/dashboard/webhooks/${endpointId}/requests`;
  await page.goto(log);
  const times: number[] = [];
  // A busy machine is slow for any reason.
  while (times.length < 10 && Math.min(...times) >= 300) {
    const begun = performance.now();
    await page.goto(log, { waitUntil: "domcontentloaded" });
    times.push(performance.now() - begun);
  }
  console.info(`a log of ${many} requests opens in ${Math.round(Math.min(...times))} ms`);
  expect(Math.min(...times)).toBeLessThan(300);
  for (const path of [
    "",
    "/executions",
    "/executions/new",
    "/workflows",
    "/workflows/new",
    "/webhooks",
    "/webhooks/new",
    `/webhooks/${endpointId}`,
    `/webhooks/${endpointId}/requests`,
    `/webhooks/${endpointId}/try`,
    `/webhooks/${endpointId}/rules`,
    `/webhooks/${endpointId}/settings`,
    `/webhooks/${endpointId}/delete`,
    "/usage",
    "/keys",
    "/keys/new",
    "/mcp-servers",
    "/mcp-servers/new",
    "/search?q=order",
  ]) {
    await page.goto(`/dashboard${path}`, { waitUntil: "domcontentloaded" });
    await expectFitting(page);
  }
});
