import { parseEnv } from "node:util";
import { parseSettings, VARIABLES } from "../../src/env.ts";
import { readFileIfAny } from "./private-file.ts";
import { UserError } from "./project.ts";

/** Variables by name; those that are empty count as unset. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of a start, by where they are set. */
export interface Environment {
  /** The project's `.env`. */
  project: Variables;
  shell: Variables;
}

/** A provider whose key alone is enough. */
export interface KeyedProvider {
  name: "anthropic" | "openai" | "google";
  variable: string;
}

/** The providers whose keys are looked for, in this order. */
export const KEYED_PROVIDERS: readonly KeyedProvider[] = [
  { name: "anthropic", variable: "ANTHROPIC_API_KEY" },
  { name: "openai", variable: "OPENAI_API_KEY" },
  { name: "google", variable: "GEMINI_API_KEY" },
];

/**
 * Checks what `--model` names: `provider/name`, or a provider or server that is looked for. Throws
 * `UserError` for anything else.
 */
export function checkChosen(chosen: string | undefined): string | null {
  const names = [...KEYED_PROVIDERS.map(({ name }) => name), "ollama", "lmstudio"];
  if (chosen === undefined || names.includes(chosen) || /^[^/]+\/./.test(chosen)) {
    return chosen ?? null;
  }
  throw new UserError(
    `--model ${chosen} is not known. Use provider/name, or one of: ${names.join(", ")}.`,
  );
}

/** Reads the variables of a file, none if there is no such file. */
export async function readEnvironmentFile(path: string): Promise<Variables> {
  return parseEnv((await readFileIfAny(path)) ?? "");
}

/** Returns the value of a variable: the shell's, or else the project's. */
export function variableOf(name: string, { project, shell }: Environment): string | undefined {
  return shell[name] || project[name] || undefined;
}

/**
 * Joins the variables. The shell's come first, except that of its keys of models only the `allowed` ones
 * count, and only where the project has none: they were put there for something else.
 */
export function joinVariables(
  { project, shell }: Environment,
  allowed: ReadonlySet<string>,
): Record<string, string | undefined> {
  const keys = KEYED_PROVIDERS.map(({ variable }) => [
    variable,
    project[variable] || (allowed.has(variable) ? shell[variable] : undefined),
  ]);
  const own = Object.entries(shell).filter(([, value]) => value !== "");
  return { ...project, ...Object.fromEntries(own), ...Object.fromEntries(keys) };
}

/**
 * Returns the service's own variables among these, and no others. Throws `UserError` for a value that the
 * service would not start with.
 */
export function serviceVariables(variables: Variables): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of VARIABLES) {
    const value = variables[name];
    if (value) found[name] = value;
  }
  try {
    parseSettings(found);
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
  return found;
}
