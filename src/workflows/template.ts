import type { Fault } from "../contract/inbound/payload.ts";

const REFERENCE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The names that a prompt refers to as `{{name}}`, each once. */
export function referencesOf(prompt: string): string[] {
  return [...new Set([...prompt.matchAll(REFERENCE)].map(([, name = ""]) => name))];
}

/**
 * What is wrong with a prompt's references. The values themselves never come into the prompt: they go
 * to the agent as data beside it, so that a payload cannot give orders.
 */
export function templateFault(prompt: string, inputNames: readonly string[]): Fault | null {
  const unknown = referencesOf(prompt).find((name) => !inputNames.includes(name));
  if (unknown === undefined) return null;
  const known = inputNames.length === 0 ? "there are none" : `there are ${inputNames.join(", ")}`;
  return {
    path: "prompt",
    rule: "reference",
    message: `refers to the input {{${unknown}}}, which is not declared; ${known}`,
  };
}
