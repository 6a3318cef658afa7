import { once } from "node:events";
import {
  chmod,
  cp,
  glob,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { claimPort, LOOPBACK } from "../../scripts/local/ports.ts";
import { ROOT } from "../../scripts/local/project.ts";
import { databasesOf } from "../../scripts/local/state.ts";
import { credits } from "../../src/contract/account.ts";
import { type Client, createAccount, listAccounts } from "../support/client.ts";
import { byStep, call, callsTools, finishes } from "../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { choosePort } from "../support/ports.ts";
import { listeningPorts } from "../support/processes.ts";
import { runStart, type Start } from "../support/service.ts";
import { type Shop, startShop } from "../support/shop.ts";
import { folderUntilEnd } from "../support/until-end.ts";
import { Webhooks } from "../support/webhooks.ts";

const FIRST_LINE = "Starting Prompthook ...\n";

const stateDir = await folderUntilEnd();
const outside = await folderUntilEnd();
const port = await choosePort();
let starts: Start[] = [];
/** The keys of the account `local` that starts have printed. */
const keys: string[] = [];
const SHELL_KEY = "sk-of-the-shell-0123456789";

afterEach(async () => {
  await Promise.all(starts.map((each) => each.kill9()));
  starts = [];
});

function start(
  environment: Record<string, string> = {},
  args: string[] = [],
  program?: Parameters<typeof runStart>[2],
): Start {
  const variables = { PORT: String(port), STATE_DIR: stateDir, ...environment };
  const started = runStart(variables, args, program);
  starts.push(started);
  return started;
}

test("creates one account and one key although its first start is killed", async () => {
  await chmod(stateDir, 0o755);
  const killed = start();
  await untilServing();
  killed.child.kill("SIGKILL");
  await once(killed.child, "exit");
  await untilFree();
  await killed.ended;

  const first = start();
  const { url, apiKey } = await first.ready;
  expect(await creditsOf(url, apiKey)).toMatchObject({ availableCredits: 100_000 });
  expect(await accountNames(url)).toEqual(["local"]);
  await expectPrivate(stateDir);
  keys.push(apiKey);
  first.child.kill("SIGINT");
  expect(await first.ended).toMatchObject({ code: 0 });
});

describe("started again, by npm", () => {
  let running: Start;
  let url: string;
  let apiKey: string;
  let model: ModelServer;
  let headers: Record<string, string>;

  beforeAll(async () => {
    model = await startModelServer({ apiKey: SHELL_KEY });
    const variables = { PORT: String(port), STATE_DIR: stateDir, ALLOW_LOOPBACK: "false" };
    const ofShell = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: SHELL_KEY };
    running = runStart({ ...variables, ...ofShell }, [], { command: ["npm", "start"] });
    ({ url, apiKey } = await running.ready);
    headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
  });

  afterAll(() => Promise.all([running.kill9(), model.close()]));

  test("it has the same account and the same key", async () => {
    expect(apiKey).toBe(keys[0]);
    expect(await accountNames(url)).toEqual(["local"]);
  });

  test("it does not use a model key of the shell until it is chosen", () => {
    expect(running.output()).toContain("OPENAI_API_KEY of your shell was not used");
    expect(running.output()).toContain("npm start -- --model openai");
    expect(running.output()).toContain("Model     builtin/demo   (DEFAULT_MODEL of the shell;");
    expect(model.requests).toEqual([]);
  });

  test("its agents cannot reach loopback if the environment forbids it", async () => {
    const answer = await fetch(`${url}/api/v1/agent/trigger`, {
      method: "POST",
      headers,
      body: JSON.stringify({ prompt: "Say hello", callbackUrl: `${model.baseUrl}/callback` }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("local machine");
  });

  test("it ends when npm is stopped", async () => {
    // The next start has to make another key.
    const listed = await (await fetch(`${url}/api/v1/keys`, { headers })).json();
    for (const { keyId } of keyList.parse(listed).keys) {
      await fetch(`${url}/api/v1/keys/${keyId}`, { method: "DELETE", headers });
    }
    running.child.kill("SIGTERM");
    await running.ended;
    await untilFree();
  });
});

const keyList = z.object({ keys: z.array(z.object({ keyId: z.string() })) });

/** Waits until no process that was left behind holds the port. */
const untilFree = () => expect.poll(() => claimPort(port).catch(() => null)).toBe(port);

/** Expects that a state, whose directory everybody could read, is its owner's only. */
async function expectPrivate(directory: string): Promise<void> {
  const names = await readdir(directory, { recursive: true });
  expect(names.length).toBeGreaterThan(10);
  for (const name of ["", ...names]) {
    const { mode } = await stat(join(directory, name));
    expect([name, mode & 0o077]).toEqual([name, 0]);
  }
}

/** Of the state that the starts above have left. */
const broken = [
  ["an emptied database", "d1", null],
  ["a damaged account", "do/prompthook-Account", "not a database"],
] as const;

test.each(broken)("refuses a state with %s, and says what to do", async (_, part, content) => {
  const own = await mkdtemp(join(outside, "broken-"));
  await cp(stateDir, own, { recursive: true });
  for await (const file of glob(join(databasesOf(own), part, "**/*.sqlite*"))) {
    if (file.includes("metadata")) continue;
    if (content === null) await rm(file);
    else await writeFile(file, content);
  }
  const { code, output } = await start({ STATE_DIR: own }).ended;
  expect(output).toContain(
    `\nThe state in ${own} is damaged, or another version stored it. Start that version, replace the directory by a copy of it, or empty it with npm start -- --fresh. The reason: `,
  );
  expect(output).not.toContain("Prompthook is ready");
  expect(output).not.toContain("    at ");
  expect(code).toBe(1);
});

test("does not change the state of another version, which works on", async () => {
  const own = await mkdtemp(join(outside, "other-"));
  await cp(stateDir, own, { recursive: true });
  const rename = async (from: string, to: string) => {
    for await (const file of glob(join(databasesOf(own), "do/prompthook-Account/*.sqlite"))) {
      if (file.includes("metadata")) continue;
      const account = new DatabaseSync(file);
      account.exec(`ALTER TABLE executions RENAME COLUMN ${from} TO ${to}`);
      account.close();
    }
  };
  await rename("used", "spent");
  const { code, output } = await start({ STATE_DIR: own }).ended;
  expect(output).toContain(`\nThe state in ${own} is damaged, or another version stored it. `);
  expect(output).toContain(" What is stored here cannot be read by this version of the service");
  expect(code).toBe(1);

  await rename("spent", "used");
  const { url, apiKey } = await start({ STATE_DIR: own }).ready;
  expect(await creditsOf(url, apiKey)).toMatchObject({ availableCredits: 100_000 });
});

test("runs a changed source with --watch, and reports build errors", async () => {
  const checkout = join(outside, "checkout");
  const folders = ["src", "scripts", "migrations", "docs"];
  const files = ["package.json", "package-lock.json", "tsconfig.json", "wrangler.toml"];
  for (const part of [...folders, ...files, "CONTRIBUTING.md", "CHANGELOG.md"]) {
    await cp(join(ROOT, part), join(checkout, part), { recursive: true });
  }
  await symlink(join(ROOT, "node_modules"), join(checkout, "node_modules"));
  const environment = { STATE_DIR: join(checkout, "state") };
  const watching = start(environment, ["--watch"], { checkout });
  const { url } = await watching.ready;
  const change = async (from: string, to: string, said: string) => {
    const file = join(checkout, "src/http/health.ts");
    const text = await readFile(file, "utf8");
    expect(text).toContain(from);
    const { length } = watching.output();
    // A build may begin while the file is written, and complain of a half of it: others follow.
    await writeFile(file, text.replace(from, to));
    await expect.poll(() => watching.output().slice(length)).toContain(said);
  };
  expect((await fetch(`${url}/alive`)).status).toBe(404);
  await change('"/healthz", {', '"/alive, {', "src/http/health.ts");
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await change('"/alive, {', '"/alive", {', "Reloaded.");
  expect((await fetch(`${url}/alive`)).status).toBe(200);
});

describe("reports in one line", () => {
  test("an invalid variable and its allowed values", async () => {
    const { code, output } = await start({ ALLOW_LOOPBACK: "no", MODEL_TIMEOUT_SECONDS: "0" })
      .ended;
    expect(code).toBe(1);
    expect(output).toBe(
      `${FIRST_LINE}Invalid configuration: ALLOW_LOOPBACK must be true or false. MODEL_TIMEOUT_SECONDS must be a whole number from 1 to 600.\n`,
    );
  });

  test("an unknown option", async () => {
    const { code, output } = await start({}, ["--frsh"]).ended;
    expect(code).toBe(1);
    expect(output).toBe("Unknown option '--frsh'. npm start -- --help lists the options.\n");
  });
});

describe("while it runs", () => {
  const adminToken = "a-token-of-the-operators-from-the-environment";
  let running: Start;
  let url: string;
  let apiKey: string;
  let client: Client;
  let model: ModelServer;
  let shop: Shop;

  beforeAll(async () => {
    model = await startModelServer({ apiKey: SHELL_KEY });
    model.script("gpt-6-luna", () => finishes("OK"));
    shop = await startShop();
    const variables = { PORT: String(port), STATE_DIR: stateDir, ADMIN_TOKEN: adminToken };
    const ofShell = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: SHELL_KEY };
    running = runStart({ ...variables, ...ofShell, DEFAULT_MODEL: "" }, ["--model", "openai"]);
    ({ url, apiKey } = await running.ready);
    client = await createAccount({ url, adminToken });
  });

  afterAll(async () => {
    await running.kill9();
    await Promise.all([model.close(), shop.close()]);
  });

  test("it replaces a revoked key of its account", async () => {
    expect(keys).not.toContain(apiKey);
    expect(await creditsOf(url, apiKey)).toMatchObject({ availableCredits: 100_000 });
  });

  test("it runs executions on the chosen model", async () => {
    expect(running.output()).toContain(
      "Model     openai/gpt-6-luna   (OPENAI_API_KEY of the shell, --model openai;",
    );
    expect(running.output()).not.toContain(SHELL_KEY);
    const asked = model.nextRequest();
    await client.ended(await client.trigger({ prompt: "Greet me in your own words." }));
    expect((await asked).body.model).toBe("gpt-6-luna");
  });

  test("it serves the dashboard, the reference, and a first execution without a network", async () => {
    expect((await fetch(`${url}/docs`)).headers.get("Content-Type")).toContain("text/html");
    const output = running.output();
    expect(output.startsWith(FIRST_LINE)).toBe(true);
    expect(output).toContain(`${url}/dashboard`);
    expect(output).toContain(`${url}/docs`);
    expect(output).toContain("PROMPTHOOK_API_KEY=ph_live_");
    const [, prompt = ""] = /npx prompthook trigger --watch "([^"]+)"/.exec(output) ?? [];
    expect(prompt).toContain("customer,total\n");
    expect(prompt).not.toContain("http");
  });

  test("another start reports in one line that the port is in use", async () => {
    const { code, output } = await start({ STATE_DIR: join(outside, "another") }).ended;
    expect(code).toBe(1);
    expect(output).toBe(
      `${FIRST_LINE}Port ${port} is in use. Stop the program that listens there, or set PORT to another port.\n`,
    );
  });

  test("another start reports in one line that the state is in use", async () => {
    const { code, output } = await start({ PORT: "0" }).ended;
    expect(code).toBe(1);
    const lock = join(stateDir, "prompthook.lock");
    expect(output).toBe(
      `${FIRST_LINE}${stateDir} is in use: another service holds the lock on ${lock}. Stop that service, or set STATE_DIR to another directory.\n`,
    );
  });

  test("agents reach loopback, except ports of the runtime", async () => {
    const { pid } = running.child;
    const ports = await listeningPorts(z.number().parse(pid));
    // The service's own socket, workerd's entry, Miniflare's server.
    expect(ports.length).toBeGreaterThanOrEqual(3);
    for (const internal of ports) {
      await fetch(`http://${LOOPBACK}:${internal}/`);
      expect(await requestFromAgent(`http://${LOOPBACK}:${internal}/`)).toMatchObject({
        ok: false,
      });
      expect(await requestFromAgent(`http://localhost:${internal}/`)).toMatchObject({ ok: false });
    }
    expect(await requestFromAgent(`${shop.origin}/`)).toMatchObject({ ok: true });
  });

  test("an allowlist applies to the peer's address, not to headers", async () => {
    const hooks = new Webhooks({ url }, client.apiKey);
    const forged = {
      "CF-Connecting-IP": "203.0.113.7",
      "MF-CF-Blob": '{"clientIp":"203.0.113.7"}',
    };
    const expected = [
      ["127.0.0.1/32", 202],
      ["203.0.113.0/24", 403],
    ] as const;
    for (const [allowed, status] of expected) {
      const auth = { ipAllowlist: [allowed] };
      const endpoint = await hooks.endpoint({ name: "allowlist", auth });
      const answer = await fetch(endpoint.url, { method: "POST", headers: forged });
      expect(answer.status).toBe(status);
      const [entry] = await hooks.log(endpoint.endpointId);
      expect(entry?.sourceIp).toBe(LOOPBACK);
    }
  });

  test.each([
    ["two Host headers", "GET /healthz", "Host: other.example\r\n\r\n", "invalid_request"],
    ["a malformed chunk", "POST /mcp", "Transfer-Encoding: chunked\r\n\r\nx", "malformed_json"],
  ])("a request with %s is refused as the sender's fault", async (_, target, rest, code) => {
    const socket = connect(port, LOOPBACK);
    const credential = `Authorization: Bearer ${client.apiKey}`;
    socket.end(`${target} HTTP/1.1\r\nHost: ${LOOPBACK}:${port}\r\n${credential}\r\n${rest}`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`"code":"${code}"`);
  });

  test("it prints nothing if an address is unreachable or a sender disconnects", async () => {
    const before = running.output();
    for (const path of ["/hooks/nowhere", "/api/v1/agent/trigger"]) {
      for (const how of ["end", "resetAndDestroy"] as const) await breakOff(path, how);
    }
    const closed = await choosePort();
    for (const address of [`http://${LOOPBACK}:${closed}/`, "https://nowhere.invalid/"]) {
      expect(await requestFromAgent(address)).toMatchObject({ ok: false });
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await sleep(SETTLE_MS);
    expect(running.output().slice(before.length)).toBe("");
  });

  /** How an agent's request to the address ended. */
  async function requestFromAgent(address: string): Promise<unknown> {
    const request = call("http_request", { method: "GET", url: address });
    model.script("caller", byStep(callsTools(request), finishes("done")));
    const id = await client.trigger({ prompt: "Call", model: "openai/caller" });
    await client.ended(id);
    const finished = (await client.events(id)).filter(({ type }) => type === "tool.finished");
    return finished.find(({ data }) => data.tool === "http_request")?.data;
  }
});

/** Longer than the runtime takes to write to its log. */
const SETTLE_MS = 300;

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

/** Waits until the service answers: the account may or may not exist yet. */
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
