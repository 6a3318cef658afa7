import type { AcceptReply, SeedDraft } from "../contract/account.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { Connections } from "./connections.ts";
import type { Controls } from "./controls.ts";
import type { McpServers } from "./mcp-servers.ts";

/** A draft with what the account lets its execution use. */
export type GrantedDraft = Omit<SeedDraft, "tools" | "connections"> &
  Pick<ExecutionSeed, "tools" | "mcpServers" | "connections" | "emailRecipients" | "googleSheets">;

type Missing =
  | Omit<Extract<AcceptReply, { kind: "unknown_mcp_server" }>, "rate">
  | Omit<Extract<AcceptReply, { kind: "unknown_connection" }>, "rate">;

interface GrantComponents {
  mcpServers: McpServers;
  connections: Connections;
  controls: Controls;
}

/** Looks up what a draft names, which the account must have. */
export function grantDraft(
  { mcpServers, connections, controls }: GrantComponents,
  { connections: names, ...draft }: SeedDraft,
): { ok: true; draft: GrantedDraft } | { ok: false; missing: Missing } {
  const granted = mcpServers.grant(draft.tools, draft.approvals);
  if (!granted.ok) {
    return { ok: false, missing: { kind: "unknown_mcp_server", ...granted.missing } };
  }
  const usable = connections.grant(names);
  if (!usable.ok) {
    return { ok: false, missing: { kind: "unknown_connection", name: usable.missing } };
  }
  const { emailRecipients, googleSheets } = controls.current;
  const { tools, mcpServers: servers } = granted;
  const allowed = { tools, mcpServers: servers, connections: usable.connections };
  return { ok: true, draft: { ...draft, ...allowed, emailRecipients, googleSheets } };
}

/** Like `grantDraft`, but leaves out what the account no longer has. */
export function grantKnown(
  { mcpServers, connections, controls }: GrantComponents,
  { connections: names, ...draft }: SeedDraft,
): GrantedDraft {
  const { emailRecipients, googleSheets } = controls.current;
  return {
    ...draft,
    ...mcpServers.grantKnown(draft.tools),
    connections: connections.grantKnown(names),
    emailRecipients,
    googleSheets,
  };
}
