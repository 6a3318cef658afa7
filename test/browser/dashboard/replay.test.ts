import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  expectAccessible,
  openDashboard,
  type TestDashboard,
} from "../../support/browser/dashboard.ts";
import { type Gate, newRequestRoom, startGate } from "../../support/browser/request-room.ts";

let dashboard: TestDashboard;
let gate: Gate;

beforeAll(async () => {
  [dashboard, gate] = await Promise.all([openDashboard(), startGate()]);
  gate.open();
});
afterAll(() => Promise.all([dashboard.close(), gate.close()]));

const status = (page: Page) => page.getByRole("region", { name: "Status" });

/** Presses Tab until the focus is on what has this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    const label = (await focused.getAttribute("aria-label")) ?? (await focused.textContent());
    if (label?.includes(name) || (await focused.getAttribute("id")) === name) return;
  }
  throw new Error(`the keyboard leads to no ${name}`);
}

test("a second click while the answer is on its way replays nothing more", async () => {
  const { client, path, send } = await newRequestRoom(dashboard);
  const page = await dashboard.signIn(client.apiKey);
  await send(gate.url);
  await page.goto(path);
  await page.getByRole("table").getByRole("link").first().click();
  const original = page.url();
  const { promise: clickedTwice, resolve: letGo } = Promise.withResolvers<void>();
  const posts: string[] = [];
  await page.route("**/replay", async (route) => {
    posts.push(route.request().url());
    await clickedTwice;
    await route.continue();
  });
  const button = page.getByRole("button", { name: "Replay unchanged" });
  await button.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
  // A locator would wait for the answer.
  await page.mouse.click(x + 5, y + 5);
  await expect.poll(() => posts).toHaveLength(1);
  await page.mouse.click(x + 5, y + 5);
  letGo();
  await page.waitForURL((url) => url.href !== original);
  expect(posts).toHaveLength(1);

  await page.goBack();
  await button.click();
  await page.waitForURL((url) => url.href !== original);
  expect(posts).toHaveLength(2);
});

test("the keyboard alone leads from the log to an edited replay", async () => {
  const { client, path, send } = await newRequestRoom(dashboard);
  const page = await dashboard.signIn(client.apiKey);
  await send(gate.url);
  await page.goto(path);
  await page.getByRole("row").filter({ hasText: "succeeded" }).waitFor();
  const id = await page.getByRole("table").getByRole("link").first().getAttribute("id");
  await tabTo(page, id ?? "");
  await page.keyboard.press("Enter");
  await status(page).waitFor();
  await tabTo(page, "Edit payload");
  await page.keyboard.press("Enter");
  await tabTo(page, "payload");
  await page.keyboard.press("Control+A");
  await page.keyboard.type(`{"issue": {"html_url": "${gate.url}"}}`);
  await tabTo(page, "Replay edited payload");
  await page.keyboard.press("Enter");
  await status(page).getByText(", edited").waitFor();
});

describe("a replay that is refused", () => {
  test("has the focus where it is to be mended", async () => {
    const { client, path, send } = await newRequestRoom(dashboard);
    const page = await dashboard.signIn(client.apiKey);
    await send(gate.url);
    await page.goto(path);
    await page.getByRole("table").getByRole("link").first().click();
    await page.getByText("Edit payload").click();
    await page.getByLabel("Payload").fill('{"issue": 1}');
    await page.getByRole("button", { name: "Replay edited payload" }).click();
    await page.getByRole("link", { name: "View request" }).waitFor();
    expect(await page.locator(":focus").getAttribute("id")).toBe("payload");
    expect(await page.getByLabel("Payload").inputValue()).toBe('{"issue": 1}');
    await expectAccessible(page);
    await page.getByRole("link", { name: "View request" }).click();
    await status(page).getByText("rejected").waitFor();
  });
});
