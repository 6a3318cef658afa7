import type { AcceptReply, SeedDraft } from "../contract/account.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { Connections } from "./connections.ts";
import type { Controls } from "./controls.ts";
import type { McpServers } from "./mcp-servers.ts";
import type { ModelProviders } from "./model-providers.ts";

/** A draft with what the account lets its execution use. */
export type GrantedDraft = Omit<SeedDraft, "tools" | "connections" | "isDefaultModel"> &
  Pick<
    ExecutionSeed,
    | "tools"
    | "mcpServers"
    | "connections"
    | "emailRecipients"
    | "googleSheets"
    | "providers"
    | "chosen"
  >;

type Missing =
  | Omit<Extract<AcceptReply, { kind: "unknown_mcp_server" }>, "rate">
  | Omit<Extract<AcceptReply, { kind: "unknown_connection" }>, "rate">
  | Omit<Extract<AcceptReply, { kind: "unusable_model" }>, "rate">;

interface GrantComponents {
  mcpServers: McpServers;
  connections: Connections;
  modelProviders: ModelProviders;
  controls: Controls;
}

/** Looks up what a draft names, which the account must have. */
export function grantDraft(
  components: GrantComponents,
  draft: SeedDraft,
): { ok: true; draft: GrantedDraft } | { ok: false; missing: Missing } {
  const { mcpServers, connections, modelProviders } = components;
  const granted = mcpServers.grant(draft.tools, draft.approvals);
  if (!granted.ok) {
    return { ok: false, missing: { kind: "unknown_mcp_server", ...granted.missing } };
  }
  const usable = connections.grant(draft.connections);
  if (!usable.ok) {
    return { ok: false, missing: { kind: "unknown_connection", name: usable.missing } };
  }
  const unusable = modelProviders.unusable(draft);
  if (unusable !== null) return { ok: false, missing: { kind: "unusable_model", ...unusable } };
  return { ok: true, draft: grantKnown(components, draft) };
}

/** Like `grantDraft`, but leaves out what the account no longer has. */
export function grantKnown(
  { mcpServers, connections, modelProviders, controls }: GrantComponents,
  { connections: names, isDefaultModel, ...draft }: SeedDraft,
): GrantedDraft {
  const { emailRecipients, googleSheets } = controls.current;
  return {
    ...draft,
    ...mcpServers.grantKnown(draft.tools),
    ...modelProviders.grantKnown({ ...draft, ...(isDefaultModel && { isDefaultModel }) }),
    connections: connections.grantKnown(names),
    emailRecipients,
    googleSheets,
  };
}
