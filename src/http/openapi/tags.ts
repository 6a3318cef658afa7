/** The sections of the API document, in the order in which a reader needs them. */
export const TAGS = [
  {
    name: "Executions",
    description:
      "One run of an agent: start it, follow it, talk to it, stop it, read what came out of it.",
  },
  {
    name: "Callbacks",
    description: "The results that the service delivers by itself: how that went, and once more.",
  },
  {
    name: "Credits",
    description:
      "What the account can spend. Each execution holds its credits from the start and gives back the rest at its end.",
  },
  {
    name: "Workflows",
    description: "Prompts with typed inputs, kept to be run again and again.",
  },
  {
    name: "Webhooks",
    description:
      "Endpoints that take in other services' webhooks, check them and start a workflow for each; and the log of all that came.",
  },
  {
    name: "Usage",
    description: "Executions, credits and webhooks over time.",
  },
  {
    name: "Keys",
    description: "The account's API keys and what each may do.",
  },
  {
    name: "MCP servers",
    description: "Remote servers of the Model Context Protocol, whose tools the agents may use.",
  },
  {
    name: "Operators",
    description: "Opening accounts and granting credits, for those who run the service.",
  },
  {
    name: "Service",
    description: "The service itself.",
  },
] as const;

export type Tag = (typeof TAGS)[number]["name"];
