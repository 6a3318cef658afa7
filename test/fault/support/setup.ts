import type { TestProject } from "vitest/node";
import { startTestRuntime } from "../../support/runtime.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A service that nothing kills, for tests that need no other. */
    service: { url: string; adminToken: string };
  }
}

/** Starts one service for all test files, each of which has accounts of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, adminToken, close } = await startTestRuntime();
  project.provide("service", { url, adminToken });
  return close;
}
