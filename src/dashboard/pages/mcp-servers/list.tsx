import type { McpServerRecord } from "../../../contract/mcp.ts";
import { Layout } from "../../components/layout.tsx";
import { DataTable, Empty, NextPage, Notice, Time } from "../../components/parts.tsx";
import { MCP_SERVERS, removalPath } from "./paths.ts";

const COLUMNS = ["Name", "Tools", "Address", "Headers", "Added", "Actions"];

/** The account's remote MCP servers. */
export function McpServersPage({
  mcpServers,
  nextCursor,
  isAdded,
}: {
  mcpServers: McpServerRecord[];
  nextCursor: string | null;
  /** Whether one has just been added. */
  isAdded: boolean;
}) {
  const add = (
    <a class="button primary" href={`${MCP_SERVERS}/new`}>
      Add a server
    </a>
  );
  if (mcpServers.length === 0) {
    return (
      <Layout title="MCP servers" section="mcp-servers">
        <Empty title="No MCP server is registered">
          <p>
            Your agents may use the tools of remote MCP servers beside their own. Add one, and they
            find its tools by themselves.
          </p>
          {add}
        </Empty>
      </Layout>
    );
  }
  return (
    <Layout title="MCP servers" section="mcp-servers" actions={add}>
      {isAdded && (
        <Notice tone="good">
          Added. Its tools are looked up when an execution begins; one that it cannot reach says so
          in its log.
        </Notice>
      )}
      <DataTable label="MCP servers" columns={COLUMNS}>
        {mcpServers.map((server) => (
          <ServerRow server={server} />
        ))}
      </DataTable>
      <NextPage href={nextCursor && `${MCP_SERVERS}?cursor=${encodeURIComponent(nextCursor)}`} />
    </Layout>
  );
}

function ServerRow({ server }: { server: McpServerRecord }) {
  const { serverId, name, url, headers, createdAt } = server;
  return (
    <tr>
      <td class="named">{name}</td>
      <td>
        <code>{`mcp__${name}`}</code>
      </td>
      <td class="wrap">
        <code>{url}</code>
      </td>
      <td>
        {headers.length === 0 ? (
          <span class="muted">none</span>
        ) : (
          headers.map((header) => <Header {...header} />)
        )}
      </td>
      <td>
        <Time at={createdAt} />
      </td>
      <td>
        <a class="button danger" href={removalPath(serverId)} aria-label={`Remove ${name}`}>
          Remove
        </a>
      </td>
    </tr>
  );
}

function Header({ name, last4 }: McpServerRecord["headers"][number]) {
  return (
    <div>
      <code>{name}</code> <span class="muted">{last4 === "" ? "set" : `…${last4}`}</span>
    </div>
  );
}
