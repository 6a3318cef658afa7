import { buffer } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { expectQuiet, openDashboard, type TestDashboard } from "../../support/browser/dashboard.ts";
import { look, lookAround } from "../../support/browser/looks.ts";
import { Webhooks } from "../../support/webhooks.ts";
import { readWorkbook } from "../../support/workbook.ts";

/** From the sign-in to both steps done. */
const FIRST_RUN_MS = 60_000;

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

describe("the first steps", () => {
  test("lead from the sign-in to a finished execution and a received webhook within a minute", async () => {
    const { apiKey } = await dashboard.account();
    const begun = performance.now();
    const page = await dashboard.visit();
    await page.goto("/dashboard/sign-in");
    await page.getByLabel("API key").fill(apiKey);
    await press(page, "Sign in");
    await page.getByRole("heading", { name: "Get started" }).waitFor();
    await look(page, "first-run-empty");
    await press(page, "Start execution");
    await page.locator("#status").getByText("completed").waitFor();
    const link = page.getByRole("link", { name: "Download orders.xlsx" });
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const [sheet] = readWorkbook(await buffer(await download.createReadStream()));
    const customers = sheet?.rows.map((row) => row[1]?.value);
    expect(customers).toEqual(["customer", "Cedar", "Acme", "Birch", "Acme"]);
    await page.goto("/dashboard");
    await press(page, "Create first endpoint");
    await press(page, "Send test event");
    await page.locator("#outcome").getByText("succeeded", { exact: true }).waitFor();
    const took = performance.now() - begun;
    console.info(`from the sign-in to both done: ${(took / 1_000).toFixed(1)} s`);
    expect(took).toBeLessThan(FIRST_RUN_MS);
    expectQuiet(page);
  });
});

/** An account where runs have ended and wait, and an endpoint has taken in, refused and held. */
async function usedAccount() {
  const client = await dashboard.account();
  const webhooks = new Webhooks(dashboard, client.apiKey);
  const workflowId = await webhooks.workflow({
    name: "greet",
    prompt: "Say {{name}}.",
    inputs: [{ name: "name", type: "string", required: true }],
  });
  const greeting = await webhooks.endpoint({
    name: "greetings",
    workflowId,
    validation: { required: ["name"] },
  });
  const holding = await webhooks.endpoint({ name: "orders without a workflow" });
  const post = (url: string, body: unknown) =>
    fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  for (const name of ["Ada", "Bob"]) expect((await post(greeting.url, { name })).status).toBe(202);
  expect((await post(greeting.url, {})).status).toBe(422);
  expect((await post(holding.url, { order: 1 })).status).toBe(202);
  const ended = [await client.trigger({ prompt: "Run ```return 12 * 7;```" })];
  ended.push(await client.trigger({ prompt: "Run ```return 12 * 8;```" }));
  for (const id of ended) expect((await client.ended(id)).status).toBe("completed");
  await client.trigger({
    prompt: "Sum n from the data:\n\nn,m\n3,1\n4,1",
    approvals: ["process_data"],
  });
  await expect
    .poll(async () => (await client.list()).map(({ status }) => status).toSorted())
    .toEqual(["completed", "completed", "completed", "completed", "waiting_for_input"]);
  const api = new Prompthook({ baseUrl: dashboard.url, apiKey: client.apiKey });
  await expect
    .poll(async () => (await api.usage()).total)
    .toMatchObject({ executions: { completed: 4, waiting_for_input: 1 } });
  return { client, greeting, holding };
}

describe("the overview", () => {
  test("shows what waits, the figures and the charts", async () => {
    const { client } = await usedAccount();
    const page = await dashboard.signIn(client.apiKey);
    const waiting = page.getByRole("region", { name: "Requires action" });
    await waiting.getByText("Requires your approval").waitFor();
    await waiting.getByText("1 request held until a workflow is attached").waitFor();
    const charts = page.locator(".chart svg[aria-labelledby]");
    await charts.first().waitFor();
    expect(
      await charts.evaluateAll((all) => all.map((one) => one.querySelector("title")?.textContent)),
    ).toEqual(["Executions by status", "Credits consumed", "Requests by outcome"]);
    for (const summary of await page.getByText("Show as table").all()) await summary.click();
    await look(page, "overview-tables");
    await lookAround(page, { usage: "/dashboard/usage" });
  });

  test("names hours in the reader's zone, and says which that is", async () => {
    const client = await dashboard.account();
    await client.ended(await client.trigger({ prompt: "Say hello." }));
    const page = await dashboard.signIn(client.apiKey);
    const chart = page.locator("figure", { hasText: "Executions by status" });
    await chart.getByText("UTC", { exact: true }).waitFor();
    const browser = await page.context().newCDPSession(page);
    await browser.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Kolkata" });
    await page.reload();
    await chart.getByText("GMT+5:30", { exact: true }).waitFor();
    const hours = await chart.locator("[data-hour]").allTextContents();
    expect(hours).toHaveLength(6);
    for (const hour of hours) expect(hour).toMatch(/^\d\d:30$/);
    await page.getByRole("link", { name: "7 days" }).click();
    await chart.getByText("UTC", { exact: true }).waitFor();
    expectQuiet(page);
  });
});
