import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BuiltWorker, buildWorker } from "../../scripts/local/build.ts";
import { applyMigrations, readMigrations } from "../../scripts/local/migrations.ts";
import { ROOT } from "../../scripts/local/project.ts";
import { type LogLine, printProblems, startRuntime } from "../../scripts/local/runtime.ts";
import { OUTBOX } from "../../scripts/local/state.ts";
import { placeDatabases } from "./migrated.ts";
import { choosePort } from "./ports.ts";

/** A built Worker that this process serves. */
export interface TestRuntime {
  url: string;
  adminToken: string;
  /** Returns the resident memory of the workerd process, in bytes. Linux only. */
  memory(): Promise<number>;
  /** Returns the CPU time that the workerd process has used, in milliseconds. Linux only. */
  cpuMs(): Promise<number>;
  close(): Promise<void>;
}

interface RunOptions {
  variables?: Record<string, string>;
  onLog?: (line: LogLine) => void;
  /** A folder of databases, which is kept; without one, they are new and end with the runtime. */
  state?: string;
  /** Whether it has an outbox, as a local start has: a folder in that of the databases. */
  hasOutbox?: boolean;
  port?: number;
  /** The port of workerd's inspector. */
  inspect?: number;
}

/** Starts the service, or the Worker of another `entry` under the same configuration. */
export async function startTestRuntime({
  entry,
  ...options
}: RunOptions & { entry?: string } = {}): Promise<TestRuntime> {
  return runWorker(await buildWorker(entry === undefined ? {} : { entry }), options);
}

/** Runs a built Worker. */
export async function runWorker(
  worker: BuiltWorker,
  { variables = {}, onLog = printProblems, state, hasOutbox, port, ...options }: RunOptions = {},
): Promise<TestRuntime> {
  const databases = state ?? (await mkdtemp(join(tmpdir(), "prompthook-runtime-")));
  if (state === undefined) await placeDatabases(databases);
  else await applyMigrations(await readMigrations(join(ROOT, "migrations")), state, worker.options);
  const outbox = join(databases, OUTBOX);
  if (hasOutbox) await mkdir(outbox, { recursive: true });
  const before = await children();
  const runtime = await startRuntime({
    worker,
    variables: { ADMIN_TOKEN, ENCRYPTION_KEY, ID_KEY, ALLOW_LOOPBACK: "true", ...variables },
    port: port ?? (await choosePort()),
    databases,
    browser: null,
    onLog,
    ...(hasOutbox && { outbox }),
    ...options,
  });
  const [workerd = "self"] = (await children()).filter((pid) => !before.includes(pid));
  return {
    url: runtime.url,
    adminToken: ADMIN_TOKEN,
    memory: () => residentOf(workerd),
    cpuMs: () => cpuMsOf(workerd),
    close: async () => {
      await runtime.stop();
      if (state === undefined) await rm(databases, { recursive: true, force: true });
    },
  };
}

const ADMIN_TOKEN = "the-operators-token-of-all-the-tests";
export const ENCRYPTION_KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
export const ID_KEY = "Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA";

/** The ids of the processes that this one has started; none on other systems than Linux. */
async function children(): Promise<string[]> {
  const file = `/proc/self/task/${process.pid}/children`;
  return (await readFile(file, "utf8").catch(() => "")).split(" ").filter(Boolean);
}

const PAGE_BYTES = 4_096;

async function residentOf(pid: string): Promise<number> {
  const [, pages] = (await readFile(`/proc/${pid}/statm`, "utf8")).split(" ");
  return Number(pages) * PAGE_BYTES;
}

/** A tick is 10 ms on every Linux that is in use. */
const MS_PER_TICK = 10;

async function cpuMsOf(pid: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name of the program, in parentheses, may contain anything. User and system time follow 11 fields on.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
