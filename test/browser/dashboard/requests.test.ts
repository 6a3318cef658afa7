import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectQuiet, openDashboard } from "../../support/browser/dashboard.ts";
import { newRequestRoom, startGate } from "../../support/browser/request-room.ts";
import { markPage } from "../../support/browser/run-room.ts";

const dashboard = await openDashboard();

const rows = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

describe("an open log", () => {
  test("shows new requests and their status without a reload, and keeps the scroll position", async () => {
    const { client, path, send } = await newRequestRoom(dashboard);
    const [first, second] = [await startGate(), await startGate()];
    first.open();
    const page = await dashboard.signIn(client.apiKey, { phone: true });
    await page.goto(path);
    const expectSamePage = await markPage(page);
    await send(first.url);
    await rows(page, "succeeded").waitFor();

    const link = page.getByRole("table").getByRole("link").first();
    await link.focus();
    const focused = await link.getAttribute("id");
    await send(second.url);
    await rows(page, "running").waitFor();
    expect(await page.getByRole("row").nth(0).textContent()).toContain("running");
    second.open();
    await rows(page, "succeeded").nth(1).waitFor();
    expect(await page.locator(":focus").getAttribute("id")).toBe(focused);
    await expectSamePage();
    expectQuiet(page);
  });

  test("is filtered by times in the reader's time zone", async () => {
    const { client, path } = await newRequestRoom(dashboard);
    const page = await dashboard.signIn(client.apiKey);
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Kolkata" });
    await page.goto(`${path}?status=queued`);
    await page.getByText("More filters", { exact: true }).click();
    const after = page.getByLabel("Received after (GMT+5:30)");
    await after.fill("2026-01-31T10:00:30");
    await page.getByRole("button", { name: "Apply filter" }).click();
    await page.waitForURL((url) => url.searchParams.get("receivedAfter") === "2026-01-31T04:30:30");
    expect(await after.inputValue()).toBe("2026-01-31T10:00:30");
    expectQuiet(page);
  });

  test("has no stream while it is hidden", async () => {
    const { client, path } = await newRequestRoom(dashboard);
    const page = await dashboard.signIn(client.apiKey);
    const show = (isShown: boolean) =>
      page.locator("html").evaluate(({ ownerDocument }, hidden) => {
        Object.defineProperty(ownerDocument, "hidden", { value: hidden, configurable: true });
        ownerDocument.dispatchEvent(new Event("visibilitychange"));
      }, !isShown);
    const opened = () => page.waitForRequest((request) => request.url().includes("/requests/live"));
    const first = opened();
    await page.goto(path);
    const ended = page.waitForEvent("requestfailed", (request) => request === firstRequest);
    const firstRequest = await first;
    await show(false);
    await ended;
    const again = opened();
    await show(true);
    await again;
    expectQuiet(page);
  });

  test("redirects to the sign-in when its session has ended", async () => {
    const { client, path, send } = await newRequestRoom(dashboard);
    const page = await dashboard.signIn(client.apiKey);
    await page.goto(path);
    await page.context().clearCookies();
    // The page asks again when something has changed.
    await send("https://example.com");
    await page.waitForURL("**/dashboard/sign-in");
    await page.getByLabel("API key").waitFor();
  });
});

test("a new endpoint's page shows the first request on arrival, and keeps the secret that it shows once", async () => {
  const { apiKey } = await dashboard.account();
  const page = await dashboard.signIn(apiKey);
  await page.goto("/dashboard/webhooks/new/github");
  await page.getByRole("button", { name: "Create endpoint" }).click();
  const secret = await page.locator("#made-secret").textContent();
  await page.getByRole("button", { name: "Copy: Secret" }).click();
  await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(secret);
  const url = (await page.locator("#url").textContent()) ?? "";
  await fetch(url.trim(), { method: "POST", body: "{}" });
  await page.locator("#arrivals").getByText("401", { exact: true }).waitFor();
  expect(await page.locator("#made-secret").textContent()).toBe(secret);
  expectQuiet(page);
});

test("a second click during a request replays nothing more", async () => {
  const { client, path, send } = await newRequestRoom(dashboard);
  const page = await dashboard.signIn(client.apiKey);
  await send("https://example.com");
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
