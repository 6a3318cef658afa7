import { afterAll, beforeAll, test } from "vitest";
import { expectQuiet, openDashboard, type TestDashboard } from "../../support/browser/dashboard.ts";
import { look } from "../../support/browser/looks.ts";

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
  await look(page, "mcp-servers-empty");
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
