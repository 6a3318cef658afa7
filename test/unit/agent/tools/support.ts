import type { MadeFile, ToolContext, ToolServices } from "../../../../src/agent/tools/tool.ts";
import type { ToolAnswer } from "../../../../src/contract/tools/answer.ts";
import { createGuardedFetch } from "../../../../src/outbound/guarded-fetch.ts";
import { NO_SERVICES } from "../../../support/tool-services.ts";

/** A context with the real guarded fetch, which may reach loopback, and the given earlier answers. */
export function toolContext(options: {
  ownHosts?: string[];
  earlier?: Record<string, ToolAnswer>;
  files?: Record<string, MadeFile[]>;
  services?: ToolServices;
  signal?: AbortSignal;
}): ToolContext {
  const {
    ownHosts = [],
    earlier = {},
    files = {},
    services = NO_SERVICES,
    signal = new AbortController().signal,
  } = options;
  return {
    signal,
    fetch: createGuardedFetch({
      policy: { allowLoopback: true, ownHosts, schemes: ["http", "https"] },
      dnsOverHttpsUrl: null,
    }),
    earlier: (callId) => earlier[callId] ?? null,
    files: (callId) => files[callId] ?? [],
    services,
    idempotencyKey: "execution:call",
  };
}
