import type { ToolContext } from "../../../../src/agent/tools/tool.ts";
import type { ToolAnswer } from "../../../../src/contract/tools/answer.ts";
import { createGuardedFetch } from "../../../../src/outbound/guarded-fetch.ts";

/** A context with the real guarded fetch, which may reach loopback, and the given earlier answers. */
export function toolContext(options: {
  ownHosts?: string[];
  earlier?: Record<string, ToolAnswer>;
  signal?: AbortSignal;
}): ToolContext {
  const { ownHosts = [], earlier = {}, signal = new AbortController().signal } = options;
  return {
    signal,
    fetch: createGuardedFetch({
      policy: { allowLoopback: true, ownHosts, schemes: ["http", "https"] },
      dnsOverHttpsUrl: null,
    }),
    earlier: (callId) => earlier[callId] ?? null,
    idempotencyKey: "execution:call",
  };
}
