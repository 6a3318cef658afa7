import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { glob, readFile } from "node:fs/promises";
import { createServer, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "./project.ts";

/** The address that everything local listens on. */
export const LOOPBACK = "127.0.0.1";

/** A killed service may hold its port until the system has cleared it away. */
const PATIENCE_MS = 2_000;
const RETRY_MS = 50;

/** Returns `port` once it is free, or any free port for 0. Throws `UserError` when it stays in use. */
export async function claimPort(port: number): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const free = await bind(port);
    if (free !== null) return free;
    if (performance.now() > deadline) break;
    await sleep(RETRY_MS);
  }
  throw new UserError(
    `Port ${port} is in use. Stop the program that listens there, or set PORT to another port.`,
  );
}

/** The port that could be bound, or null when another program has it. */
async function bind(port: number): Promise<number | null> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  server.once("error", (error) => (isAddressInUse(error) ? resolve(null) : reject(error)));
  server.listen(port, LOOPBACK, () => resolve(portOf(server)));
  try {
    return await promise;
  } finally {
    await new Promise((closed) => server.close(closed));
  }
}

function isAddressInUse(error: Error): boolean {
  return "code" in error && error.code === "EADDRINUSE";
}

/** Runs `start` and returns its result with every port on which this process began to listen meanwhile. */
export async function observeListening<Result>(
  start: () => Promise<Result>,
): Promise<{ result: Result; ports: number[] }> {
  const ports: number[] = [];
  const note = (message: unknown) => {
    if (typeof message !== "object" || message === null || !("server" in message)) return;
    const port = message.server instanceof Server ? portOf(message.server) : null;
    if (port !== null) ports.push(port);
  };
  subscribe(LISTENING, note);
  try {
    return { result: await start(), ports };
  } finally {
    unsubscribe(LISTENING, note);
  }
}

const LISTENING = "tracing:net.server.listen:asyncEnd";

/** Returns the debugging ports of the browsers that this process has started. */
export async function browserPorts(): Promise<number[]> {
  const ports: number[] = [];
  const pattern = join(tmpdir(), "miniflare-*/browser-rendering/*/DevToolsActivePort");
  for await (const file of glob(pattern)) {
    // The browser may end, and its profile with it, between the listing and the read.
    const [port] = (await readFile(file, "utf8").catch(() => "")).split("\n");
    if (port) ports.push(Number(port));
  }
  return ports;
}

function portOf(server: Server): number | null {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : null;
}
