import { VARIABLES } from "../../src/env.ts";
import { Trouble } from "./trouble.ts";

/** The service's own variables among `environment`, and no others. */
export function serviceVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of VARIABLES) {
    const value = environment[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** The variables as a dotenv file that gives back each value exactly. */
export function toEnvFile(variables: Record<string, string>): string {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quote(name, value)}`);
  return `${lines.join("\n")}\n`;
}

/**
 * Quoted for dotenv, which knows no escapes within quotes, and for the expansion of `$` after it.
 * Throws `Trouble` for the few values that no quoting can carry.
 */
function quote(name: string, value: string): string {
  const mark = ["'", "`"].find((candidate) => !value.includes(candidate));
  if (mark === undefined || value.endsWith("\\") || value.includes("\r")) {
    throw new Trouble(`${name} cannot be handed on: it mixes ' and \`, ends in \\ or holds a CR.`);
  }
  return mark + value.replaceAll("$", "\\$") + mark;
}
