import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { type Client, createAccount, listAccounts } from "../support/client.ts";
import { newCheckout } from "../support/cloudflare/checkout.ts";
import { startCloudflare } from "../support/cloudflare/cloudflare.ts";
import { call, callsTools, finishes, hangs } from "../support/model-server/behaviour.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { startShop } from "../support/shop.ts";
import { untilEnd } from "../support/until-end.ts";

const NAME = "prompthook";
/** A deployment calls wrangler a dozen times. */
const LONG_MS = 300_000;

const cloudflare = await untilEnd(startCloudflare());
const shop = await untilEnd(startShop());
const model = await untilEnd(startModelServer());
const checkout = await untilEnd(newCheckout(cloudflare, { OPENAI_BASE_URL: model.baseUrl }));
const worker = () => cloudflare.account.worker(NAME);
let adminToken: string;
let client: Client;

beforeAll(async () => {
  const { code, output } = await checkout.deploy();
  expect(code, output).toBe(0);
  const kept = await readFile(join(checkout.directory, ".secrets", `${NAME}.json`), "utf8");
  adminToken = z.object({ ADMIN_TOKEN: z.string() }).parse(JSON.parse(kept)).ADMIN_TOKEN;
  client = await createAccount({ url: await cloudflare.urlOf(NAME), adminToken });
}, LONG_MS);

test("a deployment that replaces objects at once lets an execution go on in the new version", {
  timeout: LONG_MS,
}, async () => {
  const before = worker().deployed?.id;
  const end = await interrupted("deployed", () => checkout.deploy({ args: ["--now"] }));
  await expectOneOrder("deployed", end);
  expect(worker().versions.map(({ id }) => id)).toContain(before);
  expect(worker().deployed?.id).not.toBe(before);
});

test("a rollback lets an execution go on in the version before", { timeout: LONG_MS }, async () => {
  const [first, second] = worker().versions;
  if (second === undefined) await checkout.deploy({ args: ["--now"] });
  const mode = ["--durable-objects-code-update-mode", "immediate"];
  const end = await interrupted("rolled-back", () => checkout.wrangler("rollback", ...mode));
  await expectOneOrder("rolled-back", end);
  expect(worker().deployed?.id).toBe(first?.id);
});

test("a backup has each account and the database, and no repository takes it in", async () => {
  const folder = join(checkout.directory, "backup");
  const { code, output } = await checkout.backup(folder, adminToken);
  expect(code, output).toBe(0);
  const accounts = await listAccounts({ url: await cloudflare.urlOf(NAME), adminToken });
  const files = accounts.map(({ accountId }) => `${accountId}.jsonl`);
  expect((await readdir(folder)).sort()).toEqual([".gitignore", ...files, "prompthook.sql"].sort());
  expect(await readFile(join(folder, ".gitignore"), "utf8")).toBe("*\n");
  const database = await readFile(join(folder, "prompthook.sql"), "utf8");
  expect(database).toMatch(/CREATE TABLE .executions./);
});

/**
 * Starts an execution that orders and, while the model thinks about the answer, changes what is deployed.
 * Returns its id.
 */
async function interrupted(
  name: string,
  change: () => Promise<{ code: number | null; output: string }>,
): Promise<string> {
  const url = `${shop.origin}/orders/${name}`;
  const thinks = Promise.withResolvers<void>();
  let isChanged = false;
  model.script(name, ({ messages }) => {
    if (messages.every(({ role }) => role !== "assistant")) {
      return callsTools(call("http_request", { method: "POST", url, body: { item: "tea" } }));
    }
    thinks.resolve();
    return isChanged ? finishes("Ordered.") : hangs();
  });
  const executionId = await client.trigger({ prompt: "Order tea", model: `openai/${name}` });
  await thinks.promise;
  const deployment = worker().deployments.at(-1);
  cloudflare.onChange((made) => {
    isChanged ||= made.endsWith("/deployments");
  });
  const { code, output } = await change();
  expect(code, output).toBe(0);
  expect(worker().deployments.at(-1)).toMatchObject({ updateMode: "immediate" });
  expect(worker().deployments.at(-1)).not.toBe(deployment);
  return executionId;
}

async function expectOneOrder(name: string, executionId: string): Promise<void> {
  expect(await client.ended(executionId)).toMatchObject({ status: "completed" });
  const { effects } = await client.result(executionId);
  expect(effects).toMatchObject([{ tool: "http_request", state: "confirmed" }]);
  const orders = shop.orders.filter(({ target }) => target.endsWith(`/orders/${name}`));
  expect(orders).toHaveLength(1);
  const events = await client.events(executionId);
  expect(events.filter(({ type }) => type === "tool.started")).toHaveLength(1);
}
