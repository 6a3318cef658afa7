import { afterAll, beforeAll, expect, test } from "vitest";
import { expectQuiet, openDashboard, type TestDashboard } from "../../support/browser/dashboard.ts";
import { look } from "../../support/browser/looks.ts";

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

const credits = (apiKey: string) =>
  fetch(`${dashboard.url}/api/v1/agent/credits`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });

test("a key is made and revoked", async () => {
  const { apiKey } = await dashboard.account();
  const page = await dashboard.signIn(apiKey);
  await page.getByRole("link", { name: "Keys" }).click();
  await page.getByRole("link", { name: "Create key" }).click();
  await look(page, "keys-new");
  await page.getByLabel("Name").fill("ci");
  await page.getByLabel("keys:admin").uncheck();
  await page.getByLabel("Expires").selectOption("In 30 days");
  await page.getByRole("button", { name: "Create key" }).click();
  await look(page, "keys-made");
  const made = (await page.locator("#new-key").textContent()) ?? "";
  expect((await credits(made)).status).toBe(200);

  await page.getByRole("link", { name: "View all keys" }).click();
  await look(page, "keys-list");
  await page.getByRole("link", { name: "Revoke ci" }).click();
  await page.getByRole("heading", { name: "Revoke ci?" }).waitFor();
  await look(page, "keys-revoke");
  await page.getByRole("button", { name: "Revoke ci" }).click();
  await page.getByRole("status").getByText("no longer works").waitFor();
  expect((await credits(made)).status).toBe(401);
  expectQuiet(page);
});
