import { FIRST_PROMPT } from "../../overview/first-run/task.ts";

/** Prompts to begin with; each is done by every model, the rule-based one too, the first without a network. */
export const EXAMPLES = [
  FIRST_PROMPT,
  "Open https://example.com and list its links as a table.",
] as const;
