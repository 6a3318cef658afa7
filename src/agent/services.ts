import type { Settings } from "../env.ts";
import { lazyRenderer } from "../outbound/browser/lazy.ts";
import { createMailer } from "../outbound/email/mailer.ts";
import { createSheetsClient } from "../outbound/google/sheets.ts";
import { workerSandbox } from "./sandbox.ts";
import type { Capabilities, ToolPorts } from "./tools/tool.ts";

/** What the tools have of the world in this deployment. */
export function createServices(
  env: CloudflareEnv,
  settings: Settings,
): { services: ToolPorts; has: Capabilities } {
  return {
    services: {
      renderer: env.BROWSER ? lazyRenderer(env.BROWSER) : null,
      mailer: createMailer(settings, env.EMAIL),
      sandbox: workerSandbox,
      sheets: createSheetsClient(settings),
    },
    has: { browser: env.BROWSER !== undefined },
  };
}
