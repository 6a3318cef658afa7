import { afterAll, beforeAll, test } from "vitest";
import {
  expectAccessible,
  expectFitting,
  expectQuiet,
  openDashboard,
  shoot,
  type TestDashboard,
} from "../../support/browser/dashboard.ts";

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

test.each([
  { phone: false, dark: false },
  { phone: false, dark: true },
  { phone: true, dark: false },
  { phone: true, dark: true },
])("a server is added and removed, phone: $phone, dark: $dark", async (view) => {
  const { apiKey } = await dashboard.account();
  const page = await dashboard.signIn(apiKey, view);
  const name = `${view.phone ? "phone" : "desktop"}-${view.dark ? "dark" : "light"}`;
  const look = async (what: string) => {
    await expectAccessible(page);
    await expectFitting(page);
    await shoot(page, `mcp-servers-${what}-${name}`);
  };
  await page.getByRole("link", { name: "MCP servers" }).click();
  await page.getByText("No MCP server is registered").waitFor();
  await look("empty");
  await page.getByRole("link", { name: "Add a server" }).click();
  await look("new");
  await page.getByLabel("Name").fill("crm");
  await page.getByLabel("Address").fill("https://crm.example/mcp");
  await page.getByLabel("Header", { exact: true }).fill("Authorization");
  await page.getByLabel("Value of the header").fill("Bearer a-token-of-ours-3xYz");
  await page.getByRole("button", { name: "Add server" }).click();
  await page.getByText("…3xYz").waitFor();
  await look("list");
  await page.getByRole("link", { name: "Remove crm" }).click();
  await look("remove");
  await page.getByRole("button", { name: "Remove crm" }).click();
  await page.getByText("No MCP server is registered").waitFor();
  expectQuiet(page);
});
