import { rmSync } from "node:fs";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MiniflareOptions, V4WorkerOptions } from "miniflare";
import type { BuiltWorker } from "./build.ts";
import { answerDocument } from "./documents/read.ts";
import { CoreHeaders, convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "./miniflare.ts";
import { browserPorts, LOOPBACK, observeListening } from "./ports.ts";
import { answerLookup, SYSTEM_RESOLVER } from "./resolver.ts";

/** What the Worker or the runtime wrote to the log. */
export interface LogLine {
  level: string;
  message: string;
}

export interface RuntimeOptions {
  worker: BuiltWorker;
  /** The Worker's variables. */
  variables: Record<string, string>;
  port: number;
  /** Where databases and objects are kept. */
  databases: string;
  /** The folder of the mails of the service where it has no way to deliver them; none if left out. */
  outbox?: string;
  /** The cache folder of a browser to bind, or null for none. */
  browser: string | null;
  /** The port of workerd's inspector; none if left out. */
  inspect?: number | null;
  onLog: (line: LogLine) => void;
}

/** A built Worker in workerd, behind a socket of its own. */
export interface Runtime {
  url: string;
  /** Ports of this process and of workerd that serve the runtime itself. */
  internalPorts: number[];
  /** Runs another build, or the same one again, on the same port and state. */
  reload(worker: BuiltWorker): Promise<void>;
  stop(): Promise<void>;
}

/** Starts workerd; it ends with this process, even when that one is killed. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  superviseWorkerd();
  nameClients();
  if (options.browser !== null) await prepareBrowser(options.browser);
  const started = Promise.withResolvers<number[]>();
  const { result, ports } = await observeListening(async () => {
    const miniflare = new Miniflare(await miniflareOptions(options, started.promise));
    return { miniflare, entry: Number((await miniflare.ready).port) };
  });
  const { miniflare, entry } = result;
  const internalPorts = [entry, ...ports, ...(options.inspect ? [options.inspect] : [])];
  started.resolve(internalPorts);
  return {
    url: `http://${LOOPBACK}:${options.port}`,
    internalPorts,
    reload: async (worker) =>
      miniflare.setOptions(await miniflareOptions({ ...options, worker }, started.promise)),
    stop: () => miniflare.dispose(),
  };
}

/**
 * Has Miniflare find its browser in the folder `cache`, and keep the browser's files in a folder of this
 * process: those of killed processes would have to be searched for ports as well.
 */
async function prepareBrowser(cache: string): Promise<void> {
  process.env.XDG_CACHE_HOME = cache;
  const directory = await mkdtemp(join(tmpdir(), "prompthook-"));
  process.env.TMPDIR = directory;
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
}

/** Has Miniflare start workerd through workerd.sh. */
export function superviseWorkerd(): void {
  process.env.PROMPTHOOK_WORKERD = workerdProgram;
  process.env.MINIFLARE_WORKERD_PATH = join(import.meta.dirname, "workerd.sh");
}

/**
 * Has workerd tell the Worker the peer of a socket, which it does where no header of the request names
 * the client.
 */
function nameClients(): void {
  Object.assign(CoreHeaders, { CF_BLOB: undefined });
}

const require = createRequire(import.meta.url);
const requireFromMiniflare = createRequire(require.resolve("miniflare"));
const workerdProgram: string = requireFromMiniflare("workerd").default;

async function miniflareOptions(
  { worker, variables, port, databases, outbox, browser, inspect, onLog }: RuntimeOptions,
  internalPorts: Promise<number[]>,
): Promise<MiniflareOptions> {
  const service: V4WorkerOptions = {
    ...worker.options,
    ...(browser !== null && { browserRendering: { binding: "BROWSER" } }),
    // Objects are found in their state under the Worker's name.
    name: "prompthook",
    rootPath: worker.directory,
    modulesRoot: worker.directory,
    modules: await modulesIn(worker.directory),
    bindings: variables,
    outboundService: "outbound",
    serviceBindings: {
      ASSETS: { disk: { path: join(worker.directory, "site"), writable: false } },
      DOCUMENTS: async (request) => Response.json(await answerDocument(request)),
      ...(outbox !== undefined && { OUTBOX: { disk: { path: outbox, writable: true } } }),
    },
    unsafeDirectSockets: [{ host: LOOPBACK, port }],
  };
  const outbound: V4WorkerOptions = {
    name: "outbound",
    rootPath: import.meta.dirname,
    modulesRoot: import.meta.dirname,
    modules: [{ type: "ESModule", path: join(import.meta.dirname, "outbound.js") }],
    compatibilityDate: worker.options.compatibilityDate,
    // Sockets, over which e-mail goes, are passed on as they are.
    compatibilityFlags: ["connect_pass_through", "experimental"],
    bindings: { RESOLVER_ORIGIN: new URL(SYSTEM_RESOLVER).origin },
    serviceBindings: {
      RESOLVER: async (request) => Response.json(await answerLookup(request)),
      RUNTIME_PORTS: async () => Response.json(await internalPorts),
      ...(browser !== null && { BROWSER_PORTS: async () => Response.json(await browserPorts()) }),
    },
  };
  return {
    ...convertV4MiniflareOptions({
      workers: [service, outbound],
      resourcePersistencePath: databases,
      cf: false,
      ...(inspect && { inspectorPort: inspect }),
      telemetry: { enabled: false },
      log: new Log(LogLevel.WARN),
    }),
    handleStructuredLogs: onLog,
  };
}

/** The built modules behind the front, which is the entry. */
async function modulesIn(directory: string) {
  const [names, front] = await Promise.all([
    readdir(directory),
    readFile(join(import.meta.dirname, "front.js"), "utf8"),
  ]);
  const wasm = names.filter((name) => name.endsWith(".wasm"));
  return [
    { type: "ESModule" as const, path: join(directory, "front.js"), contents: front },
    { type: "ESModule" as const, path: join(directory, "index.js") },
    ...wasm.map((name) => ({ type: "CompiledWasm" as const, path: join(directory, name) })),
  ];
}

/** Prints the warnings and errors of the service and of workerd. */
export function printProblems(line: LogLine): void {
  if (isProblem(line)) console.error(line.message);
}

/** Whether a line is a warning or an error, and not of a connection alone. */
export function isProblem({ level, message }: LogLine): boolean {
  return (level === "warn" || level === "error") && !NETWORK_FAILURE.test(message);
}

/**
 * workerd's words for a connection that failed, which the service logs where it matters, and for a CONNECT,
 * which no Worker can answer.
 */
const NETWORK_FAILURE =
  /^(?:Uncaught exception: [^\n]*Handler does not export a connect\(\) function|(?:e = )?(?:kj\/(?:async-io|compat\/tls)[^\n]*(?:failed|disconnected)|rust\/worker\/[^\n]*failed to lookup address information): )/;
