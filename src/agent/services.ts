import type { Settings } from "../env.ts";
import { createMailer } from "../outbound/email/mailer.ts";
import type { Capabilities, ToolServices } from "./tools/tool.ts";

/** What the tools have of the world in this deployment. */
export function createServices(
  env: CloudflareEnv,
  settings: Settings,
): { services: ToolServices; has: Capabilities } {
  return { services: { mailer: createMailer(settings, env.EMAIL) }, has: { browser: false } };
}
