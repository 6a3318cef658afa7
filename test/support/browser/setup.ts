import type { TestProject } from "vitest/node";
import { chromiumProgram } from "../../../scripts/local/chromium.ts";
import { choosePort } from "../ports.ts";
import { startTestRuntime } from "../runtime.ts";

declare module "vitest" {
  interface ProvidedContext {
    dashboard: {
      url: string;
      adminToken: string;
      /** The program of the browser. */
      browser: string;
      /** Where the service expects a server of models, which a test file may start. */
      modelPort: number;
    };
  }
}

/** Starts one service for all test files, and unpacks their browser. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await chromiumProgram();
  const modelPort = await choosePort();
  const variables = {
    OPENAI_BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
    OPENAI_API_KEY: "of-tests",
  };
  const { url, adminToken, close } = await startTestRuntime({ variables });
  project.provide("dashboard", { url, adminToken, browser, modelPort });
  return close;
}
