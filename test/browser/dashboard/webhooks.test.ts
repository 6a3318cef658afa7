import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { expectQuiet, openDashboard } from "../../support/browser/dashboard.ts";
import { tabTo } from "../../support/browser/keyboard.ts";

const dashboard = await openDashboard();

async function newAccount() {
  const { apiKey } = await dashboard.account();
  return { apiKey, api: new Prompthook({ baseUrl: dashboard.url, apiKey }) };
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

test("an endpoint for GitHub is created, tried and disabled by keyboard alone", async () => {
  const { apiKey, api } = await newAccount();
  const page = await dashboard.signIn(apiKey);
  await tabTo(page, link(page, "Webhooks"));
  await page.keyboard.press("Enter");
  await tabTo(page, link(page, "Create endpoint"));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("link", { name: "GitHub" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByLabel("Name", { exact: true }));
  await page.keyboard.type(" of ours");
  await page.keyboard.press("Enter");
  await page.getByText("is ready.").waitFor();
  await tabTo(page, button(page, "Copy: URL"));
  await page.keyboard.press("Enter");
  await button(page, "Copy: URL").getByText("Copied").waitFor();
  // What comes shows without a reload, which would take the secret away.
  const url = ((await page.locator("#url").textContent()) ?? "").trim();
  await fetch(url, { method: "POST", body: "{}" });
  await page.locator("#arrivals").getByText("401", { exact: true }).waitFor();
  expect(await page.locator("#made-secret").count()).toBe(1);
  await tabTo(page, link(page, "Try a sample").first());
  await page.keyboard.press("Enter");
  await tabTo(page, button(page, "Try sample"));
  await page.keyboard.press("Space");
  await page.getByRole("heading", { name: "Accepted" }).waitFor();
  await tabTo(page, link(page, "Overview").last());
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Disable endpoint" }));
  await page.keyboard.press("Space");
  await page.getByText("This endpoint is disabled.").waitFor();
  const { endpoints } = await api.webhooks.list();
  expect(endpoints).toMatchObject([{ enabled: false }]);
  expectQuiet(page);
});
