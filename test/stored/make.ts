import { glob, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { failWith, ROOT, UserError } from "../../scripts/local/project.ts";
import { databasesOf } from "../../scripts/local/state.ts";
import { type Client, connect } from "../support/client.ts";
import { startReceiver } from "../support/receiver.ts";
import { runStart } from "../support/service.ts";
import {
  type Api,
  ARCHIVES,
  apiOf,
  CALLBACK_SECRET,
  HOOK_SECRET,
  type Named,
  readAll,
  run,
  type StoredAnswers,
  startStoredModel,
} from "../support/stored.ts";
import { githubRequest } from "../support/webhooks.ts";

/** So long the stored executions wait, and their log is kept: later versions open them in years. */
const RETENTION_DAYS = 3_650;
const LONG_MS = RETENTION_DAYS * 86_400_000;
const ADMIN_TOKEN = "the-operators-token-of-a-stored-state";

/**
 * `npm run stored-state -- <commit> <name>`: lets the service of a commit store some of everything, and packs
 * its state, with what its API answers, as `test/stored/archives/<name>.tar.gz`. Every later version is tested to
 * open it.
 */
async function main(): Promise<void> {
  const [commit, name] = process.argv.slice(2);
  if (commit === undefined || name === undefined) {
    throw new UserError("Usage: npm run stored-state -- <commit> <name>");
  }
  const folder = await mkdtemp(join(tmpdir(), "prompthook-stored-"));
  const checkout = join(folder, "checkout");
  const packed = join(folder, "packed");
  const state = join(packed, "state");
  for (const each of [checkout, packed]) await mkdir(each);
  try {
    await run("sh", ["-c", `git archive ${commit} | tar x -C ${checkout}`], ROOT);
    await symlink(join(ROOT, "node_modules"), join(checkout, "node_modules"));
    const stored = await store(checkout, state);
    await writeFile(join(packed, "answers.json"), JSON.stringify(stored, null, 1));
    for (const database of await databases(state, "")) {
      database.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM");
      database.close();
    }
    await run("tar", ["czf", join(ARCHIVES, `${name}.tar.gz`), "state", "answers.json"], packed);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Stores some of everything in a new state directory. Returns what the API answers about it. */
async function store(checkout: string, stateDir: string): Promise<StoredAnswers> {
  const model = await startStoredModel();
  const receiver = await startReceiver();
  const variables = {
    PORT: "0",
    STATE_DIR: stateDir,
    ADMIN_TOKEN,
    OPENAI_BASE_URL: model.baseUrl,
    EXECUTION_RETENTION_DAYS: String(RETENTION_DAYS),
  };
  const during = async <T>(work: (url: string, apiKey: string) => Promise<T>): Promise<T> => {
    const started = runStart(variables, [], { checkout });
    try {
      const { url, apiKey } = await started.ready;
      const result = await work(url, apiKey);
      started.child.kill("SIGTERM");
      await started.ended;
      return result;
    } finally {
      await started.kill9();
    }
  };
  try {
    const names = await during(async (url, apiKey) => {
      const api = apiOf(url, apiKey);
      const { accountId } = account.parse(await api("GET", "/api/v1/account"));
      const limits = { requestsPerMinute: 60_000 };
      await apiOf(url, ADMIN_TOKEN)("PATCH", `/api/v1/admin/accounts/${accountId}`, limits);
      const client = connect(url, accountId, apiKey);
      const names = await fill({ url, api, client, callbackUrl: receiver.url });
      // Rows and settled credits follow within a second.
      await sleep(3_000);
      return names;
    });
    await lengthen(stateDir);
    return await during(async (url, apiKey) => {
      return { apiKey, names, answers: await readAll(apiOf(url, apiKey)) };
    });
  } finally {
    await Promise.all([receiver.close(), model.close()]);
  }
}

interface World {
  url: string;
  api: Api;
  client: Client;
  callbackUrl: string;
}

const account = z.object({ accountId: z.string() });
const workflowMade = z.object({ workflowId: z.string() });
const endpointMade = z.object({ endpointId: z.string() });
const log = z.object({
  requests: z.array(z.object({ requestId: z.string(), status: z.string() })),
});

async function fill({ url, api, client, callbackUrl }: World): Promise<Named> {
  // Read by no schema of today: another version answers.
  const newWorkflow = async (body: object) =>
    workflowMade.parse(await api("POST", "/api/v1/workflows", body)).workflowId;
  const newEndpoint = async (body: object) => {
    const settings = { retentionDays: RETENTION_DAYS, ...body };
    return endpointMade.parse(await api("POST", "/api/v1/webhooks", settings)).endpointId;
  };
  const hook = (endpointId: string, body: { id: number; customer?: string }, secret?: string) =>
    send(`${url}/hooks/${endpointId}`, body, secret);

  await api("POST", "/api/v1/connections", {
    name: "crm",
    hosts: ["crm.example.com"],
    header: "Authorization",
    value: "Bearer the-token-of-the-crm",
  });
  await api("POST", "/api/v1/mcp-servers", {
    name: "tools",
    url: "http://127.0.0.1:9/mcp",
    headers: { Authorization: "Bearer the-token-of-the-tools" },
  });
  await api("POST", "/api/v1/keys", { name: "reader", scopes: ["executions:read"] });

  const inputs = [{ name: "order", type: "object", required: true }];
  const workflow = { name: "orders", prompt: "Look at {{order}}", model: "openai/writer", inputs };
  const workflowId = await newWorkflow(workflow);
  await api("PATCH", `/api/v1/workflows/${workflowId}`, { name: "all orders" });
  const approved = { model: "openai/approver", approvals: ["run_code"] };
  const approvedId = await newWorkflow({ ...workflow, name: "approved", ...approved });
  await api("POST", "/api/v1/schedules", {
    workflowId,
    inputs: { order: { id: 1 } },
    at: "2099-01-01T00:00:00Z",
    catchUp: "none",
  });
  await api("POST", `/api/v1/workflows/${workflowId}/run`, { inputs: { order: { id: 7 } } });

  const called = { callbackUrl, callbackSecret: CALLBACK_SECRET };
  const asks = { model: "openai/asker", interactive: true };
  const first = { "Idempotency-Key": "the-first" };
  const metadata = { of: "the state" };
  const task = { prompt: "Write the list.", model: "openai/writer", metadata };
  const written = await client.trigger({ ...task, ...called }, first);
  const broken = await client.trigger({ prompt: "Fail.", model: "openai/broken" });
  const stopped = await client.trigger({ prompt: "Ask whether to stop.", ...asks });
  const asking = await client.trigger({ prompt: "Ask which year.", ...asks, ...called });
  const compute = { prompt: "Compute.", model: "openai/approver" };
  const approving = await client.trigger({ ...compute, approvals: ["run_code"] });
  const jobs = await newEndpoint({ name: "jobs" });
  const waiting = await client.trigger({ prompt: jobs, model: "openai/waiter" });
  for (const id of [written, broken, stopped, asking, approving, waiting]) await rests(client, id);
  await client.request("POST", `/trigger/${stopped}/stop`, { reason: "Not needed." });

  const held = await newEndpoint({ name: "held" });
  for (const id of [1, 2]) await hook(held, { id });

  const mapping = { fields: [{ to: "order", from: "$" }] };
  const auth = { hmac: { preset: "github", secret: HOOK_SECRET } };
  const signed = await newEndpoint({ name: "signed", workflowId, mapping, auth });
  for (const id of [1, 1, 2]) await hook(signed, { id }, HOOK_SECRET);
  await hook(signed, { id: 3 }, "another-secret");
  const route = { name: "all", workflowId: approvedId, mapping, key: { path: "customer" } };
  const cases = await newEndpoint({ name: "cases", routing: { routes: [route] } });
  for (const id of [1, 2]) await hook(cases, { customer: "ann", id });
  const isSettled = async () => {
    const { requests } = log.parse(await api("GET", `/api/v1/webhooks/${signed}/requests`));
    const succeeded = requests.filter(({ status }) => status === "succeeded");
    return succeeded.length === 2 ? succeeded : null;
  };
  let succeeded = await isSettled();
  for (; succeeded === null; succeeded = await isSettled()) await sleep(100);
  const replayed = `/api/v1/webhooks/${signed}/requests/${succeeded[0]?.requestId}/replay`;
  await api("POST", replayed, {});
  for (const { executionId } of await client.list()) await rests(client, executionId);
  return { written, asking, approving, waiting, workflowId, held, signed, cases, jobs };
}

/** Waits until an execution has nothing to do. */
const rests = (client: Client, executionId: string) =>
  client.reached(executionId, ({ status }) => status !== "active");

async function send(
  url: string,
  body: { id: number; customer?: string },
  secret = "no secret",
): Promise<void> {
  await fetch(url, githubRequest(secret, JSON.stringify(body), `the-delivery-${body.id}`));
}

/** Lets what waits wait for years. */
async function lengthen(state: string): Promise<void> {
  for (const database of await databases(state, "do/prompthook-SessionHost")) {
    database.exec(`
      UPDATE journal SET entry = json_set(entry, '$.facts[0].seed.inputTimeoutSeconds', ${LONG_MS / 1_000})
        WHERE seq = 0;
      UPDATE heads SET wake_at = wake_at + ${LONG_MS},
        head = json_replace(head, '$.due.deadline', head ->> '$.due.deadline' + ${LONG_MS})
        WHERE head ->> '$.due.deadline' IS NOT NULL;
      UPDATE heads SET
        head = json_replace(head, '$.state.waitUntil', head ->> '$.state.waitUntil' + ${LONG_MS})
        WHERE head ->> '$.state.waitUntil' IS NOT NULL;
    `);
    database.close();
  }
  for (const database of await databases(state, "do/prompthook-EndpointInbox")) {
    database.exec(`UPDATE waiters SET until = until + ${LONG_MS}`);
    database.close();
  }
}

/** Opens the databases of a part of a state. */
async function databases(state: string, part: string): Promise<DatabaseSync[]> {
  const found: string[] = [];
  for await (const file of glob(join(databasesOf(state), part, "**/*.sqlite"))) found.push(file);
  return found
    .filter((file) => !file.endsWith("metadata.sqlite"))
    .map((file) => new DatabaseSync(file));
}

try {
  await main();
} catch (error) {
  failWith(error);
}
