import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type * as z from "zod";
import { UsageError } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

/** All of a file, or of the standard input for `-`. */
export async function readInput(name: string, { stdin }: Terminal): Promise<string> {
  if (name === "-") return text(stdin);
  try {
    return await readFile(name, "utf8");
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${reasonOf(error)}.`);
  }
}

/** The same, as JSON of some form. */
export async function readJson<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  terminal: Terminal,
): Promise<z.output<Schema>> {
  const content = await readInput(name, terminal);
  const what = name === "-" ? "The standard input" : name;
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${reasonOf(error)}.`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${what}: ${parsed.error.issues[0]?.message ?? "not of the right form"}.`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
