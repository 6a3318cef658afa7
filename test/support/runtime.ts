import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  type MiniflareOptions,
} from "miniflare";
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from "wrangler";
import * as z from "zod";
import { applyMigrations, readMigrations } from "../../scripts/local/migrations.ts";
import { claimPort, LOOPBACK } from "../../scripts/local/port.ts";
import { databaseId, ROOT } from "../../scripts/local/project.ts";

const run = promisify(execFile);

/** A built Worker in workerd, without the proxy that `wrangler dev` puts before it. */
export interface Runtime {
  url: string;
  adminToken: string;
  /** Resident memory of the workerd process, in bytes. */
  memory(): Promise<number>;
  close(): Promise<void>;
}

/** What the Worker wrote to its log, or the runtime. */
export interface Written {
  level: string;
  message: string;
}

/** The service's own configuration. */
export const SERVICE = join(ROOT, "wrangler.toml");

/**
 * Builds a Worker as a deployment would: the one of `config`, or of another `main` under the same
 * configuration. Answers the directory that it was built into,
 * a temporary one that the caller removes.
 */
export async function build(config: string, main?: string): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), "prompthook-build-"));
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const what = main === undefined ? [] : [main];
  const flags = ["--dry-run", `--config=${config}`, `--outdir=${out}`];
  await run(process.execPath, [wrangler, "deploy", ...what, ...flags], {
    cwd: ROOT,
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_WRITE_LOGS: "false" },
  });
  return out;
}

/** Starts a Worker that was built into `directory`, with the bindings of `config`, on new state. */
export async function startRuntime({
  directory,
  config = SERVICE,
  variables = {},
  onLog = showTrouble,
}: {
  directory: string;
  config?: string;
  variables?: Record<string, string>;
  onLog?: (written: Written) => void;
}): Promise<Runtime> {
  const state = await mkdtemp(join(tmpdir(), "prompthook-runtime-"));
  if (config === SERVICE) {
    const migrations = await readMigrations(join(ROOT, "migrations"));
    await applyMigrations(migrations, { id: await databaseId(), databases: state });
  }
  const port = await claimPort(0);
  const bindings = { ADMIN_TOKEN, ENCRYPTION_KEY, ALLOW_LOOPBACK: "true", ...variables };
  const before = await workerdProcesses();
  const options = await optionsOf({ directory, config, state, port, bindings });
  const miniflare = new Miniflare({ ...options, handleStructuredLogs: onLog });
  await miniflare.ready;
  const [workerd] = (await workerdProcesses()).filter(
    ({ pid }) => !before.some((old) => old.pid === pid),
  );
  return {
    url: `http://${LOOPBACK}:${port}`,
    adminToken: ADMIN_TOKEN,
    memory: async () =>
      (await workerdProcesses()).find(({ pid }) => pid === workerd?.pid)?.rss ?? 0,
    close: async () => {
      await miniflare.dispose();
      await rm(state, { recursive: true, force: true });
    },
  };
}

/** As `wrangler dev` does under `npm start`: what goes well would bury all else. */
function showTrouble({ level, message }: Written): void {
  if (level === "warn" || level === "error") console.error(message);
}

const ADMIN_TOKEN = "the-operators-token-of-tests";
const ENCRYPTION_KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

async function optionsOf({
  directory,
  config,
  state,
  port,
  bindings,
}: {
  directory: string;
  config: string;
  state: string;
  port: number;
  bindings: Record<string, string>;
}): Promise<MiniflareOptions> {
  const { modulesRules: _, ...worker } = workerOptionsOf(config).workerOptions;
  return convertV4MiniflareOptions({
    ...worker,
    bindings: { ...vars.parse(worker.bindings), ...bindings },
    name: "prompthook",
    rootPath: directory,
    modulesRoot: directory,
    modules: await modulesIn(directory),
    unsafeDirectSockets: [{ host: LOOPBACK, port }],
    resourcePersistencePath: state,
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.WARN),
  });
}

const vars = z.record(z.string(), z.string()).default({});

/** The built modules; the first is the entry. */
async function modulesIn(directory: string) {
  const files = await readdir(directory);
  const modules = files.flatMap((name) => {
    const type = moduleType(name);
    return type === null ? [] : [{ type, path: join(directory, name) } as const];
  });
  return modules.sort((a, b) => Number(b.type === "ESModule") - Number(a.type === "ESModule"));
}

/** What wrangler's rules keep as it is comes with its hash before its name. */
function moduleType(name: string): "ESModule" | "CompiledWasm" | "Text" | null {
  if (name.endsWith(".wasm")) return "CompiledWasm";
  if (/^[0-9a-f]{40}-/.test(name)) return "Text";
  return name.endsWith(".js") ? "ESModule" : null;
}

interface Process {
  pid: number;
  /** Bytes. */
  rss: number;
}

/** The workerd processes that this process has started. */
async function workerdProcesses(): Promise<Process[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid=,rss=,comm="]);
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, rss, name] = line.trim().split(/\s+/);
    const isOurs = Number(parent) === process.pid && name?.endsWith("workerd");
    return isOurs ? [{ pid: Number(pid), rss: Number(rss) * 1024 }] : [];
  });
}
