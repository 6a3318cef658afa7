/** The guides by the names of their pages, in reading order. */
export const GUIDES = [
  {
    title: "Start",
    names: [
      "quickstart",
      "webhooks",
      "callbacks",
      "destinations",
      "agents",
      "decisions",
      "again",
      "demo-model",
    ],
  },
  {
    title: "API",
    names: ["conventions", "errors", "client", "files", "mcp", "senders", "limits"],
  },
  {
    title: "Operate",
    names: [
      "deploying",
      "first-deploy",
      "configuration",
      "members",
      "operating",
      "backup",
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
