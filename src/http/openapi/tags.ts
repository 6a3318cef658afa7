/** The sections of the API reference, in reading order. */
export const TAGS = [
  {
    name: "Executions",
    description:
      "An execution is one run of an agent. Start it from a prompt, follow it, send it messages, stop it, and read its result.",
  },
  {
    name: "Callbacks",
    description: "Results that the service delivers to your `callbackUrl`.",
  },
  {
    name: "Credits",
    description:
      "The balance of the account. An execution reserves its credits when it starts and returns the rest when it ends.",
  },
  {
    name: "Decisions",
    description:
      "What executions ask people: questions, and calls that require approval. Answer each once.",
  },
  {
    name: "Workflows",
    description: "Reusable prompts with typed inputs.",
  },
  {
    name: "Webhooks",
    description:
      "Endpoints receive webhooks from other services, verify them, and start a workflow for each. Every request is logged.",
  },
  {
    name: "Usage",
    description: "Executions, credits and webhooks over time.",
  },
  {
    name: "Keys",
    description: "API keys and their scopes.",
  },
  {
    name: "Members",
    description: "The people of the account, their roles, and the log of what was changed by whom.",
  },
  {
    name: "Destinations",
    description:
      "Where the account's events go: webhooks, Slack, Teams, e-mail, CloudEvents and traces.",
  },
  {
    name: "Connections",
    description: "Credentials that your agents use and never see.",
  },
  {
    name: "Models",
    description: "The models that executions can ask, and the account's own providers of models.",
  },
  {
    name: "MCP servers",
    description: "Remote Model Context Protocol servers whose tools your agents can use.",
  },
  {
    name: "MCP tokens",
    description:
      "Addresses of Prompthook's own MCP server, for clients that can only be given an address.",
  },
  {
    name: "Operators",
    description: "Accounts and credits, for the operators of the service.",
  },
  {
    name: "Service",
    description: "The service itself.",
  },
] as const;

export type Tag = (typeof TAGS)[number]["name"];
