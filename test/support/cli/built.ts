import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram } from "../../../scripts/package/build.ts";
import { BARE } from "../processes.ts";

interface Ended {
  exit: number | null;
  stdout: string;
  stderr: string;
}

interface CliOptions {
  apiKey?: string;
  input?: string;
}

/** Builds the program of the package, and makes it ask this service. */
export async function buildCli(url: string) {
  const directory = await mkdtemp(join(tmpdir(), "prompthook-program-"));
  await bundleProgram(directory);
  const children = new Set<ChildProcess>();

  function start(args: string[], { apiKey = "", input = "" }: CliOptions = {}) {
    const child = spawn(process.execPath, [join(directory, "cli.js"), ...args], {
      env: { ...BARE, PROMPTHOOK_URL: url, PROMPTHOOK_API_KEY: apiKey },
    });
    children.add(child);
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        said[name] += text;
      });
    }
    child.stdin.end(input);
    return {
      /** What it has said so far. */
      said: () => said,
      /** Presses Ctrl-C. */
      interrupt: () => void child.kill("SIGINT"),
      /** Kills it, as a lost machine does. */
      kill: () => void child.kill("SIGKILL"),
      ended: new Promise<Ended>((resolve, reject) => {
        child.on("error", reject);
        child.on("close", (exit) => {
          children.delete(child);
          resolve({ exit, ...said });
        });
      }),
    };
  }

  return {
    directory,
    start,
    run: (args: string[], options?: CliOptions) => start(args, options).ended,
    /** Ends what still runs, and removes the program. */
    async close() {
      for (const child of children) child.kill("SIGKILL");
      await rm(directory, { recursive: true });
    },
  };
}

/** The lines of an output that must be JSON, each of them. */
export function jsonLines(text: string): unknown[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
