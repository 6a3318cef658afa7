import { expect, test } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { expectQuiet, openDashboard } from "../../support/browser/dashboard.ts";
import { isFocused, tabTo } from "../../support/browser/keyboard.ts";

const dashboard = await openDashboard();

test("a workflow is created by keyboard alone, row by row", async () => {
  const { apiKey } = await dashboard.account();
  const page = await dashboard.signIn(apiKey);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const input = (row: number, label: string) =>
    page.getByRole("group", { name: `Input ${row}` }).getByLabel(label, { exact: true });
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
  const { workflows } = await new Prompthook({ baseUrl: dashboard.url, apiKey }).workflows.list();
  expect(workflows[0]?.inputs.map(({ name }) => name)).toEqual(["one", "two"]);
  expectQuiet(page);
});
