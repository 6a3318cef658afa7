/** Prompts to begin with; each is done by every model, the rule-based one too. */
export const EXAMPLES = [
  "Open https://example.com and list its links as a table.",
  "List the headings of https://www.iana.org/domains/reserved",
] as const;
