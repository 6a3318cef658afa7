/** The guides by the names of their pages, in reading order. */
export const GUIDES = [
  {
    title: "Guides",
    names: [
      "quickstart",
      "webhooks",
      "own-sender",
      "routes",
      "schedules",
      "decisions",
      "again",
      "callbacks",
      "models",
      "credits",
      "alerts",
      "mcp",
    ],
  },
  {
    title: "Reference",
    names: [
      "agents",
      "senders",
      "destinations",
      "conventions",
      "errors",
      "client",
      "files",
      "limits",
      "demo-model",
    ],
  },
  {
    title: "Operate",
    names: [
      "first-deploy",
      "deploying",
      "backup",
      "configuration",
      "members",
      "operating",
      "evaluating-models",
    ],
  },
  { title: "Project", names: ["architecture", "contributing", "changelog", "licences"] },
] as const;

/** The guides that are in the checkout's root instead of `docs`. */
const IN_ROOT = new Map([
  ["contributing", "CONTRIBUTING.md"],
  ["changelog", "CHANGELOG.md"],
]);

/** Returns the file of a guide, from the checkout's root. */
export function fileOf(name: string): string {
  return IN_ROOT.get(name) ?? `docs/${name}.md`;
}
