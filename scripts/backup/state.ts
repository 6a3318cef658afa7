import { spawn } from "node:child_process";
import { constants, existsSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readFileIfAny } from "../local/private-file.ts";
import { UserError } from "../local/project.ts";
import { PID_FILE, whileUnused } from "../local/state.ts";

/** The parts of a state; SQLite makes the files with the end `-shm` anew from the others. */
const KEPT = /^(?:v3|prompthook\.json|outbox)$/;
const SHARED_MEMORY = /-shm$/;

/**
 * Copies a state directory into a new folder. A service that runs on it is paused meanwhile, so the copy is what
 * a power cut at that moment would have left, which every start recovers from.
 */
export async function copyState(directory: string, folder: string): Promise<void> {
  if (!existsSync(directory)) {
    throw new UserError(`${directory} does not exist. Set STATE_DIR to the state of a service.`);
  }
  const isCopied = await whileUnused(directory, () => copy(directory, folder));
  if (isCopied) return;
  const pid = await readFileIfAny(join(directory, PID_FILE));
  if (pid === null) {
    throw new UserError(
      `The service on ${directory} is not ready. Repeat this once it is; if an earlier version started it, restart it first.`,
    );
  }
  const resume = await pause(Number(pid));
  try {
    await copy(directory, folder);
  } finally {
    await resume();
  }
}

/** Copies the state in a folder to a state directory that does not exist, or is empty. */
export async function restoreState(folder: string, directory: string): Promise<void> {
  const there = await readdir(directory).catch(() => []);
  if (there.length > 0) {
    throw new UserError(
      `${directory} is not empty. Stop its service and move it away, or set STATE_DIR to another directory.`,
    );
  }
  await copy(folder, directory);
}

/** Copies the parts of a state; the copy is there once it is whole. */
async function copy(from: string, to: string): Promise<void> {
  const names = (await readdir(from).catch(() => [])).filter((name) => KEPT.test(name));
  if (names.length < 2) throw new UserError(`${from} is not the state of a service.`);
  const draft = join(dirname(to), `.${basename(to)}.part`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  for (const name of names) {
    await cp(join(from, name), join(draft, name), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !SHARED_MEMORY.test(path),
    });
  }
  await rename(draft, to);
}

/**
 * Pauses workerd. Returns what resumes it, which a shell does as well when this process ends, however it
 * does: it waits for the end of its input.
 */
async function pause(pid: number): Promise<() => Promise<void>> {
  // All threads have stopped a moment after the signal.
  const script = 'kill -STOP "$0" && sleep 0.2 && echo paused; cat; kill -CONT "$0"';
  const child = spawn("sh", ["-c", script, String(pid)], {
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ended = new Promise<void>((over) => child.once("close", () => over()));
  child.stdout.once("data", () => resolve());
  child.stdout.once("end", () => reject(new UserError(`Process ${pid} cannot be paused.`)));
  child.once("error", reject);
  // Without the message, the shell waits for its input as if it had paused it.
  const giveUp = setTimeout(() => child.stdin.end(), 5_000);
  await promise.finally(() => clearTimeout(giveUp));
  return async () => {
    child.stdin.end();
    await ended;
  };
}
