import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { expectAccessible, openDashboard } from "../../support/browser/dashboard.ts";
import type { Client } from "../../support/client.ts";

const dashboard = await openDashboard();

const LIST = "/dashboard/workflows";
const REFUSED = { status: 429, headers: { "Retry-After": "1" }, body: "<main id=main>No</main>" };

/** A reader before the first page, and the errors that its scripts do not catch. */
async function newReader(): Promise<{ client: Client; page: Page; errors: string[] }> {
  const client = await dashboard.account();
  const page = await dashboard.signIn(client.apiKey);
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  return { client, page, errors };
}

const create = ({ apiKey }: Client, name: string) =>
  new Prompthook({ baseUrl: dashboard.url, apiKey }).workflows.create({ name, prompt: "Look." });

const paused = (page: Page) => page.locator("#paused");

test("a page with a refused refresh keeps its content, shows a notice, and recovers by itself", async () => {
  const { client, page, errors } = await newReader();
  await create(client, "first");
  await page.goto(LIST);
  let isRefused = true;
  await page.route(
    ({ pathname }) => pathname === LIST,
    (route) => (isRefused ? route.fulfill(REFUSED) : route.continue()),
  );
  await create(client, "second");
  await paused(page).getByText("Updates paused").waitFor();
  await page.getByRole("link", { name: "first" }).waitFor();
  await expectAccessible(page);
  isRefused = false;
  await page.getByRole("link", { name: "second" }).waitFor();
  await expect.poll(() => paused(page).textContent()).toBe("");
  expect(errors).toEqual([]);
});

test("a refused stream is reopened", async () => {
  const { client, page, errors } = await newReader();
  await create(client, "first");
  await page.clock.install();
  await page.route(
    ({ pathname }) => pathname === `${LIST}/live`,
    (route) => route.fulfill(REFUSED),
    {
      times: 1,
    },
  );
  await page.goto(LIST);
  await paused(page).getByText("Updates paused").waitFor();
  await page.clock.fastForward(15_000);
  await expect.poll(() => paused(page).textContent()).toBe("");
  await create(client, "second");
  await page.getByRole("link", { name: "second" }).waitFor();
  expect(errors).toEqual([]);
});

test("a page says that the service cannot be reached, and follows it again by itself", async () => {
  const { client, page, errors } = await newReader();
  let isDown = true;
  await page.route(
    ({ pathname }) => pathname === `${LIST}/live`,
    (route) => (isDown ? route.abort("connectionrefused") : route.continue()),
  );
  await page.goto(LIST);
  await paused(page).getByText("Updates paused").waitFor();
  isDown = false;
  await expect.poll(() => paused(page).textContent(), { timeout: 10_000 }).toBe("");
  await create(client, "first");
  await page.getByRole("link", { name: "first" }).waitFor();
  expect(errors).toEqual([]);
});

test("a reader pauses the updates of a page, and has the latest state on resuming", async () => {
  const { client, page, errors } = await newReader();
  await create(client, "first");
  await page.goto(LIST);
  const button = page.getByRole("button", { name: "Pause updates" });
  await button.press("Enter");
  await paused(page).getByText("Updates paused").waitFor();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const other = await page.context().newPage();
  await other.goto(LIST);
  await create(client, "second");
  await other.getByRole("link", { name: "second" }).waitFor();
  expect(asked).toEqual([]);
  await button.press("Enter");
  await page.getByRole("link", { name: "second" }).waitFor();
  expect(await paused(page).textContent()).toBe("");
  await page.goto("/dashboard/search");
  expect(await button.isVisible()).toBe(false);
  expect(errors).toEqual([]);
});

test("a form that could not be sent keeps its input", async () => {
  const { page } = await newReader();
  await page.goto(`${LIST}/new`);
  await page.getByLabel("Name").fill("typed");
  await page.getByLabel("Prompt").fill("Look.");
  await page.route(
    ({ pathname }) => pathname === LIST,
    (route) => route.abort("connectionreset"),
    { times: 1 },
  );
  await page.getByRole("button", { name: "Create workflow" }).click();
  await page.waitForURL("chrome-error://**");
  await page.goBack();
  expect(await page.getByLabel("Name").inputValue()).toBe("typed");
  await page.getByRole("button", { name: "Create workflow" }).click();
  await page.getByRole("heading", { name: "typed" }).waitFor();
});

test("an editor keeps its input while the service refuses", async () => {
  const { page, errors } = await newReader();
  await page.goto(`${LIST}/new`);
  await page.getByLabel("Name").fill("typed");
  await page.route(
    ({ pathname }) => pathname === LIST,
    (route) => route.fulfill(REFUSED),
  );
  await page.getByRole("button", { name: "Add input" }).click();
  await paused(page).getByText("Updates paused").waitFor();
  expect(await page.getByLabel("Name").inputValue()).toBe("typed");
  expect(errors).toEqual([]);
});
