import type { Page } from "playwright-core";
import { afterAll, expect, inject } from "vitest";
import { type Behaviour, byStep } from "../model-server/behaviour.ts";
import { startModelServer } from "../model-server/server.ts";
import { openDashboard } from "./dashboard.ts";

/**
 * Opens a dashboard whose runs may have models that do as a test says, on the service of all test files or on
 * one of its own with an outbox.
 */
export async function openRunRoom({ hasOutbox = false } = {}) {
  const port = hasOutbox ? 0 : inject("dashboard").modelPort;
  const models = await startModelServer({ record: false, port });
  const variables = { OPENAI_BASE_URL: models.baseUrl, OPENAI_API_KEY: "of-tests" };
  const dashboard = await openDashboard(hasOutbox ? variables : undefined);
  afterAll(() => models.close());
  let count = 0;
  return {
    dashboard,
    /** The name of a new model that does this, step by step. */
    model(...steps: [Behaviour, ...Behaviour[]]): string {
      count += 1;
      models.script(`model-${count}`, byStep(...steps));
      return `openai/model-${count}`;
    },
  };
}

export type RunRoom = Awaited<ReturnType<typeof openRunRoom>>;

/** Where a run's page says how it stands. */
export const statusOf = (page: Page) => page.getByRole("status");

/** Waits until the page says this of its run. */
export async function untilSaid(page: Page, words: string): Promise<void> {
  await statusOf(page).getByText(words, { exact: true }).waitFor();
}

/** Notes that the page is this one; what it answers expects that it was not loaded anew since. */
export async function markPage(page: Page): Promise<() => Promise<void>> {
  await page.locator("html").evaluate((html) => html.setAttribute("data-marked", ""));
  return async () => expect(await page.locator("html[data-marked]").count()).toBe(1);
}
