import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible, openDashboard } from "../../support/browser/dashboard.ts";
import { newRequestRoom, startGate } from "../../support/browser/request-room.ts";

const dashboard = await openDashboard();

/** A browser at the page of a request that has come. */
async function openRequest(): Promise<Page> {
  const [gate, { client, path, send }] = [await startGate(), await newRequestRoom(dashboard)];
  gate.open();
  const page = await dashboard.signIn(client.apiKey);
  await send(gate.url);
  await page.goto(path);
  await page.getByRole("table").getByRole("link").first().click();
  return page;
}

test("a second click during a request replays nothing more", async () => {
  const page = await openRequest();
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

test("a refused replay has the focus at the invalid field", async () => {
  const page = await openRequest();
  await page.getByText("Edit payload").click();
  await page.getByLabel("Payload").fill('{"issue": 1}');
  await page.getByRole("button", { name: "Replay edited payload" }).click();
  await page.getByRole("link", { name: "View request" }).waitFor();
  expect(await page.locator(":focus").getAttribute("id")).toBe("payload");
  expect(await page.getByLabel("Payload").inputValue()).toBe('{"issue": 1}');
  await expectAccessible(page);
  await page.getByRole("link", { name: "View request" }).click();
  await page.getByRole("region", { name: "Status" }).getByText("rejected").waitFor();
});
