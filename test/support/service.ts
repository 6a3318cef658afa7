import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/local/project.ts";
import { databasesOf } from "../../scripts/local/state.ts";
import { placeDatabases } from "./migrated.ts";
import { choosePort } from "./ports.ts";

const ADMIN_TOKEN = "the-operators-token-of-all-the-tests";

/** `npm start` in processes of its own, on state and a port of its own. */
export interface TestService {
  url: string;
  adminToken: string;
  stateDir: string;
  /** Returns the errors that it wrote in all of its starts, and those of workerd. */
  errors(): string[];
  /** Returns the id of the process that `npm start` runs. */
  pid(): number;
  /** Kills all its processes at once, as a crash of the machine would. */
  kill9(): Promise<void>;
  /** Starts it again, on the same port and the same state. */
  restart(): Promise<void>;
  /** Kills it and removes its state. */
  close(): Promise<void>;
}

/** Starts the service with these variables and no others. */
export async function startTestService(
  variables: Record<string, string> = {},
  options: { browser?: boolean; inspect?: number } = {},
): Promise<TestService> {
  const stateDir = await mkdtemp(join(tmpdir(), "prompthook-test-"));
  await placeDatabases(databasesOf(stateDir));
  const port = String(await choosePort());
  const environment = { ADMIN_TOKEN, ...variables, PORT: port, STATE_DIR: stateDir };
  const args = [
    ...(options.browser ? ["--browser"] : []),
    ...(options.inspect === undefined ? [] : ["--inspect", String(options.inspect)]),
  ];
  const start = () => runStart(environment, args);
  let started = start();
  let earlier = "";
  const { url } = await started.ready;
  return {
    url,
    adminToken: environment.ADMIN_TOKEN,
    stateDir,
    errors: () =>
      `${earlier}${started.problems()}`
        .split("\n")
        .filter((line) => line !== "" && !EXPECTED.test(line)),
    pid: () => started.child.pid ?? 0,
    kill9: () => started.kill9(),
    restart: async () => {
      earlier += started.problems();
      started = start();
      await started.ready;
    },
    close: async () => {
      await started.kill9();
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
  /** Returns what it has written to its standard error so far. */
  problems(): string;
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
    env: { PATH: process.env.PATH, DEFAULT_MODEL: "builtin/demo", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ready = Promise.withResolvers<{ url: string; apiKey: string }>();
  ready.promise.catch(() => undefined);
  let output = "";
  let problems = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (stream === child.stderr) problems += text;
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
    problems: () => problems,
    kill9: async () => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      process.kill(-child.pid, "SIGKILL");
      await ended;
    },
  };
}

const READY = /Base URL {2}(\S+)\n {2}API key {3}(\S+)[\s\S]*The state is kept\.\n/;
