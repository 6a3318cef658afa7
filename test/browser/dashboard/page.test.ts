import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectQuiet, openDashboard, type TestDashboard } from "../../support/browser/dashboard.ts";
import { isFocused } from "../../support/browser/keyboard.ts";

let dashboard: TestDashboard;
let page: Page;
let executionId: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  const client = await dashboard.account();
  const note = { type: "string", description: 'a "b"' };
  const outputSchema = { anyOf: [{ type: "object" }, { properties: { note } }] };
  executionId = await client.trigger({ prompt: "Say hello.", outputSchema });
  await client.ended(executionId);
  page = await dashboard.signIn(client.apiKey);
});
afterAll(() => dashboard.close());

const copied = () => page.evaluate("navigator.clipboard.readText()");

test("a field of JSON is copied as its path or as its value", async () => {
  await page.goto(`/dashboard/executions/${executionId}`);
  for (const folded of (await page.locator("details:not([open])").all()).reverse()) {
    await folded.evaluate((details) => details.setAttribute("open", ""));
  }
  await page.getByText("description", { exact: true }).click();
  await expect.poll(copied).toBe("anyOf[1].properties.note.description");
  await page.getByText('"a \\"b\\""').click();
  await expect.poll(copied).toBe('a "b"');
  expectQuiet(page);
});

test("a bar of a chart leads to what it counts", async () => {
  await page.goto("/dashboard");
  await page.locator("figure", { hasText: "Executions by status" }).locator("svg a").last().click();
  await page.waitForURL(/\/executions\?createdAfter=.+&createdBefore=/);
  await page.getByRole("link", { name: "Say hello." }).waitFor();
  expectQuiet(page);
});

test("times are ages or exact, as the reader wants, in a zone that a column names once", async () => {
  await page.goto("/dashboard/executions");
  const time = page.locator("td time").first();
  expect(await time.textContent()).toMatch(/ago|now/);
  const button = page.getByRole("button", { name: "Exact times" });
  await button.click();
  await expect.poll(() => time.textContent()).toMatch(/\d\d:\d\d/);
  expect(await page.locator("th[data-time-zone]").count()).toBe(1);
  await page.reload();
  expect(await button.getAttribute("aria-pressed")).toBe("true");
  expectQuiet(page);
});

test("skip links lead from the top of a page into its list in at most ten presses", async () => {
  await page.goto("/dashboard/executions");
  let presses = 0;
  const press = async (key: string) => {
    presses += 1;
    await page.keyboard.press(key);
  };
  for (const name of ["Skip to content", "Skip to list"]) {
    const link = page.getByRole("link", { name });
    while (!(await isFocused(link))) await press("Tab");
    await press("Enter");
  }
  const row = page.getByRole("link", { name: "Say hello." });
  while (!(await isFocused(row))) await press("Tab");
  expect(presses).toBeLessThanOrEqual(10);
  expectQuiet(page);
});
