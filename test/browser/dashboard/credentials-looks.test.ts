import { afterAll, beforeAll, test } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { expectQuiet, openDashboard, type TestDashboard } from "../../support/browser/dashboard.ts";
import { look, lookAround } from "../../support/browser/looks.ts";

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

test("the pages of keys, MCP servers and connections read well, from the form to the question before the end", async () => {
  const { apiKey } = await dashboard.account();
  const api = new Prompthook({ baseUrl: dashboard.url, apiKey });
  const page = await dashboard.signIn(apiKey);
  const headers = { Authorization: "Bearer a-token-of-ours-3xYz" };
  await api.mcpServers.create({ name: "crm", url: "https://crm.example/mcp", headers });

  await page.getByRole("link", { name: "Keys" }).click();
  await page.getByRole("link", { name: "Create key" }).click();
  await look(page, "keys-new");
  await page.getByLabel("Name").fill("ci");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.locator("#new-key").waitFor();
  await look(page, "keys-made");
  await page.getByRole("link", { name: "View all keys" }).click();
  await page.getByRole("link", { name: "Revoke ci" }).click();
  await page.getByRole("heading", { name: "Revoke ci?" }).waitFor();
  await look(page, "keys-revoke");

  await lookAround(page, {
    "keys-list": "/dashboard/keys",
    "mcp-servers-new": "/dashboard/mcp-servers/new",
    "connections-new": "/dashboard/connections/new",
    "mcp-servers-list": "/dashboard/mcp-servers",
  });
  expectQuiet(page);
});
