import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import {
  expectAccessible,
  expectFitting,
  expectQuiet,
  openDashboard,
  type TestDashboard,
  type View,
} from "../support/browser/dashboard.ts";
import { look } from "../support/browser/looks.ts";

/** The whole page is long, and a busy machine takes its time to look at all of it. */
const WHOLE_PAGE_MS = 180_000;

let service: TestDashboard;
beforeAll(async () => {
  service = await openDashboard();
});
afterAll(() => service.close());

async function open(view: View = {}, anchor = ""): Promise<Page> {
  const page = await service.visit(view);
  await page.goto(`/docs${anchor}`);
  return page;
}

const filter = (page: Page) => page.getByRole("searchbox", { name: "Filter" });
const operation = (page: Page, id: string) => page.locator(`article#${id}`);

/** Opens what is folded, so that it is looked at as well. */
async function unfold(page: Page): Promise<void> {
  await page.locator("main details").evaluateAll((all) => {
    for (const details of all) details.setAttribute("open", "");
  });
}

describe("the reference", () => {
  test("has nothing that axe finds fault with", { timeout: WHOLE_PAGE_MS }, async () => {
    const page = await open();
    await expectAccessible(page);
    await expectFitting(page);
    expectQuiet(page);
  });

  test("reads well in every light and on a phone", async () => {
    const page = await open();
    await filter(page).fill("createEndpoint");
    await unfold(page);
    await look(page, "docs");
    expectQuiet(page);
  });

  test("explains an error at the address that the error names", async () => {
    const { url } = service;
    const answer = await fetch(`${url}/api/v1/agent/credits`);
    const { type } = z.object({ type: z.string() }).parse(await answer.json());
    const page = await service.visit();
    await page.goto(type);
    await expect.poll(() => isInView(page, "#problem-unauthorized")).toBe(true);
    await page.getByText("The API key is missing, unknown, expired or revoked.").waitFor();
    expectQuiet(page);
  });

  test("hands over a command that was copied whole", async () => {
    const page = await open({}, "#triggerExecution");
    await operation(page, "triggerExecution").getByRole("button", { name: "Copy" }).click();
    const command = await page.locator("#curl-triggerExecution").textContent();
    expect(command).toContain(`curl "${service.url}/api/v1/agent/trigger"`);
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(command);
    expectQuiet(page);
  });

  test("sends a request with the reader's key, and shows the answer", async () => {
    const { apiKey } = await service.account();
    const page = await open({}, "#getOwnAccount");
    const place = operation(page, "getOwnAccount");
    await place.getByRole("button", { name: "Try it" }).click();
    await place.getByLabel("API key").fill(apiKey);
    await place.getByRole("button", { name: "Send request" }).click();
    await place.getByRole("status").getByText("HTTP 200").waitFor();
    await place.locator(".try pre", { hasText: '"executions:write"' }).waitFor();
    const status = operation(page, "getExecutionStatus");
    await status.getByRole("button", { name: "Try it" }).click();
    expect(await status.getByLabel("API key").inputValue()).toBe(apiKey);
    await status.getByRole("button", { name: "Send request" }).click();
    await status.getByText("Replace {executionId} in the path.").waitFor();
    expectQuiet(page);
  });

  test("goes by keyboard alone", async () => {
    const page = await open();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("main:focus").waitFor();
    await page.goto("/docs#createEndpoint");
    const fold = operation(page, "createEndpoint").locator("summary").first();
    await fold.focus();
    await page.keyboard.press("Enter");
    await operation(page, "createEndpoint").locator("details[open]").first().waitFor();
    expectQuiet(page);
  });
});

async function isInView(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

describe("the filter", () => {
  test("leaves what has all of its words, and tells how much that is", async () => {
    const page = await open();
    await filter(page).pressSequentially("post webhooks replay");
    await page.getByRole("status").getByText("1 found").waitFor();
    expect(await operation(page, "replayWebhookRequest").isVisible()).toBe(true);
    for (const id of ["triggerExecution", "getWebhookRequest", "receiveWebhook"]) {
      expect(await operation(page, id).isVisible(), id).toBe(false);
    }
    expect(await page.getByRole("link", { name: "triggerExecution" }).count()).toBe(0);
    await filter(page).fill("");
    await operation(page, "triggerExecution").waitFor();
    expectQuiet(page);
  });

  test("ends when a link is followed", async () => {
    const page = await open();
    await filter(page).fill("listKeys");
    await operation(page, "listKeys").getByRole("link", { name: "rate_limited" }).click();
    await expect.poll(() => isInView(page, "#problem-rate_limited")).toBe(true);
    expect(await filter(page).inputValue()).toBe("");
    expectQuiet(page);
  });
});

describe("the contents", () => {
  test("are folded on a phone, and fold again once a link is followed", async () => {
    const page = await open({ phone: true });
    const link = page.getByRole("navigation").getByRole("link", { name: "stopExecution" });
    expect(await link.isVisible()).toBe(false);
    await page.getByText("Contents", { exact: true }).click();
    await link.click();
    await expect.poll(() => isInView(page, "#stopExecution h3")).toBe(true);
    expect(await link.isVisible()).toBe(false);
    expectQuiet(page);
  });

  test("lead on without scripts, where there is no filter", async () => {
    const page = await open({ scripts: false });
    expect(await filter(page).count()).toBe(0);
    const link = { name: "POST createKey", exact: true };
    await page.getByRole("navigation").getByRole("link", link).click();
    await expect.poll(() => isInView(page, "#createKey h3")).toBe(true);
    await page
      .locator("#createKey")
      .getByText("The scopes of the key. If left out, all scopes.")
      .waitFor();
  });
});
