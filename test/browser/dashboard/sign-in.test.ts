import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  expectAccessible,
  expectQuiet,
  openDashboard,
  type TestDashboard,
} from "../../support/browser/dashboard.ts";
import { look } from "../../support/browser/looks.ts";

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

describe("signing in", () => {
  test("reads well", async () => {
    const page = await dashboard.visit();
    await page.goto("/dashboard/sign-in");
    const { x = 0, width = 0 } = (await page.locator("main").boundingBox()) ?? {};
    expect(x * 2 + width).toBeCloseTo(page.viewportSize()?.width ?? 0, 0);
    await look(page, "sign-in");
    expectQuiet(page);
  });
});

test("a reader sees times in the zone of the browser, and can sign out", async () => {
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
