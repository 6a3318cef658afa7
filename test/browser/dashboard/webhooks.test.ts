import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { expectQuiet, openDashboard, type TestDashboard } from "../../support/browser/dashboard.ts";
import { isFocused, tabTo } from "../../support/browser/keyboard.ts";

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

async function newAccount() {
  const { apiKey } = await dashboard.account();
  return { apiKey, api: new Prompthook({ baseUrl: dashboard.url, apiKey }) };
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

test("an endpoint for GitHub is made, tried and switched off by the keyboard alone", async () => {
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

test("a mapping is made and tried by the keyboard alone", async () => {
  const { apiKey, api } = await newAccount();
  const { workflowId } = await api.workflows.create({
    name: "Greet",
    prompt: "Greet {{domain}}.",
    inputs: [{ name: "name" }, { name: "domain", required: true }],
  });
  const { endpointId, url } = await api.webhooks.create({ name: "hook", workflowId });
  const body = JSON.stringify({ person: { name: "Jo", mail: "jo@shop.example.co.uk" } });
  const headers = { "Content-Type": "application/json" };
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(422);
  const page = await dashboard.signIn(apiKey);
  await page.goto(`/dashboard/webhooks/${endpointId}/rules`);

  await tabTo(page, button(page, "Add value"));
  await page.keyboard.press("Enter");
  const field = page.getByRole("group", { name: "Value 1" });
  await expect.poll(() => isFocused(field.getByLabel("Path or name"))).toBe(true);
  await page.keyboard.type("person.mail");
  await tabTo(page, field.getByLabel("Input"));
  await page.keyboard.type("domain");
  await tabTo(page, field.getByLabel("Default"));
  await page.keyboard.type('"example.com"');
  await tabTo(page, field.getByLabel("Transforms"));
  await page.keyboard.type('[{"type": "domain", "level": "host"}]');
  await tabTo(page, button(page, "Try draft"));
  await page.keyboard.press("Enter");
  await page.locator("#what-if").getByText('"shop.example.co.uk"').waitFor();
  await tabTo(page, button(page, "Save draft"));
  await page.keyboard.press("Enter");
  await page.getByText("Rules saved.").waitFor();
  const { mapping } = await api.webhooks.get(endpointId);
  const transforms = [{ type: "domain", level: "host" }];
  expect(mapping.fields).toEqual([
    { to: "domain", from: "person.mail", transforms, default: "example.com" },
  ]);
  expectQuiet(page);
});

describe("rows of required headers", () => {
  test("come and go without leaving the page, and the focus goes with them", async () => {
    const { apiKey, api } = await newAccount();
    const { endpointId } = await api.webhooks.create({ name: "hook" });
    const page = await dashboard.signIn(apiKey);
    await page.goto(`/dashboard/webhooks/${endpointId}/settings`);
    await page.getByLabel("Log retention (days)").fill("7");
    await button(page, "Add header").click();
    const name = (row: number) =>
      page.getByRole("group", { name: `Header ${row}` }).getByLabel("Name");
    await name(1).waitFor();
    await expect.poll(() => isFocused(name(1))).toBe(true);
    await page.keyboard.type("X-One");
    await button(page, "Add header").click();
    await name(2).fill("X-Two");
    await button(page, "Remove header 1").or(button(page, "Remove X-One")).click();
    await name(2).waitFor({ state: "detached" });
    expect(await name(1).inputValue()).toBe("X-Two");
    expect(await page.getByLabel("Log retention (days)").inputValue()).toBe("7");
    // Enter saves, though the first button that is seen adds a row.
    await name(1).press("Enter");
    await page.getByText(/saved\./).waitFor();
    expect((await api.webhooks.get(endpointId)).auth.headers).toEqual([{ name: "X-Two" }]);
    expectQuiet(page);
  });
});
