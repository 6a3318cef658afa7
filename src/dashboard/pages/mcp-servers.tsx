import { createMcpServerBody, type McpServerRecord } from "../../contract/mcp.ts";
import { Time } from "../components/elements.tsx";
import type { Column } from "../components/table.tsx";
import type { Dashboard } from "../context.ts";
import { type Form, field } from "../forms/form.ts";
import { serveResource } from "./resource.tsx";

const COLUMNS: Column<McpServerRecord>[] = [
  { name: "Name", is: "keep", cell: ({ name }) => <strong>{name}</strong> },
  { name: "Tools", cell: ({ name }) => <code>{`mcp__${name}`}</code> },
  { name: "URL", is: "wrap", cell: ({ url }) => <code>{url}</code> },
  {
    name: "Headers",
    cell: ({ headers }) =>
      headers.length === 0 ? (
        <span class="muted">none</span>
      ) : (
        headers.map(({ name, last4 }) => (
          <div>
            <code>{name}</code> <span class="muted">{last4 === "" ? "set" : `…${last4}`}</span>
          </div>
        ))
      ),
  },
  { name: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const FORM: Form<typeof createMcpServerBody> = {
  schema: createMcpServerBody,
  fields: {
    name: field.line("Name", {
      hint: "Prefix of its tools: mcp__crm__find is the tool find of the server crm.",
      required: true,
    }),
    url: field.line("URL", {
      hint: "The server's Streamable HTTP endpoint, such as https://crm.example/mcp.",
      required: true,
      more: { type: "url" },
    }),
    headers: field.line("Header", {
      hint: "Sent with every request, such as Authorization. Leave empty if the server needs none.",
    }),
    headerValue: field.secret("Header value", {
      hint: "Such as Bearer and a token. It is stored encrypted and never shown again.",
    }),
  },
  assemble({ headers, headerValue, ...fields }, fault) {
    if (headers === undefined && headerValue === undefined) return fields;
    if (headers === undefined) fault("headers", "Enter the name of the header.");
    if (headerValue === undefined) fault("headerValue", "Enter the value of the header.");
    return { ...fields, headers: { [String(headers)]: headerValue } };
  },
};

/** Serves the remote MCP servers whose tools the account's agents can use. */
export function serveMcpServers(app: Dashboard): void {
  serveResource(app, {
    section: "mcp-servers",
    scope: "keys:admin",
    calls: ({ mcpServers }) => mcpServers,
    rowsOf: ({ mcpServers }) => mcpServers,
    idOf: ({ serverId }) => serverId,
    nameOf: ({ name }) => name,
    columns: () => COLUMNS,
    empty: {
      title: "No MCP servers yet",
      text: "Agents can use the tools of the remote MCP servers that you add here.",
    },
    notices: {
      created:
        "Server added. Each execution looks up its tools when it starts, and logs a server that it cannot reach.",
    },
    form: FORM,
    create: "Add server",
    act: "remove",
    about: ({ url }) => (
      <p>
        Agents can no longer call <code>{url}</code>, including those of running executions. Its
        headers are deleted.
      </p>
    ),
  });
}
