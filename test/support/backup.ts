import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import * as z from "zod";
import { buildWorker } from "../../scripts/local/build.ts";
import { ROOT } from "../../scripts/local/project.ts";
import { connect, createAccount } from "./client.ts";
import { byStep, call, callsTools, finishes } from "./model-server/behaviour.ts";
import { startModelServer } from "./model-server/server.ts";
import { BARE } from "./processes.ts";
import { ENCRYPTION_KEY, ID_KEY, runWorker, type TestRuntime } from "./runtime.ts";
import { githubRequest, hookAnswer, Webhooks } from "./webhooks.ts";

const run = promisify(execFile);
const SECRET = "the secret of the sender";
const AT_ONCE = 32;
const item = z.looseObject({});

/** Runs `npm run backup` or `npm run restore`. */
export async function runScript(
  script: "backup" | "restore",
  args: string[],
  environment: Record<string, string>,
): Promise<string> {
  const file = join(ROOT, `scripts/${script}.ts`);
  const env = { ...BARE, ...environment };
  return (await run(process.execPath, [file, ...args], { env, cwd: ROOT })).stdout;
}

/**
 * Backs an account up, restores it into a deployment with other keys, with an interruption in between, and
 * expects that nothing has changed: what the API shows, what waits, what is recognised and what is secret.
 */
export async function expectRestored(size: {
  executions: number;
  requests: number;
}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "prompthook-backup-"));
  const model = await startModelServer({ record: false });
  const question = callsTools(call("ask_user", { question: "Which one?" }));
  model.script("asks", byStep(question, finishes("Thank you.")));
  const worker = await buildWorker();
  const [newKey, newIdKey] = [randomBytes(32), randomBytes(32)].map((key) =>
    key.toString("base64"),
  );
  const state = join(folder, "state");
  const start = (variables: Record<string, string>, kept?: string) =>
    runWorker(worker, { variables, ...(kept !== undefined && { state: kept }) });
  const source = await start({});
  let target = await start(
    { ENCRYPTION_KEY: `${newKey},${ENCRYPTION_KEY}`, ID_KEY: `${newIdKey},${ID_KEY}` },
    state,
  );
  try {
    const { accountId, apiKey, ...client } = await createAccount(source, { credits: 10_000_000 });
    const hooks = new Webhooks(source, apiKey);
    await openSettings(hooks, model.baseUrl);
    const workflowId = await hooks.workflow({ name: "orders", prompt: "Say hello" });
    const auth = { hmac: { preset: "github" as const, secret: SECRET } };
    const limit = { requestsPerMinute: 60_000 };
    const { endpointId } = await hooks.endpoint({ name: "signed", workflowId, auth, ...limit });
    const held = await hooks.endpoint({ name: "held", ...limit });
    await hooks.call("POST", "/schedules", { workflowId, everySeconds: 86_400 });
    await hooks.change(endpointId, { name: "another name" });

    const post = async (
      service: TestRuntime,
      id: string,
      n: number,
      delivery = `delivery-${n}`,
    ) => {
      const request = githubRequest(SECRET, JSON.stringify({ n, text: "é".repeat(20) }), delivery);
      return hookAnswer.parse(await (await fetch(`${service.url}/hooks/${id}`, request)).json());
    };
    await inTurns(size.executions, (n) => post(source, endpointId, n));
    await inTurns(size.requests - size.executions, (n) => post(source, held.endpointId, n));
    const waiting = await client.trigger({
      prompt: "Ask",
      model: "acme/asks",
      interactive: true,
    });
    const statusOf = async (service: TestRuntime) =>
      (await connect(service.url, accountId, apiKey).status(waiting)).status;
    // What arrived before it starts first.
    const working = () => hooks.working(endpointId);
    await expect.poll(working, { timeout: 600_000 }).toBe(false);
    await expect.poll(() => statusOf(source)).toBe("waiting_for_input");
    const ended = async () => (await client.list()).filter(({ status }) => status === "completed");
    await expect.poll(async () => (await ended()).length).toBe(size.executions);
    const before = await shownBy(source, apiKey);
    expect(before.filter((line) => line.startsWith("requests "))).toHaveLength(size.requests);

    const copy = join(folder, "copy");
    const admin = { ADMIN_TOKEN: source.adminToken };
    await runScript("backup", [copy, "--url", source.url, "--no-databases"], admin);

    // A restore that was interrupted: half of the pages are stored.
    const text = await readFile(join(copy, `${accountId}.jsonl`), "utf8");
    const [first = "", ...pages] = text.trimEnd().split("\n");
    const { backupId, keys } = JSON.parse(first);
    const restore = (body: object, service: TestRuntime) =>
      fetch(`${service.url}/api/v1/admin/accounts/${accountId}/restore`, {
        method: "POST",
        headers: { ...authorization(service), "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    for (const each of pages.slice(0, pages.length / 2)) {
      const response = await restore({ backupId, keys, page: JSON.parse(each) }, target);
      expect(response.status, await response.text()).toBe(200);
    }
    expect((await post(target, endpointId, 1).catch(() => null))?.status).toBeUndefined();
    await runScript("restore", [copy, "--url", target.url], admin);

    const after = await shownBy(target, apiKey);
    expect(after.filter((line, at) => line !== before[at])).toEqual([]);
    expect(after).toHaveLength(before.length);
    const there = connect(target.url, accountId, apiKey);
    expect(await there.credits()).toEqual(await client.credits());
    const again = await restore({ backupId, keys, page: JSON.parse(pages[0] ?? "") }, target);
    expect(again.status).toBe(409);

    // With the new keys alone, the secrets and what waits are as they were.
    await target.close();
    target = await start({ ENCRYPTION_KEY: `${newKey}`, ID_KEY: `${newIdKey},${ID_KEY}` }, state);
    expect(await post(target, endpointId, 1)).toMatchObject({ duplicate: true });
    const restarted = connect(target.url, accountId, apiKey);
    const { executionId } = await post(target, endpointId, 0, "a new delivery");
    expect(await restarted.ended(executionId ?? "")).toMatchObject({ status: "completed" });
    await restarted.request("POST", `/trigger/${waiting}/message`, { message: "That" });
    expect(await restarted.ended(waiting)).toMatchObject({ status: "completed" });
    await expect.poll(() => restarted.credits()).toMatchObject({ reservedCredits: 0 });
  } finally {
    await Promise.all([source.close(), target.close(), model.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates what an account has besides workflows and endpoints. Models are asked with a sealed key. */
async function openSettings(hooks: Webhooks, baseUrl: string): Promise<void> {
  const [hosts, url] = [["crm.example.com"], "https://crm.example.com/prompthook"];
  const provider = { name: "acme", kind: "openai-compatible", baseUrl, apiKey: "sk-of-acme" };
  await hooks.call("POST", "/model-providers", { ...provider, models: [{ name: "asks" }] });
  const connection = { name: "crm", hosts, header: "Authorization", value: "Bearer of-the-crm" };
  await hooks.call("POST", "/connections", connection);
  await hooks.call("POST", "/mcp-servers", { name: "crm", url });
  const destination = { name: "warehouse", format: "standard", url };
  await hooks.call("POST", "/destinations", { ...destination, events: ["credits.low"] });
  await hooks.call("POST", "/members", { email: "ada@example.com", role: "admin" });
  await hooks.call("POST", "/keys", { name: "reader", scopes: ["executions:read"] });
}

function authorization(service: TestRuntime) {
  return { Authorization: `Bearer ${service.adminToken}` };
}

/** The lists of what an account has, by their addresses. */
const LISTS = [
  "connections",
  "mcp-servers",
  "model-providers",
  "destinations",
  "members",
  "keys",
  "decisions",
  "alerts",
  "workflows",
  "schedules",
  "webhooks",
  "agent/trigger/list",
];

const DIFFERING = new Map([
  ["webhooks", /,"updatedAt":"[^"]*"/],
  ["keys", /,"lastUsedAt":"[^"]*"/],
]);

/**
 * Returns what the API shows of an account, an item on each line, without what differs: the addresses, and
 * when endpoints were changed, of which sealing their secrets anew is one time, and when keys were used.
 */
async function shownBy({ url }: TestRuntime, apiKey: string): Promise<string[]> {
  const headers = { Accept: "application/json", Authorization: `Bearer ${apiKey}` };
  const read = async (path: string) => {
    const response = await fetch(`${url}/api/v1/${path}`, { headers });
    return item.parse(await response.json());
  };
  const hooks = new Webhooks({ url }, apiKey);
  const lines: string[] = [];
  const show = (list: string, value: object) => {
    const text = JSON.stringify(value).replaceAll(`"url":"${url}`, '"url":"');
    lines.push(`${list} ${text.replace(DIFFERING.get(list) ?? "", "")}`);
  };
  for (const list of LISTS) {
    for (let cursor = ""; ; ) {
      const { nextCursor, ...page } = await read(`${list}?limit=100${cursor}`);
      const items = Object.values(page).flatMap((each) => z.array(item).parse(each));
      for (const each of items) {
        show(list, each);
        if (list === "workflows") {
          show("revisions", await read(`workflows/${each.workflowId}/revisions`));
        }
        if (list === "webhooks") {
          const { endpointId } = z.object({ endpointId: z.string() }).parse(each);
          for (const entry of await hooks.log(endpointId)) show("requests", entry);
        }
        if (list === "agent/trigger/list") {
          const trigger = `agent/trigger/${each.executionId}`;
          for (const part of ["task", "result?partial=true", "events"]) {
            show(part, await read(`${trigger}/${part}`));
          }
        }
      }
      if (typeof nextCursor !== "string") break;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
  }
  return lines;
}

async function inTurns(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
