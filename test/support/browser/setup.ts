import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { chromiumProgram } from "../../../scripts/local/chromium.ts";
import { choosePort } from "../ports.ts";
import { startTestRuntime } from "../runtime.ts";

declare module "vitest" {
  interface ProvidedContext {
    dashboard: {
      url: string;
      adminToken: string;
      /** Where the browser takes connections. */
      browser: string;
      /** Where the service expects a server of models, which a test file may start. */
      modelPort: number;
    };
  }
}

/** Starts one service and one browser for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = await chromiumProgram();
  const modelPort = await choosePort();
  const variables = {
    OPENAI_BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
    OPENAI_API_KEY: "of-tests",
  };
  const [service, browser] = await Promise.all([
    startTestRuntime({ variables }),
    chromium.launchServer({ executablePath }),
  ]);
  project.provide("dashboard", {
    url: service.url,
    adminToken: service.adminToken,
    browser: browser.wsEndpoint(),
    modelPort,
  });
  return async () => {
    await browser.close();
    await service.close();
  };
}
