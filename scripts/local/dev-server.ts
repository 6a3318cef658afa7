import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { LOOPBACK } from "./port.ts";
import { ROOT } from "./project.ts";
import { Trouble } from "./trouble.ts";

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;

/** Local runs ask nothing, tell nobody, and keep their registry and logs out of the home directory. */
const QUIET = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_WRITE_LOGS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  X_LOCAL_EXPLORER: "false",
  X_LOCAL_OBSERVABILITY: "false",
};

export interface DevServerOptions {
  port: number;
  /** A dotenv file with the service's variables: on the command line everybody could read them. */
  envFile: string;
  /** Where wrangler keeps its databases. */
  persistTo: string;
  /** A configuration that binds a browser, and the cache folder in which that browser is. */
  browser: { config: string; cache: string } | null;
}

/** A running `wrangler dev` with all its children. */
export interface DevServer {
  url: string;
  /** The leader of the process group. */
  pid: number;
  /** Settles when all of the group has ended, by itself or not. */
  ended: Promise<void>;
  /** Asks the server to end and waits until all of the group has. */
  stop(): Promise<void>;
  /** Ends the whole group at once, as a crash of the machine would. */
  kill(): Promise<void>;
}

/** Starts `wrangler dev` in its own process group and waits until it answers. */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const child = spawnWrangler(options);
  const { pid } = child;
  if (pid === undefined) throw new Trouble("wrangler could not be started; run npm ci first.");
  const ended = once(child, "exit").then(() => killGroup(pid));
  const server: DevServer = {
    url: `http://${LOOPBACK}:${options.port}`,
    pid,
    ended,
    stop: async () => {
      child.kill("SIGTERM");
      const patience = setTimeout(() => killGroup(pid), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(patience);
    },
    kill: async () => {
      killGroup(pid);
      await ended;
    },
  };
  await answering(server);
  return server;
}

function spawnWrangler({ port, envFile, persistTo, browser }: DevServerOptions): ChildProcess {
  const wrangler = fileURLToPath(import.meta.resolve("wrangler"));
  const tether = join(import.meta.dirname, "tether.ts");
  const flags = {
    port,
    ip: LOOPBACK,
    "inspector-port": 0,
    "env-file": envFile,
    "persist-to": persistTo,
    "show-interactive-dev-session": false,
    "log-level": "warn",
    // The top level of the configuration: the other one is what is deployed.
    env: "",
    ...(browser === null ? {} : { config: browser.config }),
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  return spawn(process.execPath, ["--no-warnings", "--import", tether, wrangler, "dev", ...args], {
    cwd: ROOT,
    detached: true,
    env: {
      ...process.env,
      ...QUIET,
      ...(browser === null ? {} : { XDG_CACHE_HOME: browser.cache }),
    },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

async function answering(server: DevServer): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  let over = false;
  void server.ended.then(() => {
    over = true;
  });
  while (!over && Date.now() < deadline) {
    if (await isHealthy(server.url)) return;
    await sleep(20);
  }
  await server.kill();
  throw new Trouble("The service did not start; its messages above say why.");
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
