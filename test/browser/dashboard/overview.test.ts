import { buffer } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectQuiet, openDashboard } from "../../support/browser/dashboard.ts";
import { readWorkbook } from "../../support/workbook.ts";

/** From the sign-in to both steps done. */
const FIRST_RUN_MS = 60_000;

const dashboard = await openDashboard();

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

describe("the overview", () => {
  test("shows hours in the reader's time zone, and names the zone", async () => {
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
