import type { Capabilities, ToolServices } from "./tools/tool.ts";

/** What the tools have of the world in this deployment. */
export function createServices(): { services: ToolServices; has: Capabilities } {
  return { services: {}, has: { browser: false } };
}
