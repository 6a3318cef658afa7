import type { Dashboard, Page } from "../../context.ts";
import { type Faults, refusalFor, refusalOf } from "../../forms/faults.ts";
import { postedForm } from "../../forms/posted.ts";
import { notFound } from "../../not-found.ts";
import { McpServersPage } from "./list.tsx";
import { NEW_DRAFT, NewServerPage, type ServerDraft } from "./new-server.tsx";
import { MCP_SERVERS } from "./paths.ts";
import { RemovePage } from "./remove.tsx";

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
