import { afterAll, beforeAll, test } from "vitest";
import { expectQuiet, openDashboard, type TestDashboard } from "../../support/browser/dashboard.ts";
import { look, lookAround } from "../../support/browser/looks.ts";

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

test("a server is added and removed", async () => {
  const { apiKey } = await dashboard.account();
  const page = await dashboard.signIn(apiKey);
  await page.getByRole("link", { name: "MCP servers" }).click();
  await page.getByText("No MCP servers yet").waitFor();
  await page.getByRole("link", { name: "Add server" }).click();
  await look(page, "mcp-servers-new");
  await page.getByLabel("Name").fill("crm");
  await page.getByLabel("URL").fill("https://crm.example/mcp");
  await page.getByLabel("Header", { exact: true }).fill("Authorization");
  await page.getByLabel("Header value").fill("Bearer a-token-of-ours-3xYz");
  await page.getByRole("button", { name: "Add server" }).click();
  await page.getByText("…3xYz").waitFor();
  await look(page, "mcp-servers-list");
  await page.getByRole("link", { name: "Remove crm" }).click();
  await look(page, "mcp-servers-remove");
  await page.getByRole("button", { name: "Remove crm" }).click();
  await page.getByText("No MCP servers yet").waitFor();
  expectQuiet(page);
});

test("a connection is created and listed without its value", async () => {
  const { apiKey } = await dashboard.account();
  const page = await dashboard.signIn(apiKey);
  await lookAround(page, { "connections-new": "/dashboard/connections/new" });
  await page.getByLabel("Name").fill("crm");
  await page.getByLabel("Hosts").fill("api.crm.example\n*.crm.example");
  await page.getByLabel("Header").fill("Authorization");
  await page.getByLabel("Value").fill("Bearer a-token-of-ours-3xYz");
  await page.getByRole("button", { name: "Create connection" }).click();
  await page.getByText("Connection created.").waitFor();
  await look(page, "connections-list");
});
