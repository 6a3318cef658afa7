import type { ToolContext } from "../../../../src/agent/tools/tool.ts";
import type { OutputFile, ToolAnswer } from "../../../../src/contract/tools/call.ts";
import { createGuardedFetch } from "../../../../src/outbound/guarded-fetch.ts";

/** A context with the real guarded fetch, which may reach loopback, and the given earlier answers. */
export function toolContext(options: {
  ownHosts?: string[];
  earlier?: Record<string, ToolAnswer>;
  files?: Record<string, OutputFile[]>;
  /** Where the sources of earlier calls were cut. */
  cuts?: Record<string, string>;
  cutReads?: string[];
  signal?: AbortSignal;
}): ToolContext {
  const {
    ownHosts = [],
    earlier = {},
    files = {},
    cuts = {},
    cutReads = [],
    signal = new AbortController().signal,
  } = options;
  return {
    signal,
    fetch: createGuardedFetch({
      policy: { allowLoopback: true, ownHosts, schemes: ["http", "https"] },
      dnsOverHttpsUrl: null,
    }),
    answer: (callId) => earlier[callId] ?? null,
    files: (callId) => files[callId] ?? [],
    cutsOf: (callIds) => [...new Set(callIds.flatMap((callId) => cuts[callId] ?? []))],
    cutReads,
    onProgress: () => {},
    idempotencyKey: "execution:call",
  };
}
