/**
 * The sections of the API reference, in reading order, with the beginnings of their routes' paths. Of two
 * sections, the longer beginning decides.
 */
export const TAGS = [
  {
    name: "Executions",
    paths: ["/api/v1/agent"],
    description: "An execution is one run of an agent, from a prompt to a result.",
  },
  {
    name: "Callbacks",
    paths: ["/api/v1/agent/trigger/:executionId/callbacks"],
    description: "Results that the service delivers to your `callbackUrl`.",
  },
  {
    name: "Credits",
    paths: ["/api/v1/agent/credits"],
    description: "The balance, of which an execution holds credits and returns the rest.",
  },
  {
    name: "Decisions",
    paths: ["/api/v1/decisions"],
    description: "What executions ask people: questions, and calls that require approval.",
  },
  {
    name: "Workflows",
    paths: ["/api/v1/workflows", "/api/v1/rehearsals", "/api/v1/schedules"],
    description: "Reusable prompts with typed inputs.",
  },
  {
    name: "Webhooks",
    paths: ["/hooks", "/api/v1/webhook", "/api/v1/cases", "/api/v1/replays"],
    description: "Endpoints receive webhooks, verify and log them, and start a workflow for each.",
  },
  {
    name: "Usage",
    paths: ["/api/v1/usage"],
    description: "Executions, credits and webhooks over time.",
  },
  {
    name: "Keys",
    paths: ["/api/v1/keys", "/api/v1/account"],
    description: "API keys and their scopes.",
  },
  {
    name: "Members",
    paths: ["/api/v1/members", "/api/v1/audit"],
    description: "The people of the account, their roles, and the log of what was changed by whom.",
  },
  {
    name: "Destinations",
    paths: ["/api/v1/destinations", "/api/v1/alerts"],
    description: "Where events go: webhooks, Slack, Teams, e-mail, CloudEvents and traces.",
  },
  {
    name: "Shares",
    paths: ["/api/v1/shares"],
    description: "Links to one result or one request, for people without a key.",
  },
  {
    name: "Connections",
    paths: ["/api/v1/connections"],
    description: "Credentials that your agents use and never see.",
  },
  {
    name: "Models",
    paths: ["/api/v1/model"],
    description: "The models that executions can ask, and the account's own providers of models.",
  },
  {
    name: "MCP servers",
    paths: ["/api/v1/mcp-servers"],
    description: "Remote Model Context Protocol servers whose tools your agents can use.",
  },
  {
    name: "MCP tokens",
    paths: ["/api/v1/mcp-tokens"],
    description: "Addresses of the MCP server, for clients that can only be given an address.",
  },
  {
    name: "Operators",
    paths: ["/api/v1/admin"],
    description: "Accounts and credits, for the operators of the service.",
  },
  { name: "Service", paths: ["/"], description: "The service itself." },
];

/** Returns the name of the section that has a path. */
export function tagOf(path: string): string {
  const beginnings = TAGS.flatMap(({ name, paths }) => paths.map((start) => ({ name, start })))
    .filter(({ start }) => path.startsWith(start))
    .sort((a, b) => b.start.length - a.start.length);
  return beginnings[0]?.name ?? "";
}
