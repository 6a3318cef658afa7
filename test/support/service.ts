import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWorker } from "../../scripts/local/build.ts";
import { claimPort } from "../../scripts/local/ports.ts";
import { ROOT } from "../../scripts/local/project.ts";
import { isProblem, type LogLine } from "../../scripts/local/runtime.ts";
import { databasesOf } from "../../scripts/local/state.ts";
import { placeDatabases } from "./migrated.ts";
import { choosePort } from "./ports.ts";
import { BARE } from "./processes.ts";
import { runWorker, type TestRuntime } from "./runtime.ts";

/** The service on state and a port of its own, which can be killed and started again. */
export interface TestService extends Pick<TestRuntime, "url" | "adminToken"> {
  stateDir: string;
  /** Returns the errors that it wrote in all of its starts, and those of workerd. */
  errors(): string[];
  /** Kills it at once: nothing of it is told, or waited for. */
  kill9(): Promise<void>;
  /** Starts it again, on the same port and the same state. */
  restart(): Promise<void>;
  /** Kills it and removes its state. */
  close(): Promise<void>;
}

/**
 * Starts the service with these variables as `npm start` does, but in this process, which spares each start
 * the loading of what starts workerd. All that the service stores and knows is in workerd.
 */
export async function startTestService(
  variables: Record<string, string> = {},
  options: { inspect?: number } = {},
): Promise<TestService> {
  const stateDir = await mkdtemp(join(tmpdir(), "prompthook-test-"));
  const state = databasesOf(stateDir);
  await placeDatabases(state);
  const port = await choosePort();
  const worker = await buildWorker();
  const errors: string[] = [];
  const onLog = (line: LogLine) => {
    if (isProblem(line) && !EXPECTED.test(line.message)) errors.push(line.message);
  };
  const start = async () => {
    await claimPort(port);
    return runWorker(worker, { variables, state, hasOutbox: true, port, onLog, ...options });
  };
  const { url, adminToken, ...first } = await start();
  let running: Pick<TestRuntime, "close"> | null = first;
  const kill9 = async () => {
    const killed = running;
    running = null;
    await killed?.close();
  };
  return {
    url,
    adminToken,
    stateDir,
    errors: () => errors,
    kill9,
    restart: async () => {
      running = await start();
    },
    close: async () => {
      await kill9();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

/** Warnings of the service; and what workerd writes when it was killed between its two notes of an alarm. */
const EXPECTED =
  /"level":"warn"|SQLite alarm (?:overdue, running despite AlarmManager mismatch|handler canceled with requestScheduledAlarm)/;

/** A start of the service that is under way. */
export interface Start {
  child: ChildProcess;
  /** The address and the key that it printed. Rejects with what it wrote when it ends before. */
  ready: Promise<{ url: string; apiKey: string }>;
  /** Its exit code and everything that it wrote. */
  ended: Promise<{ code: number | null; output: string }>;
  /** Returns what it has written so far. */
  output(): string;
  kill9(): Promise<void>;
}

/**
 * Runs the program behind `npm start` of a checkout, or npm itself, with these variables in its environment,
 * in a process group of its own.
 */
export function runStart(
  environment: Record<string, string>,
  args: string[] = [],
  {
    checkout = ROOT,
    command = [process.execPath, "scripts/start.ts"],
  }: {
    checkout?: string;
    command?: [string, ...string[]];
  } = {},
): Start {
  const [program, ...options] = command;
  const child = spawn(program, [...options, ...args], {
    cwd: checkout,
    detached: true,
    // Without a look for models on this machine, unless a test asks for one.
    env: { ...BARE, DEFAULT_MODEL: "builtin/demo", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ready = Promise.withResolvers<{ url: string; apiKey: string }>();
  ready.promise.catch(() => undefined);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const [, url, apiKey] = READY.exec(output) ?? [];
      if (url !== undefined && apiKey !== undefined) ready.resolve({ url, apiKey });
    });
  }
  const ended = once(child, "close").then(() => ({ code: child.exitCode, output }));
  void ended.then(({ output }) => ready.reject(new Error(`The start ended: ${output}`)));
  return {
    child,
    ready: ready.promise,
    ended,
    output: () => output,
    kill9: async () => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      process.kill(-child.pid, "SIGKILL");
      await ended;
    },
  };
}

const READY = /Base URL {2}(\S+)\n {2}API key {3}(\S+)[\s\S]*The state is kept\.\n/;
