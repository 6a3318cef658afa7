import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Prompthook } from "../client/prompthook.ts";
import type { ExecutionResult, Output as Made } from "../contract/execution.ts";
import type { Output } from "./terminal.ts";
import { plain } from "./text.ts";

/** Saves the files that a run made into a folder, none over another. */
export async function saveFiles(
  client: Prompthook,
  { executionId, outputs }: ExecutionResult,
  folder: string,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const made of outputs.filter(({ type }) => type === "file")) {
    const response = await client.executions.file(executionId, made.outputId, { signal });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const path = await writeNew(folder, nameOf(made), bytes);
    output.note(`Saved ${plain(path)}`);
  }
}

/** An agent chose the name: only its last part counts, and no hidden file is made. */
export function nameOf({ filename, outputId }: Made): string {
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
      if (!taken) throw error;
    }
  }
}
