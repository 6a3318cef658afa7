import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import type * as z from "zod";
import type { Prompthook } from "../client/prompthook.ts";
import type { ExecutionResult } from "../contract/execution.ts";
import { mediaTypeOfFile } from "../contract/files.ts";
import type { FileOutput } from "../contract/outputs.ts";
import { UsageError } from "./errors.ts";
import { type Output, plain, type Terminal } from "./terminal.ts";

/** Reads a file, or standard input when the name is `-`. Throws `UsageError`. */
export async function readInput(name: string, { stdin }: Terminal): Promise<string> {
  return name === "-" ? text(stdin) : readFile(name, "utf8").catch(cannot("read", name));
}

/** Returns what reports that a file or folder could not be read or written. It throws `UsageError`. */
export const cannot = (verb: "read" | "write", path: string) => (error: unknown) => {
  throw new UsageError(`Cannot ${verb} ${plain(path)}: ${reasonOf(error)}.`);
};

/** Reads and validates JSON from a file or standard input. Throws `UsageError`. */
export async function readJson<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  terminal: Terminal,
): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(parseJson(await readInput(name, terminal), name));
  if (parsed.success) return parsed.data;
  const reason = parsed.error.issues[0]?.message ?? "invalid value";
  throw new UsageError(`${titleOf(name)}: ${reason}.`);
}

/** Parses the JSON of a file with this name. Throws `UsageError`. */
export function parseJson(content: string, name: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new UsageError(`${titleOf(name)} is not JSON: ${reasonOf(error)}.`);
  }
}

const titleOf = (name: string) => (name === "-" ? "Standard input" : name);

/** Reads files to send with a prompt; undefined for none. Throws `UsageError`. */
export async function readFiles(paths: readonly string[] | undefined) {
  return paths && Promise.all(paths.map(fileAt));
}

async function fileAt(path: string) {
  const bytes = await readFile(path).catch(cannot("read", path));
  const name = basename(path);
  return { name, mediaType: mediaTypeOfFile(name, bytes), data: bytes.toString("base64") };
}

/** Returns why something failed; of an error of the system only its words, such as `not a directory`. */
function reasonOf(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  return message.replace(/^E[A-Z]+: (.+?), \w+(?: '.*')?$/s, "$1");
}

/** Saves an execution's file outputs to a folder without overwriting anything. */
export async function saveFiles(
  client: Prompthook,
  { executionId, outputs }: ExecutionResult,
  folder: string,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true }).catch(cannot("write", folder));
  for (const made of outputs.filter((one) => one.type === "file")) {
    const response = await client.executions.file(executionId, made.outputId, { signal });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const path = await writeNew(folder, nameOf(made), bytes);
    output.note(`Saved ${plain(path)}`);
  }
}

/** Returns a safe file name: the agent chose the original, so path segments and leading dots are dropped. */
export function nameOf({ filename, outputId }: Pick<FileOutput, "filename" | "outputId">): string {
  const name = basename((filename ?? outputId).replaceAll("\\", "/")).replace(/^\.+/, "");
  return plain(name) || outputId;
}

async function writeNew(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  for (let copy = 1; ; copy += 1) {
    const path = join(folder, copy === 1 ? name : `${copy}-${name}`);
    try {
      await writeFile(path, bytes, { flag: "wx" });
      return path;
    } catch (error) {
      const taken = error instanceof Error && "code" in error && error.code === "EEXIST";
      if (!taken) cannot("write", path)(error);
    }
  }
}
