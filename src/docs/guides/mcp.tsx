import { Snippet } from "../components/text.tsx";
import type { GuideContext } from "../curl.ts";

/** The tools for other agents. */
const TOOLS = [
  { name: "trigger_agent", does: "Starts an agent, and waits for the result if asked to." },
  { name: "get_status", does: "Returns the status of an execution." },
  { name: "get_result", does: "Returns the result of an execution." },
  { name: "send_message", does: "Sends a message, an answer or an approval." },
  { name: "stop_agent", does: "Stops an execution." },
  { name: "list_executions", does: "Lists executions." },
  { name: "list_workflows", does: "Lists workflows." },
  { name: "run_workflow", does: "Starts an execution of a workflow." },
  { name: "list_endpoints", does: "Lists webhook endpoints." },
  { name: "list_cases", does: "Lists the cases of an endpoint." },
  { name: "list_waiters", does: "Lists the executions that wait for an event." },
  { name: "list_schedules", does: "Lists schedules." },
  { name: "create_schedule", does: "Creates a schedule." },
  { name: "update_schedule", does: "Changes, pauses or resumes a schedule." },
  { name: "delete_schedule", does: "Deletes a schedule." },
  { name: "run_schedule", does: "Runs a schedule now." },
];

/** How other agents use the service as a tool. */
export function McpGuide({ target }: GuideContext) {
  const server = { type: "http", url: `${target.origin}/mcp`, headers: HEADERS };
  const config = JSON.stringify({ mcpServers: { prompthook: server } }, null, 2);
  return (
    <section id="guide-mcp">
      <h2>Connect other agents</h2>
      <p>
        The service is a{" "}
        <a href="https://modelcontextprotocol.io" rel="noreferrer">
          Model Context Protocol
        </a>{" "}
        server at <code>{target.origin}/mcp</code>, over Streamable HTTP without sessions. It takes
        the same API keys: the scope <code>executions:read</code> is always required, and each tool
        requires the scopes of the operations that it calls.
      </p>
      <Snippet id="guide-mcp-config" label="Client configuration" text={config} />
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
        Tools that start an execution or send a message take an <code>idempotencyKey</code>: calls
        with the same key and arguments act once. Errors of the API are returned with{" "}
        <code>isError</code> and the <a href="#problems">problem</a>. To give your own agents the
        tools of other servers, add <a href="#tag-mcp-servers">MCP servers</a>.
      </p>
    </section>
  );
}

const HEADERS = { Authorization: "Bearer ph_live_..." };
