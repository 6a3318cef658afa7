import { describe, expect, test } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { expectQuiet, openDashboard } from "../../support/browser/dashboard.ts";
import { isFocused, tabTo } from "../../support/browser/keyboard.ts";
import { look } from "../../support/browser/looks.ts";

const dashboard = await openDashboard();

const ROOT = "/dashboard/workflows";

async function visit() {
  const { apiKey } = await dashboard.account();
  const api = new Prompthook({ baseUrl: dashboard.url, apiKey });
  const page = await dashboard.signIn(apiKey);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const input = (row: number, label: string) =>
    page.getByRole("group", { name: `Input ${row}` }).getByLabel(label, { exact: true });
  return { page, api, button, input };
}

const INPUTS = [
  { name: "page", required: true, description: "The page to open" },
  { name: "orderId", type: "integer" as const },
  { name: "express", type: "boolean" as const, default: false },
  { name: "placedAt", type: "timestamp" as const },
  { name: "lines", type: "array" as const },
];

describe("workflows", () => {
  test("are created by keyboard alone, row by row", async () => {
    const { page, api, button, input } = await visit();
    await tabTo(page, page.getByRole("link", { name: "Workflows", exact: true }));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("link", { name: "Create workflow" }));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByLabel("Name", { exact: true }));
    await page.keyboard.type("Compare");
    await tabTo(page, page.getByLabel("Prompt"));
    await page.keyboard.type("Compare {{one}} with {{two}}.");
    // What the prompt refers to is an input already.
    await expect.poll(() => input(2, "Name").inputValue()).toBe("two");
    expect(await input(1, "Name").inputValue()).toBe("one");
    await tabTo(page, button("Add input"));
    await page.keyboard.press("Space");
    await expect.poll(() => isFocused(input(3, "Name"))).toBe(true);
    await page.keyboard.type("three");
    await tabTo(page, button("Remove input 3"));
    await page.keyboard.press("Space");
    await input(3, "Name").waitFor({ state: "detached" });
    await expect.poll(() => isFocused(input(2, "Name"))).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Compare", level: 1 }).waitFor();
    const { workflows } = await api.workflows.list();
    expect(workflows[0]?.inputs.map(({ name }) => name)).toEqual(["one", "two"]);
    expectQuiet(page);
  });

  test("read well with a refused form", async () => {
    const { page, api, button } = await visit();
    const { workflowId } = await api.workflows.create({ name: "a", prompt: "b", inputs: INPUTS });
    await page.goto(`${ROOT}/${workflowId}/edit`);
    await page.getByLabel("Prompt").fill("Use {{nothing}}.");
    await page.getByRole("group", { name: "Input 2" }).getByLabel("Default").fill("seven");
    await button("Save workflow").click();
    await page.locator(".notice.bad").waitFor();
    await look(page, "workflows-refused");
  });
});
