import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { claimPort, LOOPBACK } from "../../scripts/local/port.ts";
import { ROOT } from "../../scripts/local/project.ts";
import { credits } from "../../src/contract/account.ts";
import { listAccounts } from "../support/client.ts";

const READY = /Base URL {2}(\S+)\n {2}API key {3}(\S+)/;

let stateDir: string;
let port: number;
const children: ChildProcess[] = [];

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), "prompthook-start-"));
  port = await claimPort(0);
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

afterAll(() => rm(stateDir, { recursive: true, force: true }));

interface Run {
  child: ChildProcess;
  /** The base URL and the key that it printed. */
  ready: Promise<{ url: string; apiKey: string }>;
  /** The exit code and all that it wrote. */
  ended: Promise<{ code: number | null; output: string }>;
}

function start(environment: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, ["--no-warnings", "scripts/start.ts"], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: String(port), STATE_DIR: stateDir, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let output = "";
  const ready = Promise.withResolvers<{ url: string; apiKey: string }>();
  ready.promise.catch(() => undefined);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const [, url, apiKey] = READY.exec(output) ?? [];
      if (url !== undefined && apiKey !== undefined) ready.resolve({ url, apiKey });
    });
  }
  const ended = once(child, "close").then(() => ({ code: child.exitCode, output }));
  void ended.then(({ output }) => ready.reject(new Error(`it ended: ${output}`)));
  return { child, ready: ready.promise, ended };
}

test("gives one account and one key, however its first start and the next ones end", async () => {
  const killed = start();
  await untilServing();
  killed.child.kill("SIGKILL");
  await killed.ended;

  const first = start();
  const { url, apiKey } = await first.ready;
  expect(await creditsOf(url, apiKey)).toMatchObject({ availableCredits: 100_000 });
  expect(await accountNames(url)).toEqual(["local"]);
  first.child.kill("SIGINT");
  expect(await first.ended).toMatchObject({ code: 0 });

  const second = start();
  expect(await second.ready).toEqual({ url, apiKey });
  expect(await accountNames(url)).toEqual(["local"]);
  second.child.kill("SIGTERM");
  expect(await second.ended).toMatchObject({ code: 0 });
  expect(await claimPort(port)).toBe(port);
});

test("gives a new key where the old one was revoked since", async () => {
  const first = start();
  const { url, apiKey } = await first.ready;
  const headers = { Authorization: `Bearer ${apiKey}` };
  const { keys } = z
    .object({ keys: z.array(z.object({ keyId: z.string() })) })
    .parse(await (await fetch(`${url}/api/v1/keys`, { headers })).json());
  for (const { keyId } of keys) {
    await fetch(`${url}/api/v1/keys/${keyId}`, { method: "DELETE", headers });
  }
  first.child.kill("SIGTERM");
  await first.ended;

  const second = start();
  const { apiKey: other } = await second.ready;
  expect(other).not.toBe(apiKey);
  expect(await creditsOf(url, other)).toMatchObject({ availableCredits: 100_000 });
  expect(await accountNames(url)).toEqual(["local"]);
});

test("leads to the dashboard and to the reference, and to a first run that needs no network", async () => {
  const { ready, child, ended } = start();
  const { url, apiKey } = await ready;
  expect((await fetch(`${url}/docs`)).headers.get("Content-Type")).toContain("text/html");
  child.kill("SIGTERM");
  const { output } = await ended;
  expect(output).toContain(`${url}/dashboard`);
  expect(output).toContain(`${url}/docs`);
  expect(output).toContain(`PROMPTHOOK_API_KEY=${apiKey}`);
  const [, prompt = ""] = /npx prompthook trigger --watch "([^"]+)"/.exec(output) ?? [];
  expect(prompt).toContain("customer,total\n");
  expect(prompt).not.toContain("http");
});

test("says in one sentence that the port is taken", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, LOOPBACK, resolve));
  const { code, output } = await start().ended;
  await new Promise((resolve) => other.close(resolve));
  expect(code).toBe(1);
  expect(output).toBe(
    `Port ${port} is taken; end what listens there, or choose another with PORT.\n`,
  );
});

test("takes the operators' token from the environment", async () => {
  const adminToken = "a-token-from-the-environment";
  const { url } = await start({ ADMIN_TOKEN: adminToken }).ready;
  expect(await listAccounts({ url, adminToken })).toHaveLength(1);
});

test("goes on when a sender breaks off in the middle of a body", async () => {
  const { url } = await start().ready;
  for (const path of ["/hooks/nowhere", "/api/v1/agent/trigger"]) {
    for (const how of ["end", "resetAndDestroy"] as const) await breakOff(path, how);
  }
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

/** Sends a part of what was announced, and closes the connection. */
async function breakOff(path: string, how: "end" | "resetAndDestroy"): Promise<void> {
  const socket = connect(port, LOOPBACK);
  await once(socket, "connect");
  const head = [`POST ${path} HTTP/1.1`, `Host: ${LOOPBACK}:${port}`, "Content-Length: 500"];
  await new Promise((sent) => socket.write(`${head.join("\r\n")}\r\n\r\n{"a":`, sent));
  // The server may have answered, or reset the connection, before it is broken off.
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  // Once this was answered, the server has had the time to read what came before.
  await fetch(`http://${LOOPBACK}:${port}/healthz`);
  socket.resume();
  socket[how]();
  await closed;
}

/** Waits until the dev server answers: the account may or may not be there yet. */
async function untilServing(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const probe = setInterval(
    () =>
      fetch(`http://${LOOPBACK}:${port}/healthz`).then(
        () => resolve(),
        () => undefined,
      ),
    10,
  );
  await promise;
  clearInterval(probe);
}

async function creditsOf(url: string, apiKey: string) {
  const headers = { Authorization: `Bearer ${apiKey}` };
  return credits.parse(await (await fetch(`${url}/api/v1/agent/credits`, { headers })).json());
}

async function accountNames(url: string): Promise<string[]> {
  const { adminToken } = z
    .object({ adminToken: z.string() })
    .parse(JSON.parse(await readFile(join(stateDir, "prompthook.json"), "utf8")));
  return (await listAccounts({ url, adminToken })).map(({ name }) => name);
}
