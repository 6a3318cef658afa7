import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { beforeAll, expect, inject, test } from "vitest";
import { ROOT } from "../../scripts/local/project.ts";
import { readOptions } from "../../scripts/smoke/options.ts";
import { lineOf } from "../../scripts/smoke/report.ts";
import { smoke as checkService } from "../../scripts/smoke/run.ts";
import { Prompthook } from "../../src/client/prompthook.ts";
import { type Alterations, type Passing, startAlteringProxy } from "../support/altering-proxy.ts";
import { type Client, createAccount, listAccounts } from "../support/client.ts";
import { choosePort } from "../support/ports.ts";
import { BARE } from "../support/processes.ts";

const service = inject("service");
let account: Client;

beforeAll(async () => {
  account = await createAccount(service);
});

/** Checks a service within this process. Returns its lines, whether it passed, and which checks failed. */
async function check(url: string, environment: Record<string, string>, ...args: string[]) {
  const lines: string[] = [];
  const { target } = readOptions([url, ...args], environment);
  const { passed, checks } = await checkService(target, (result) => lines.push(lineOf(result)));
  const failed = checks.filter(({ outcome }) => outcome === "failed").map(({ name }) => name);
  return { passed, failed, output: lines.join("\n") };
}

/** Runs the program with nothing of this shell's environment but the way to its own. */
async function smoke(url: string, environment: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, ["scripts/smoke.ts", url, ...args], {
    cwd: ROOT,
    env: { ...BARE, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: child.exitCode, output, errors };
}

/** Checks the service from behind a proxy that may break something. */
async function checkBehind(alterations: Alterations) {
  const proxy = await startAlteringProxy(service.url, alterations);
  const checked = await check(proxy.origin, withKey());
  await proxy.close();
  return checked;
}

const withKey = () => ({ PROMPTHOOK_API_KEY: account.apiKey });

test("passes a good service, prints each check, and leaves nothing behind", async () => {
  const { code, output } = await smoke(service.url, withKey());
  const lines = output.trimEnd().split("\n");
  // This service has no browser, and the check says so.
  const others = lines.filter((line) => !/^ {2}skipped browser .* none may be bound$/.test(line));
  expect(others.pop()).toBe("  Not proven: browser");
  expect(others.length).toBeGreaterThan(10);
  for (const line of others) expect(line).toMatch(/^ {2}ok {6}[a-z-]+ +\d+ ms {2}\S/);
  expect(output).toMatch(/stream .* events arrived in order, the last says completed/);
  expect(output).toMatch(/callback .* standardwebhooks accepts its signature/);
  expect(output).toMatch(/forgery .* 401; the log says: \S/);
  expect(code).toBe(0);
  const client = new Prompthook({ baseUrl: service.url, apiKey: account.apiKey });
  expect((await client.webhooks.list()).endpoints).toEqual([]);
  expect((await client.workflows.list()).workflows).toEqual([]);
});

test("keeps the execution of an event until the log has followed it to its end", async () => {
  const paths: string[] = [];
  const answer = ({ path }: Passing) => {
    paths.push(path);
    return null;
  };
  expect(await checkBehind({ answer })).toMatchObject({ passed: true });
  const after = paths.slice(paths.findIndex((path) => path.startsWith("/hooks/")) + 1);
  const untilTrigger = after.findIndex((path) => path.startsWith("/api/v1/agent/trigger/"));
  const before = after.slice(0, untilTrigger);
  expect(before.length).toBeGreaterThan(0);
  expect(before.filter((path) => !/\/webhooks\/[^/]+\/requests\/[^/]+$/.test(path))).toEqual([]);
});

test("creates an account for an operator, and leaves no key to it", async () => {
  const { code, output } = await smoke(
    `${service.url}/`,
    { ADMIN_TOKEN: service.adminToken },
    "--json",
  );
  const { checks, ...report } = JSON.parse(output);
  expect(report).toEqual({ url: service.url, passed: true, unproven: ["browser"] });
  expect(checks.at(-1)).toMatchObject({ name: "sign-out", outcome: "passed" });
  expect(code).toBe(0);
  const names = (await listAccounts(service)).map(({ name }) => name);
  expect(names.filter((name) => name === "Smoke check")).toHaveLength(1);
});

test.each([
  [
    "receives a callback at its public address, and verifies it",
    undefined,
    /ok {6}callback .* accepts/,
  ],
  ["fails for a callback altered in transit", "failed", /FAILED {2}callback .* signature is wrong/],
])("%s", async (_, status, said) => {
  const port = String(await choosePort());
  const request = (passing: Passing) => ({
    ...passing,
    body: passing.body.replace("completed", status ?? "completed"),
  });
  const tunnel = await startAlteringProxy(`http://127.0.0.1:${port}`, { request });
  const address = ["--callback-url", `${tunnel.origin}/anywhere`, "--callback-port", port];
  const { passed, output } = await check(service.url, withKey(), ...address);
  await tunnel.close();
  expect(output).toMatch(said);
  expect(passed).toBe(status === undefined);
});

test("fails for a foreign key without using it", async () => {
  const PROMPTHOOK_API_KEY = `${account.apiKey.slice(0, -4)}zzzz`;
  const { passed, output } = await check(service.url, { PROMPTHOOK_API_KEY });
  expect(output).toMatch(/FAILED {2}sign-in .* 401 unauthorized/);
  expect(output).toMatch(/skipped agent .* it depends on a check that failed/);
  expect(passed).toBe(false);
});

test("fails for an unreachable service", async () => {
  const { code, output } = await smoke(`http://127.0.0.1:${await choosePort()}`, withKey());
  expect(output).toMatch(/FAILED {2}health .* ECONNREFUSED/);
  expect(code).toBe(1);
});

const accepted = JSON.stringify({
  requestId: "0b7e2f5c-0000-4000-8000-000000000000",
  status: "accepted",
  executionId: "0b7e2f5c-0000-4000-8000-000000000001",
  duplicate: false,
});
/** Gives the requests to endpoints that `isChosen` takes another header. */
const withHeader =
  (name: string, value: string, isChosen: (delivery: string) => boolean) => (passing: Passing) => {
    const { path, headers } = passing;
    const isHook = path.startsWith("/hooks/");
    return isHook && isChosen(headers["x-github-delivery"] ?? "")
      ? { ...passing, headers: { ...headers, [name]: value } }
      : passing;
  };
const seen = new Set<string>();
const isRepeated = (delivery: string) => {
  const isKnown = seen.has(delivery);
  seen.add(delivery);
  return isKnown;
};

/** What is wrong with a service, the check that fails for it, and how it comes to be so. */
const FAILURES: [what: string, check: string, alterations: Alterations][] = [
  [
    "whose stream ends before the execution",
    "stream",
    { answer: ({ path }, status) => (path.endsWith("/events") ? { status, body: "" } : null) },
  ],
  ["that answers 500", "health", { answer: () => ({ status: 500, body: "Error 1101" }) }],
  [
    "that takes forged events",
    "forgery",
    {
      answer: ({ path }, status) =>
        path.startsWith("/hooks/") && status === 401 ? { status: 202, body: accepted } : null,
    },
  ],
  [
    "that takes nobody's signature",
    "event",
    { request: withHeader("x-hub-signature-256", `sha256=${"0".repeat(64)}`, () => true) },
  ],
  [
    "that starts an execution again for a duplicate",
    "duplicate",
    { request: withHeader("x-github-delivery", crypto.randomUUID(), isRepeated) },
  ],
  [
    "that lets strangers in",
    "strangers",
    {
      answer: ({ path, headers }) =>
        path.endsWith("/credits") && headers.authorization?.includes("0".repeat(50))
          ? { status: 200, body: "{}" }
          : null,
    },
  ],
];

test.each(FAILURES)("fails for a service %s", async (_, name, alterations) => {
  const { passed, failed } = await checkBehind(alterations);
  expect(passed).toBe(false);
  const [first, ...others] = failed;
  expect(first).toBe(name);
  // What follows from an event needs one.
  if (name !== "event") expect(others).toEqual([]);
});
