import { Snippet } from "../components/code.tsx";
import type { GuideContext } from "./guide.ts";

/** What other agents may call. */
const TOOLS = [
  { name: "trigger_agent", does: "Starts an agent, and waits for it if asked to." },
  { name: "get_status", does: "Tells how it stands." },
  { name: "get_result", does: "Reads what came out." },
  { name: "send_message", does: "Says something to it, answers, approves or denies." },
  { name: "stop_agent", does: "Stops it." },
  { name: "list_executions", does: "Lists runs." },
  { name: "list_workflows", does: "Lists workflows." },
  { name: "run_workflow", does: "Starts one of them." },
];

/** How other agents use the service as a tool. */
export function McpGuide({ target }: GuideContext) {
  const server = { type: "http", url: `${target.origin}/mcp`, headers: HEADERS };
  const config = JSON.stringify({ mcpServers: { prompthook: server } }, null, 2);
  return (
    <section id="guide-mcp">
      <h2>Use it from other agents</h2>
      <p>
        The{" "}
        <a href="https://modelcontextprotocol.io" rel="noreferrer">
          Model Context Protocol
        </a>{" "}
        is spoken at <code>{target.origin}/mcp</code>, over Streamable HTTP and without sessions, by
        the same keys: with <code>executions:read</code> in any case, and with the scopes of the
        operations that a tool stands for.
      </p>
      <Snippet id="guide-mcp-config" label="Configuration of a client" text={config} />
      <dl class="facts">
        {TOOLS.map(({ name, does }) => (
          <>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
      <p>
        The tools that start or say something take an <code>idempotencyKey</code>: the same key and
        arguments act once. What the API refuses comes back as an answer with <code>isError</code>{" "}
        and the <a href="#problems">error</a>. The other way round, agents get the tools of{" "}
        <a href="#tag-mcp-servers">MCP servers of yours</a>.
      </p>
    </section>
  );
}

const HEADERS = { Authorization: "Bearer ph_live_..." };
