import type { TestProject } from "vitest/node";
import { choosePort } from "../../support/ports.ts";
import { startTestRuntime } from "../../support/runtime.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A service that nothing kills, for tests that need no other. */
    service: {
      url: string;
      adminToken: string;
      /** Where it expects a server of models, which a test file may start. */
      modelPort: number;
    };
  }
}

/** Starts one service for all test files, each of which has accounts of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const modelPort = await choosePort();
  const variables = { OPENAI_BASE_URL: `http://127.0.0.1:${modelPort}/v1` };
  const { url, adminToken, close } = await startTestRuntime({ variables });
  project.provide("service", { url, adminToken, modelPort });
  return close;
}
