import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { build, type Plugin } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltWorker, buildWorker, bundleOptions } from "../../scripts/local/build.ts";
import { ROOT } from "../../scripts/local/project.ts";
import { type Client, connect, createAccount, type TriggerInput } from "../support/client.ts";
import { byStep, call, callsTools, finishes } from "../support/model-server/behaviour.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { runWorker, type TestRuntime } from "../support/runtime.ts";
import { folderUntilEnd, untilEnd } from "../support/until-end.ts";
import { githubRequest, hookAnswer, Webhooks } from "../support/webhooks.ts";

/** The end of a list of schema steps, and one step more that adds a column and a table. */
const withStep = (table: string): [text: string, by: string] => [
  "\n] as const;",
  `
  \`ALTER TABLE ${table} ADD COLUMN dreams TEXT; CREATE TABLE dreams (dream TEXT NOT NULL);\`,
] as const;`,
];

/**
 * A later version: its commits have a fact and an event of new kinds, its heads a new field and a new
 * wake-up. The tables of all objects have a new column, accounts and endpoints a new field. Each text is
 * replaced by the next.
 */
const NEWER: Record<string, [text: string, by: string][]> = {
  "accounts/schema.ts": [withStep("executions")],
  "accounts/ledger.ts": [
    ['kv.put("profile", next)', 'kv.put("profile", { ...next, dreams: "of sheep" })'],
  ],
  "endpoints/tables.ts": [withStep("requests")],
  "records/endpoint-rows.ts": [
    [
      "return JSON.stringify(storedSettings.parse(Object.fromEntries(settings)));",
      `const known = storedSettings.parse(Object.fromEntries(settings));
  return JSON.stringify({ ...known, dreams: "of sheep" });`,
    ],
  ],
  "executions/journal/journal.ts": [withStep("heads")],
  "executions/journal/facts.ts": [
    [
      '  z.object({ kind: z.literal("attempt")',
      '  z.object({ kind: z.literal("dream"), of: z.string() }),\n  z.object({ kind: z.literal("attempt")',
    ],
  ],
  "contract/words.ts": [['  "log",\n]', '  "log",\n  "dreamt",\n]']],
  "contract/events.ts": [['    event("log", {', '    event("dreamt", {}),\n    event("log", {']],
  "executions/journal/head.ts": [
    ["writtenBy: 1", "writtenBy: 2"],
    ['  "retention",\n]', '  "retention",\n  "dream",\n]'],
    ["  events: z.int(),\n", "  events: z.int(),\n  dreams: z.int().default(0),\n"],
  ],
  "executions/journal/record.ts": [
    [
      "const facts = commit.facts();",
      `const own = commit.facts();
        const dreamt = [{ kind: "event", type: "dreamt", data: {} }, { kind: "dream", of: "sheep" }];
        const facts = own.length === 0 ? own : [...own, ...dreamt];`,
    ],
    [
      "const head = { ...commit.head(),",
      `const { due, ...rest } = commit.head();
        const dreams = (rest.dreams ?? 0) + 1;
        const dreaming = { ...due, dream: due.dream ?? at + 3_600_000 };
        const head = { ...rest, dreams, due: dreaming,`,
    ],
  ],
  "executions/session.ts": [["retention: () =>", "dream: () => null,\n      retention: () =>"]],
};

const state = await folderUntilEnd();
const model = await untilEnd(startModelServer({ record: false }));
let client: Client;
let runtime: TestRuntime;
let newer: BuiltWorker;
let older: BuiltWorker;
/** Whether the model of `slow` takes its time. */
let isSlow = true;

beforeAll(async () => {
  const question = callsTools(call("ask_user", { question: "Which one?" }));
  const note = callsTools(call("emit_output", { label: "Note", type: "text", value: "hi" }));
  model.script("asks", byStep(note, question, finishes("Thank you.")));
  model.script("slow", (request) => {
    const behaviour = byStep(note, finishes("Done."))(request);
    const isFirst = !request.messages.some(({ role }) => role === "assistant");
    return isSlow && !isFirst ? { kind: "hang" } : behaviour;
  });
  older = await buildWorker();
  newer = { ...older, directory: join(state, "newer") };
  await buildNewer(newer.directory);
});

afterAll(() => runtime?.close());

test("an older version serves the state of a newer one, keeps unknown fields, and the newer one works on", async () => {
  await run(older);
  client = await createAccount(runtime);
  const first = await asked();
  const shop = await openShop();
  await shop.post();

  await run(newer, () => {
    for (const table of ["endpoints", "executions", "workflows", "accounts"]) {
      alterRecords(`ALTER TABLE ${table} ADD COLUMN dreams TEXT DEFAULT 'of sheep'`);
    }
  });
  await answer(first);
  const fromNewer = await asked();
  const underWay = await begun();
  const finished = await asked();
  await answer(finished);
  const { events } = await stored(finished);
  expect(typesOf(events)).toContain("dreamt");
  await shop.hooks().change(shop.endpointId, { name: "second" });
  await grant(shop.accountId, 100);
  await shop.post();
  await shop.trigger();

  // Read while nothing runs: the older version may write it as soon as it is woken.
  const before: StoredHead = { writtenBy: 0, due: {} };
  await run(older, () => {
    Object.assign(before, headOf(fromNewer));
    // The older version may ask the model before it takes requests.
    isSlow = false;
  });
  expect(await client.ended(underWay)).toMatchObject({ status: "completed" });
  const after = await answer(fromNewer);
  expect(before).toMatchObject({ writtenBy: 2, dreams: expect.any(Number) });
  expect(headOf(fromNewer)).toMatchObject({
    writtenBy: 1,
    dreams: before.dreams,
    due: { dream: before.due.dream },
  });
  expect(after.outputs).toMatchObject([{ label: "Note", value: "hi" }]);
  const seen = await stored(finished);
  expect(typesOf(seen.events)).not.toContain("dreamt");
  expect(seen.events).toEqual(events.filter(({ type }) => String(type) !== "dreamt"));
  const stream = await streamed(finished);
  expect(stream).toContain('"status":"completed"');
  // A comment would be a read after the last event.
  expect(stream).not.toMatch(/^:/m);
  const fromOlder = await asked();
  await shop.post();
  await shop.trigger();
  await shop.hooks().change(shop.endpointId, { name: "third" });
  await grant(shop.accountId, 100);
  const another = await shop.openEndpoint("other");
  await shop.post(another);
  expect(storedIn("endpoints", "SELECT settings FROM endpoints")).toContain("of sheep");
  expect(storedIn("mcp_servers", "SELECT value FROM _cf_KV")).toContain("of sheep");

  await run(newer);
  await answer(fromOlder);
  for (const id of [first, fromNewer, underWay, finished]) {
    expect((await stored(id)).state).toMatchObject({ status: "completed" });
  }
  expect(headOf(fromNewer)).toMatchObject({ dreams: before.dreams });
  await shop.post();
  await shop.post(another);
  expect(await shop.hooks().read(shop.endpointId)).toMatchObject({ name: "third" });
  expect(await shop.hooks().log(shop.endpointId)).toHaveLength(4);
  await shop.expectWhole();
});

/** An account with an endpoint, under whichever version runs. Its executions are remembered. */
async function openShop() {
  const secret = "the secret of the shop";
  const owner = await createAccount(runtime, { credits: 1_000 });
  const hooks = () => new Webhooks(runtime, owner.apiKey);
  const account = () => connect(runtime.url, owner.accountId, owner.apiKey);
  const started: string[] = [];
  const workflowId = await hooks().workflow({ name: "orders", prompt: "Say hello" });
  const openEndpoint = async (name: string) => {
    const auth = { hmac: { preset: "github" as const, secret } };
    return (await hooks().endpoint({ name, workflowId, auth })).endpointId;
  };
  const endpointId = await openEndpoint("first");
  return {
    accountId: owner.accountId,
    endpointId,
    hooks,
    openEndpoint,
    /** Sends a request, and waits until its execution has ended. */
    async post(to = endpointId) {
      const response = await fetch(`${runtime.url}/hooks/${to}`, githubRequest(secret, "{}"));
      const { executionId } = hookAnswer.parse(await response.json());
      if (executionId === null) throw new Error("the request is held");
      expect(await account().ended(executionId)).toMatchObject({ status: "completed" });
      started.push(executionId);
    },
    async trigger() {
      started.push(await account().trigger({ prompt: "Say hello" }));
    },
    /** Expects that every execution is listed once and has ended, and that its credits are right. */
    async expectWhole() {
      for (const id of started) {
        expect(await account().ended(id)).toMatchObject({ status: "completed" });
      }
      const listed = (await account().list()).map(({ executionId }) => executionId);
      expect(listed.sort()).toEqual(started.sort());
      await expect.poll(() => account().credits()).toMatchObject({ reservedCredits: 0 });
      const { availableCredits, consumedCredits } = await account().credits();
      expect(availableCredits + consumedCredits).toBe(1_200);
    },
  };
}

/** Serves the state with this version from now on. */
async function run(worker: BuiltWorker, before: () => unknown = () => {}): Promise<void> {
  await runtime?.close();
  before();
  runtime = await runWorker(worker, { state, variables: { OPENAI_BASE_URL: model.baseUrl } });
  if (client !== undefined) client = connect(runtime.url, client.accountId, client.apiKey);
}

const asks: TriggerInput = { prompt: "Ask", model: "openai/asks", interactive: true };

/** An execution that has asked its question. */
async function asked(): Promise<string> {
  const id = await client.trigger(asks);
  await client.waiting(id);
  return id;
}

/** An execution whose model is asked for its second step. */
async function begun(): Promise<string> {
  const request = model.nextRequest().then(() => model.nextRequest());
  const id = await client.trigger({ prompt: "Take your time", model: "openai/slow" });
  await request;
  return id;
}

/** Answers the question; returns the result. */
async function answer(id: string) {
  const response = await client.request("POST", `/trigger/${id}/message`, { message: "That" });
  expect(response.status).toBe(202);
  expect(await client.ended(id)).toMatchObject({ status: "completed" });
  return client.result(id);
}

async function stored(id: string) {
  const response = await client.request("GET", `/trigger/${id}/events?limit=1000`, undefined, {
    Accept: "application/json",
  });
  const { events } = (await response.json()) as { events: { seq: number; type: string }[] };
  return { events, state: await client.status(id) };
}

function typesOf(events: { type: string }[]): string[] {
  return events.map(({ type }) => type);
}

/** The log as a stream, which ends by itself. */
async function streamed(id: string): Promise<string> {
  const accept = { Accept: "text/event-stream" };
  const signal = AbortSignal.timeout(10_000);
  return (await client.request("GET", `/trigger/${id}/events`, undefined, accept, signal)).text();
}

async function grant(accountId: string, amount: number): Promise<void> {
  const response = await fetch(`${runtime.url}/api/v1/admin/accounts/${accountId}/credits`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${runtime.adminToken}`,
      "Content-Type": "application/json",
      "Idempotency-Key": randomUUID(),
    },
    body: JSON.stringify({ amount, note: "test" }),
  });
  expect(response.ok).toBe(true);
}

/** Changes the tables of D1 as a migration of a later version does. */
function alterRecords(statement: string): void {
  inDatabases("endpoints", {}, (database) => database.exec(statement));
}

/** Returns what a query finds in all databases that have this table, as text. */
function storedIn(table: string, query: string): string {
  const found: string[] = [];
  inDatabases(table, { readOnly: true }, (database) => {
    for (const row of database.prepare(query).all()) {
      for (const value of Object.values(row)) {
        found.push(
          value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : `${value}`,
        );
      }
    }
  });
  return found.join("\n");
}

function inDatabases(
  table: string,
  options: { readOnly?: boolean },
  use: (database: DatabaseSync) => void,
): void {
  const files = readdirSync(state, { recursive: true, encoding: "utf8" });
  for (const name of files.filter((file) => file.endsWith(".sqlite"))) {
    const database = new DatabaseSync(join(state, name), options);
    try {
      const query = "SELECT name FROM sqlite_master WHERE name = ?";
      if (database.prepare(query).get(table) !== undefined) use(database);
    } finally {
      database.close();
    }
  }
}

interface StoredHead {
  writtenBy: number;
  dreams?: number;
  due: Record<string, number>;
}

/** The stored head of an execution, as the databases have it. */
function headOf(id: string): StoredHead {
  const heads: StoredHead[] = [];
  inDatabases("heads", { readOnly: true }, (database) => {
    const row = database.prepare("SELECT head FROM heads WHERE execution_id = ?").get(id);
    if (row !== undefined) heads.push(JSON.parse(String(row.head)) as StoredHead);
  });
  const [head] = heads;
  if (head === undefined) throw new Error("there is no such execution");
  return head;
}

/** Builds the later version into a folder. */
async function buildNewer(directory: string): Promise<void> {
  const changed = new Set<string>();
  const patch: Plugin = {
    name: "newer",
    setup(build) {
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const file = path.slice(join(ROOT, "src/").length);
        const changes = NEWER[file];
        if (changes === undefined) return null;
        let contents = await readFile(path, "utf8");
        for (const [text, by] of changes) {
          if (!contents.includes(text)) throw new Error(`${file} has no ${text}`);
          contents = contents.replace(text, by);
        }
        changed.add(file);
        return { contents, loader: "ts" };
      });
    },
  };
  const { plugins = [], ...options } = bundleOptions(join(ROOT, "src/index.ts"), directory);
  await build({ ...options, minify: true, plugins: [...plugins, patch] });
  expect([...changed].sort()).toEqual(Object.keys(NEWER).sort());
  await cp(join(older.directory, "site"), join(directory, "site"), { recursive: true });
}
