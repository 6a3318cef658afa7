import type { ToolPorts } from "../../src/agent/tools/tool.ts";
import { createOutbox } from "../../src/outbound/email/mailer.ts";
import { nodeSandbox } from "./sandbox.ts";

/** For tools that need nothing of the world but `fetch`. */
export const NO_SERVICES: ToolPorts = {
  renderer: null,
  mailer: createOutbox({ from: "agent@prompthook.local", allowedRecipients: [] }),
  sandbox: nodeSandbox,
  sheets: null,
  search: null,
  events: { wait: async () => ({ ok: false, message: "There is no endpoint." }) },
};
