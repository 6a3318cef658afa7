import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  expectAccessible,
  expectQuiet,
  openDashboard,
  type View,
} from "../support/browser/dashboard.ts";

const service = await openDashboard();

async function open(path: string, view: View = {}): Promise<Page> {
  const page = await service.visit(view);
  await page.goto(path);
  return page;
}

const operation = (page: Page, id: string) => page.locator(`.opblock[id$="-${id}"]`);
const filter = (page: Page) => page.getByPlaceholder("Filter by tag");

describe("the API reference", () => {
  test("lists all operations, and filters them by all words of a phrase", async () => {
    const page = await open("/docs");
    await operation(page, "triggerExecution").waitFor();
    await filter(page).fill("post webhooks replay");
    await expect.poll(() => page.locator(".opblock").count()).toBe(1);
    expect(await operation(page, "replayWebhookRequest").isVisible()).toBe(true);
    expectQuiet(page);
  });

  test("opens the operation of an anchor, which sends a request with the reader's key, by keyboard alone", async () => {
    const { apiKey } = await service.account();
    const page = await open("/docs#getOwnAccount");
    const own = operation(page, "getOwnAccount");
    const press = async (name: string, within = page.locator("body")) => {
      await within.getByRole("button", { name, exact: true }).first().press("Enter");
    };
    await own.getByText("Responses").first().waitFor();
    await filter(page).fill("getOwnAccount");
    await expect.poll(() => page.locator(".opblock").count()).toBe(1);
    await press("Authorize");
    const dialog = page.locator(".dialog-ux");
    await dialog.getByRole("textbox").first().fill(apiKey);
    await dialog.getByRole("button", { name: "Apply credentials" }).first().press("Enter");
    await dialog.getByRole("button", { name: "Close" }).last().press("Enter");
    await press("Try it out", own);
    await press("Execute", own);
    await own.locator(".live-responses-table").getByText('"executions:write"').waitFor();
    expectQuiet(page);
  });
});

describe("a guide", () => {
  test("copies a whole command", async () => {
    const page = await open("/docs/quickstart");
    await page.getByRole("button", { name: "Copy" }).first().click();
    const command = await page.locator("pre").first().textContent();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(command);
    expectQuiet(page);
  });

  test("shows calls in the language last chosen", async () => {
    const page = await open("/docs/schedules");
    const code = (text: string) => page.getByText(text).first();
    expect(await code("await prompthook.workflows.create").isVisible()).toBe(false);
    await page.getByText("TypeScript", { exact: true }).first().click();
    await code("prompthook.schedules.run(scheduleId)").waitFor();
    await page.goto("/docs/routes");
    await code("await prompthook.workflows.create").waitFor();
    expectQuiet(page);
  });

  test("has its contents folded on a phone and beside it elsewhere, even without scripts", async () => {
    const contents = (page: Page) => page.getByLabel("Guides", { exact: true });
    const link = (page: Page) =>
      contents(page).getByRole("link", { name: "Get results by callback" });
    const phone = await open("/docs/quickstart", { phone: true, scripts: false });
    expect(await link(phone).isVisible()).toBe(false);
    await phone.getByText("Contents", { exact: true }).click();
    await link(phone).click();
    await phone.getByRole("heading", { name: "Verify a callback" }).waitFor();
    const desktop = await open("/docs/quickstart", { scripts: false });
    expect(await link(desktop).isVisible()).toBe(true);
  });
});

describe("the search of the guides", () => {
  test("finds a section by words of its text, by keyboard alone", async () => {
    const page = await open("/docs/quickstart");
    await page.keyboard.press("/");
    const query = page.getByRole("searchbox", { name: "Search the guides" });
    await page.keyboard.type("zzyzx");
    await page.getByRole("status").getByText("0 found").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("status").textContent()).toBe("");
    await query.fill("");
    await page.keyboard.type("smartsheet challenge");
    await page.getByRole("link", { name: "Responses Receive webhooks" }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/webhooks#responses");
    expectQuiet(page);
  });
});
