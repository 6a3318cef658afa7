import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import {
  expectAccessible,
  expectFitting,
  expectQuiet,
  openDashboard,
} from "../../support/browser/dashboard.ts";
import { look } from "../../support/browser/looks.ts";
import type { Client } from "../../support/client.ts";

const dashboard = await openDashboard();
let page: Page;
let client: Client;
let executionId: string;

beforeAll(async () => {
  client = await dashboard.account();
  const note = { type: "string", description: 'a "b"' };
  const outputSchema = { anyOf: [{ type: "object" }, { properties: { note } }] };
  const inputs = { rows: Array.from({ length: 15 }, (_, at) => [`tea ${at}`, { deep: [at] }]) };
  executionId = await client.trigger({ prompt: "Say hello.", outputSchema, inputs });
  await client.ended(executionId);
  page = await dashboard.signIn(client.apiKey);
});

const copied = () => page.evaluate("navigator.clipboard.readText()");

test("a field of JSON is copied as its path or as its value", async () => {
  await page.goto(`/dashboard/executions/${executionId}`);
  for (const folded of (await page.locator("details:not([open])").all()).reverse()) {
    await folded.evaluate((details) => details.setAttribute("open", ""));
  }
  await page.getByText("description", { exact: true }).click();
  await expect.poll(copied).toBe("outputSchema.anyOf[1].properties.note.description");
  await page.getByText('"a \\"b\\""').click();
  await expect.poll(copied).toBe('a "b"');
  // It says so for a moment, and then its own text again.
  await page.getByText("Copied", { exact: true }).last().click();
  await page.getByText('"a \\"b\\""').waitFor();
  expect(await page.getByText("Copied", { exact: true }).count()).toBe(0);
  expectQuiet(page);
});

test("long JSON is searched from hit to hit, which opens folded parts, and wraps on request", async () => {
  await page.goto(`/dashboard/executions/${executionId}`);
  await page.locator("summary", { hasText: "rows" }).click();
  const data = page.locator(".json-long").first();
  const search = data.getByLabel("Search this JSON");
  const hits = data.locator(".json-tools output");
  await search.fill("tea 1");
  await expect.poll(() => hits.textContent()).toBe("1 of 6");
  await search.press("Enter");
  await page.locator(".hit[aria-current]", { hasText: "tea 10" }).waitFor();
  await search.press("Shift+Enter");
  await search.press("Shift+Enter");
  await page.locator(".hit[aria-current]", { hasText: "tea 14" }).waitFor();
  await search.fill("deep");
  await page.locator(".hit[aria-current]", { hasText: "deep" }).waitFor();
  await search.fill("coffee");
  await expect.poll(() => hits.textContent()).toBe("No hits");
  await data.getByRole("checkbox", { name: "Wrap" }).uncheck();
  await look(page, "json-search");
  expectQuiet(page);
});

test("times are relative or exact, as the reader chooses, in a time zone named once for each column", async () => {
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

test("on a phone the sections are a menu in a header of one row", async () => {
  const phone = await dashboard.signIn(client.apiKey, { phone: true });
  const sections = phone.getByRole("navigation", { name: "Sections" });
  for (const width of [380, 320]) {
    await phone.setViewportSize({ width, height: 800 });
    const { height = 0 } = (await phone.locator("header").boundingBox()) ?? {};
    expect(height).toBeLessThan(56);
    await expectFitting(phone);
  }
  expect(await sections.isVisible()).toBe(false);
  await phone.getByRole("button", { name: "Menu" }).press("Enter");
  await expectAccessible(phone);
  await sections.getByRole("link", { name: "Schedules" }).press("Enter");
  await phone.waitForURL("**/dashboard/schedules");
  expectQuiet(phone);
});

test("the count of open decisions ends at 99, and is not said to be exact beyond", async () => {
  const body = (count: number) => `event: waiting\ndata: ${count}\n\nevent: ended\ndata:\n\n`;
  let count = 100;
  await page.route("**/dashboard/live*", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: body(count) }),
  );
  for (const [open, shown] of [
    [100, "99+"],
    [2, "2"],
  ] as const) {
    count = open;
    await page.goto("/dashboard/search");
    await page.locator("#waiting-count").getByText(shown, { exact: true }).waitFor();
    expect(await page.title()).toBe(`(${shown}) Search · Prompthook`);
  }
  await page.unroute("**/dashboard/live*");
});

test("an invalid time is named as its field is, in the reader's time zone", async () => {
  const page = await dashboard.signIn(client.apiKey);
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Kolkata" });
  await page.goto("/dashboard/audit?from=soon&to=2026-01-31T04:30:30");
  await page.getByRole("alert").getByRole("link", { name: "From (GMT+5:30)" }).click();
  expect(await page.locator(":focus").getAttribute("id")).toBe("from");
  expect(await page.getByLabel("To (GMT+5:30)").inputValue()).toBe("2026-01-31T10:00:30");
  expect(errors).toEqual([]);
});

test("the overview shows hours in the reader's time zone, and names the zone", async () => {
  await page.goto("/dashboard");
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
