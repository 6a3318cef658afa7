import type { McpServerRecord } from "../../contract/mcp.ts";
import { DataTable, Empty, NextPage, Notice, Time } from "../components/elements.tsx";
import { Layout } from "../components/layout.tsx";
import type { Dashboard, Page } from "../context.ts";
import {
  type Faults,
  NO_FAULTS,
  type Refusal,
  Refused,
  refusalFor,
  refusalOf,
} from "../forms/errors.tsx";
import { Input, SecretInput, SendOrCancel } from "../forms/fields.tsx";
import { postedForm } from "../forms/posted.ts";
import { notFound } from "../lookups.ts";
import { MCP_SERVERS, removalPath } from "../paths.ts";

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

/** A new server as it was typed, but for the value of its header. */
export interface ServerDraft {
  name: string;
  url: string;
  headerName: string;
}

export const NEW_DRAFT: ServerDraft = { name: "", url: "", headerName: "" };

/** Asks where a server is and what it wants to see. */
export function NewServerPage({ draft, refusal }: { draft: ServerDraft; refusal: Refusal | null }) {
  const faults = refusal?.faults ?? NO_FAULTS;
  return (
    <Layout title="Add an MCP server" section="mcp-servers">
      <Refused refusal={refusal} />
      <form method="post" action={MCP_SERVERS} class="card snug">
        <Input
          name="name"
          label="Name"
          hint="Its tools are named after it: mcp__crm__find for the tool find of crm."
          value={draft.name}
          faults={faults}
          more={{ required: true, maxlength: 100 }}
        />
        <Input
          name="url"
          label="Address"
          type="url"
          hint="Of its Streamable HTTP endpoint, such as https://crm.example/mcp."
          value={draft.url}
          faults={faults}
          more={{ required: true, maxlength: 2048 }}
        />
        <Input
          name="headerName"
          label="Header"
          hint="Sent with every request, such as Authorization. Leave it empty for a server that asks for nothing."
          value={draft.headerName}
          faults={faults}
          more={{ maxlength: 100 }}
        />
        <SecretInput
          name="headerValue"
          label="Value of the header"
          hint="Such as Bearer and a token. It is kept encrypted and never shown again."
          faults={faults}
          more={{ maxlength: 4096 }}
        />
        <SendOrCancel send="Add server" back={MCP_SERVERS} />
      </form>
    </Layout>
  );
}

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

/** The remote MCP servers whose tools the account's agents may use: list, add, remove. */
export function serveMcpServers(app: Dashboard): void {
  app.get("/mcp-servers", async (http) => {
    const cursor = http.req.query("cursor");
    const page = await http.get("api").mcpServers.list(cursor === undefined ? {} : { cursor });
    return http.html(<McpServersPage {...page} isAdded={http.req.query("done") === "added"} />);
  });

  app.get("/mcp-servers/new", (http) =>
    http.html(<NewServerPage draft={NEW_DRAFT} refusal={null} />),
  );
  app.post("/mcp-servers", add);

  app.get("/mcp-servers/:serverId/remove", async (http) => {
    const serverId = http.req.param("serverId");
    for await (const server of http.get("api").mcpServers.all()) {
      if (server.serverId === serverId) return http.html(<RemovePage server={server} />);
    }
    throw notFound(http);
  });

  app.post("/mcp-servers/:serverId/remove", async (http) => {
    await http.get("api").mcpServers.delete(http.req.param("serverId"));
    return http.redirect(MCP_SERVERS, 303);
  });
}

async function add(http: Page): Promise<Response> {
  const posted = await postedForm(http);
  const draft: ServerDraft = {
    name: posted.line("name"),
    url: posted.line("url"),
    headerName: posted.line("headerName"),
  };
  const value = posted.line("headerValue");
  const fault = headerFault(draft.headerName, value);
  if (fault !== null) {
    return http.html(<NewServerPage draft={draft} refusal={refusalFor(fault)} />, 400);
  }
  const headers = draft.headerName === "" ? {} : { [draft.headerName]: value };
  try {
    await http.get("api").mcpServers.create({ name: draft.name, url: draft.url, headers });
    return http.redirect(`${MCP_SERVERS}?done=added`, 303);
  } catch (error) {
    const refusal = refusalOf(error);
    const shown = { ...refusal, faults: atControls(refusal.faults) };
    return http.html(<NewServerPage draft={draft} refusal={shown} />, refusal.status);
  }
}

/** A header has both a name and a value. */
function headerFault(name: string, value: string): Faults | null {
  if (name === "" && value !== "") return new Map([["headerName", "Name the header."]]);
  if (name !== "" && value === "") return new Map([["headerValue", "Give its value."]]);
  return null;
}

/** What is said of the headers belongs to the one that there is. */
function atControls(faults: Faults): Faults {
  return new Map(
    [...faults].map(([path, message]) => [
      path.startsWith("headers") ? "headerName" : path,
      message,
    ]),
  );
}
