import type { McpServerRecord } from "../../../contract/mcp.ts";
import { SendOrCancel } from "../../components/form.tsx";
import { Layout } from "../../components/layout.tsx";
import { MCP_SERVERS, removalPath } from "./paths.ts";

/** Asks whether a server is meant, by its name, before it is removed. */
export function RemovePage({ server: { serverId, name, url } }: { server: McpServerRecord }) {
  return (
    <Layout title={`Remove ${name}?`} section="mcp-servers">
      <p>
        Agents can call <code>{url}</code> no more, those at work included. Its headers are
        forgotten.
      </p>
      <form method="post" action={removalPath(serverId)}>
        <SendOrCancel send={`Remove ${name}`} tone="danger" back={MCP_SERVERS} />
      </form>
    </Layout>
  );
}
