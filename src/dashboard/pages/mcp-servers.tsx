import { createMcpServerBody, type McpServerRecord } from "../../contract/mcp.ts";
import { DataTable, Empty, NextPage, Notice, Time } from "../components/elements.tsx";
import { Layout } from "../components/layout.tsx";
import { show } from "../components/reader.tsx";
import type { Dashboard } from "../context.ts";
import { Control, FormErrors, SubmitOrCancel } from "../forms/fields.tsx";
import { type Form, type FormState, shownForm, submit } from "../forms/form.ts";
import { postedForm } from "../forms/posted.ts";
import { notFound } from "../lookups.ts";
import { MCP_SERVERS, nextPath } from "../paths.ts";

const COLUMNS = ["Name", "Tools", "URL", "Headers", "Added", "Actions"];

const SERVER: Form<typeof createMcpServerBody> = {
  schema: createMcpServerBody,
  fields: {
    name: {
      kind: "line",
      label: "Name",
      hint: "Prefix of its tools: mcp__crm__find is the tool find of the server crm.",
      required: true,
      more: { maxlength: 100 },
    },
    url: {
      kind: "line",
      label: "URL",
      hint: "The server's Streamable HTTP endpoint, such as https://crm.example/mcp.",
      required: true,
      more: { type: "url" },
    },
    headers: {
      kind: "line",
      label: "Header",
      hint: "Sent with every request, such as Authorization. Leave empty if the server needs none.",
      more: { maxlength: 100 },
    },
    headerValue: {
      kind: "secret",
      label: "Header value",
      hint: "Such as Bearer and a token. It is stored encrypted and never shown again.",
      more: { maxlength: 4_096 },
    },
  },
  assemble({ headers, headerValue, ...fields }, fault) {
    if (headers === undefined && headerValue === undefined) return fields;
    if (headers === undefined) fault("headers", "Enter the name of the header.");
    if (headerValue === undefined) fault("headerValue", "Enter the value of the header.");
    return { ...fields, headers: { [String(headers)]: headerValue } };
  },
};

/** The remote MCP servers whose tools the account's agents can use: list, add, remove. */
export function serveMcpServers(app: Dashboard): void {
  app.get("/mcp-servers", async (http) => {
    const cursor = http.req.query("cursor");
    const page = await http.get("api").mcpServers.list(cursor === undefined ? {} : { cursor });
    return show(http, <McpServersPage {...page} isAdded={http.req.query("done") === "added"} />);
  });

  app.get("/mcp-servers/new", (http) => show(http, <NewServerPage state={shownForm(SERVER)} />));

  app.post("/mcp-servers", async (http) => {
    const added = await submit(SERVER, await postedForm(http), (body) =>
      http.get("api").mcpServers.create(body),
    );
    if (added.ok) return http.redirect(`${MCP_SERVERS}?done=added`, 303);
    return show(http, <NewServerPage state={added.state} />, added.state.refusal.status);
  });

  app.get("/mcp-servers/:serverId/remove", async (http) => {
    const serverId = http.req.param("serverId");
    for await (const server of http.get("api").mcpServers.all()) {
      if (server.serverId === serverId) return show(http, <RemovePage server={server} />);
    }
    throw notFound(http);
  });

  app.post("/mcp-servers/:serverId/remove", async (http) => {
    await http.get("api").mcpServers.delete(http.req.param("serverId"));
    return http.redirect(MCP_SERVERS, 303);
  });
}

function removalPath(serverId: string): string {
  return `${MCP_SERVERS}/${encodeURIComponent(serverId)}/remove`;
}

function McpServersPage({
  mcpServers,
  nextCursor,
  isAdded,
}: {
  mcpServers: McpServerRecord[];
  nextCursor: string | null;
  /** Whether a server has just been added. */
  isAdded: boolean;
}) {
  const add = (
    <a class="button primary" href={`${MCP_SERVERS}/new`}>
      Add server
    </a>
  );
  if (mcpServers.length === 0) {
    return (
      <Layout title="MCP servers" section="mcp-servers">
        <Empty title="No MCP servers yet">
          <p>Agents can use the tools of the remote MCP servers that you add here.</p>
          {add}
        </Empty>
      </Layout>
    );
  }
  return (
    <Layout title="MCP servers" section="mcp-servers" actions={add}>
      {isAdded && (
        <Notice tone="good">
          Server added. Each execution looks up its tools when it starts, and logs a server that it
          cannot reach.
        </Notice>
      )}
      <DataTable label="MCP servers" columns={COLUMNS}>
        {mcpServers.map(({ serverId, name, url, headers, createdAt }) => (
          <tr>
            <td class="named">{name}</td>
            <td>
              <code>{`mcp__${name}`}</code>
            </td>
            <td class="wrap">
              <code>{url}</code>
            </td>
            <td>
              {headers.length === 0 && <span class="muted">none</span>}
              {headers.map((header) => (
                <div>
                  <code>{header.name}</code>{" "}
                  <span class="muted">{header.last4 === "" ? "set" : `…${header.last4}`}</span>
                </div>
              ))}
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
        ))}
      </DataTable>
      <NextPage href={nextPath(MCP_SERVERS, nextCursor)} />
    </Layout>
  );
}

function NewServerPage({ state }: { state: FormState }) {
  return (
    <Layout title="Add MCP server" section="mcp-servers">
      <FormErrors of={state} />
      <form method="post" action={MCP_SERVERS} class="card snug">
        {Object.keys(SERVER.fields).map((name) => (
          <Control of={state} name={name} />
        ))}
        <SubmitOrCancel submit="Add server" back={MCP_SERVERS} />
      </form>
    </Layout>
  );
}

function RemovePage({ server: { serverId, name, url } }: { server: McpServerRecord }) {
  return (
    <Layout title={`Remove ${name}?`} section="mcp-servers">
      <p>
        Agents can no longer call <code>{url}</code>, including those of running executions. Its
        headers are deleted.
      </p>
      <form method="post" action={removalPath(serverId)}>
        <SubmitOrCancel submit={`Remove ${name}`} tone="danger" back={MCP_SERVERS} />
      </form>
    </Layout>
  );
}
