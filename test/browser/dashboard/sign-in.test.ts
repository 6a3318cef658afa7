import { expect, test } from "vitest";
import {
  expectAccessible,
  expectFitting,
  expectQuiet,
  openDashboard,
} from "../../support/browser/dashboard.ts";
import { isFocused } from "../../support/browser/keyboard.ts";

const dashboard = await openDashboard();

test("the sign-in form has the focus, and is centred", async () => {
  const page = await dashboard.visit();
  await page.goto("/dashboard/sign-in");
  expect(await isFocused(page.locator("input").first())).toBe(true);
  const { x = 0, width = 0 } = (await page.locator("main").boundingBox()) ?? {};
  expect(x * 2 + width).toBeCloseTo(page.viewportSize()?.width ?? 0, 0);
  expectQuiet(page);
});

test("a reader sees times in the browser's time zone, and can sign out", async () => {
  const { apiKey } = await dashboard.account();
  const page = await dashboard.signIn(apiKey);
  await page.goto("/dashboard/keys");
  await page.locator("time[title]").first().waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(/\/dashboard\/sign-in/);
  await page.goto("/dashboard/keys");
  expect(page.url()).toContain("/dashboard/sign-in");
  expectQuiet(page);
});

test("on a phone the sections are a menu in a header of one row", async () => {
  const { apiKey } = await dashboard.account();
  const page = await dashboard.signIn(apiKey, { phone: true });
  const sections = page.getByRole("navigation", { name: "Sections" });
  for (const width of [380, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const { height = 0 } = (await page.locator("header").boundingBox()) ?? {};
    expect(height).toBeLessThan(56);
    await expectFitting(page);
  }
  expect(await sections.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Menu" }).press("Enter");
  await expectAccessible(page);
  await sections.getByRole("link", { name: "Schedules" }).press("Enter");
  await page.waitForURL("**/dashboard/schedules");
  expectQuiet(page);
});
