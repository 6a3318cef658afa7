import { rmSync } from "node:fs";
import { join } from "node:path";
import { readFileIfAny, writePrivateFile } from "./private-file.ts";
import { Trouble } from "./trouble.ts";

export const LOCK_FILE = "prompthook.pid";

/**
 * Marks a state directory as in use by this process, until the process ends. Two services on the same
 * databases would corrupt them. Throws `Trouble` while another living process holds the directory; a
 * mark that a killed process left behind is taken over.
 */
export async function lockState(directory: string): Promise<void> {
  const path = join(directory, LOCK_FILE);
  const holder = Number(await readFileIfAny(path));
  if (holder === process.pid) return;
  if (holder && isAlive(holder)) {
    throw new Trouble(
      `${directory} is in use by the service of process ${holder}; end it, or name another directory in STATE_DIR.`,
    );
  }
  await writePrivateFile(path, String(process.pid));
  process.once("exit", () => rmSync(path, { force: true }));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
