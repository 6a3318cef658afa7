import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { chromiumProgram } from "../../../scripts/local/chromium.ts";
import { startTestRuntime } from "../runtime.ts";

declare module "vitest" {
  interface ProvidedContext {
    dashboard: {
      url: string;
      adminToken: string;
      /** Where the browser takes connections. */
      browser: string;
    };
  }
}

/** Starts one service and one browser for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = await chromiumProgram();
  const [service, browser] = await Promise.all([
    startTestRuntime(),
    chromium.launchServer({ executablePath }),
  ]);
  project.provide("dashboard", {
    url: service.url,
    adminToken: service.adminToken,
    browser: browser.wsEndpoint(),
  });
  return async () => {
    await browser.close();
    await service.close();
  };
}
