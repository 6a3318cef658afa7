import type { TestProject } from "vitest/node";
import { startSaasWeb } from "../site/saas.ts";

/** Starts the web that the Worker's tests search; answers how to end it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { search, close } = await startSaasWeb();
  project.provide("searxngUrl", search.searxng);
  return close;
}
