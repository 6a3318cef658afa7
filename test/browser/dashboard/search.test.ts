import { afterAll, beforeAll, expect, test } from "vitest";
import {
  expectFitting,
  openDashboard,
  type TestDashboard,
} from "../../support/browser/dashboard.ts";
import { Webhooks } from "../../support/webhooks.ts";

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

test("a log of many requests opens in under 300 ms, and does not scroll sideways on a phone", async () => {
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
  for (const path of [log, "/dashboard/search?q=order"]) {
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await expectFitting(page);
  }
});
