import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { buildCli } from "../../support/cli/built.ts";
import { runProgram } from "../../support/cli/terminal.ts";
import { createAccount } from "../../support/client.ts";
import { folderOfTest, untilEnd } from "../../support/until-end.ts";

const service = inject("service");
const built = await untilEnd(buildCli(service.url));

/** A new account with a folder of its own. */
async function open({ env = {} }: { env?: Record<string, string> } = {}) {
  const { apiKey } = await createAccount(service);
  const folder = await folderOfTest();
  const client = new Prompthook({ baseUrl: service.url, apiKey });
  const run = (...argv: string[]) =>
    runProgram(service.url, argv, { env: { PROMPTHOOK_API_KEY: apiKey, ...env } });
  const put = async (file: string, text: string) => {
    await mkdir(join(folder, file, ".."), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  return { apiKey, folder, client, run, put };
}

const workflow = (n: number, prompt = "Look at {{id}}.") => `---
name: workflow ${n}
inputs:
  - name: id
---

${prompt}
`;
const endpoint = (n: number, more = "") => `name: endpoint ${n}
workflow: look-${n % 2}
${more}`;
const schedule = (n: number) =>
  `{"name": "schedule ${n}", "workflow": "look-${n}", "cron": "0 6 * * *"}`;

/** A folder of 20 workflows, 4 endpoints and 2 schedules. */
async function fill({ put }: Pick<Awaited<ReturnType<typeof open>>, "put">) {
  for (let n = 0; n < 20; n += 1) await put(`workflows/look-${n}.md`, workflow(n));
  for (let n = 0; n < 4; n += 1) await put(`endpoints/hook-${n}.yaml`, endpoint(n));
  for (let n = 0; n < 2; n += 1) await put(`schedules/daily-${n}.json`, schedule(n));
}

/** Returns the last line of a plan. */
const totals = ({ stdout }: { stdout: string }) => stdout.trim().split("\n").at(-1);

test("a folder is planned, applied by two runs of which the first is killed, and then up to date", async () => {
  const account = await open();
  const { apiKey, run, folder, client } = account;
  await fill(account);
  const planned = await run("apply", folder, "--dry-run");
  expect(planned).toMatchObject({ exit: 3, stderr: "" });
  expect(totals(planned)).toBe("26 to create, 0 to change, 0 unchanged.");
  expect((await client.workflows.list()).workflows).toEqual([]);
  const running = built.start(["apply", folder, "--yes", "--commit", "3f0c8f0e"], { apiKey });
  await expect
    .poll(async () => (await client.workflows.list()).workflows.length, { interval: 20 })
    .toBeGreaterThan(5);
  running.kill();
  await running.ended;
  const rest = await run("apply", folder, "--yes", "--commit", "3f0c8f0e");
  expect(rest.exit).toBe(0);
  expect(totals(rest)).toMatch(/^\d+ to create, 0 to change, \d+ unchanged\.$/);
  expect(totals(rest)).not.toMatch(/^26 /);
  const again = await run("apply", folder, "--dry-run");
  expect({ ...again, stdout: totals(again) }).toEqual({
    exit: 0,
    stdout: "0 to create, 0 to change, 26 unchanged.",
    stderr: "",
  });
  const found = await client.webhooks.getNamed("hook-3");
  const { workflowId } = await client.workflows.getNamed("look-1");
  expect(found).toMatchObject({
    name: "endpoint 3",
    workflowId,
    managedBy: { kind: "files", commit: "3f0c8f0e", revision: 1 },
  });
});

test("manual changes are refused until they are pulled or overwritten", async () => {
  const { client, folder, put, run } = await open();
  await put("workflows/look-0.md", workflow(0));
  await put("endpoints/hook.yaml", endpoint(0));
  await run("apply", folder, "--yes");
  const { endpointId } = await client.webhooks.getNamed("hook");
  await client.webhooks.update(endpointId, { retentionDays: 7 });
  const refused = await run("apply", folder, "--yes");
  expect(refused).toMatchObject({ exit: 3, stderr: expect.stringContaining("Changed by hand") });
  expect(refused.stdout).toContain("! endpoints/hook  drifted\n    retentionDays: 7 → unset\n");
  expect(refused.stdout).toContain("changed by hand since revision 1, now 2");
  expect(await client.webhooks.get(endpointId)).toMatchObject({ retentionDays: 7 });
  expect((await run("pull", folder, "--yes")).exit).toBe(0);
  expect(await readFile(join(folder, "endpoints/hook.yaml"), "utf8")).toContain("retentionDays: 7");
  expect((await run("apply", folder, "--dry-run")).exit).toBe(0);

  await client.webhooks.update(endpointId, { retentionDays: 8 });
  expect((await run("apply", folder, "--yes", "--overwrite")).exit).toBe(0);
  expect(await client.webhooks.get(endpointId)).toMatchObject({ retentionDays: 7 });
});

test("a pull keeps files that say the same in their own words, and names those of what was deleted", async () => {
  const { client, folder, put, run } = await open({ env: { HOOK: "a-secret-of-the-hook" } });
  const written = `# Ask Ada before you change this.
name: "hook"
workflow: 'look-0'
auth: { token: { header: X-Hook, secret: { env: HOOK } } }
validation: { required: [id] } # the shop's
`;
  await put("workflows/look-0.md", workflow(0));
  await put("endpoints/hook.yaml", written);
  await put("schedules/daily.json", schedule(0));
  expect((await run("apply", folder, "--yes")).exit).toBe(0);
  await client.schedules.deleteNamed("daily");
  const pulled = await run("pull", folder, "--yes");
  expect(pulled.stderr).toContain("schedules/daily.json: the account has no such schedule.");
  const text = (file = "endpoints/hook.yaml") => readFile(join(folder, file), "utf8");
  expect(await text()).toBe(written);
  expect(await text("workflows/look-0.md")).toBe(workflow(0));
  const { endpointId } = await client.webhooks.getNamed("hook");
  await client.webhooks.update(endpointId, { retentionDays: 7 });
  await run("pull", folder, "--yes");
  expect(await text()).toContain("retentionDays: 7");
});

test("only resources created by files are pruned, and those in use only with --prune-live", async () => {
  const { client, folder, put, run } = await open();
  await client.workflows.create({ name: "by hand", prompt: "Stay." });
  await put("workflows/look-0.md", workflow(0));
  await put("workflows/look-1.md", workflow(1));
  await put("endpoints/held.yaml", "name: held\n");
  await run("apply", folder, "--yes");
  const { url } = await client.webhooks.getNamed("held");
  await (await fetch(url, { method: "POST", body: "{}" })).text();
  await rm(join(folder, "endpoints/held.yaml"));
  await rm(join(folder, "workflows/look-1.md"));
  const kept = await run("apply", folder, "--yes");
  expect(kept.stderr).toContain("2 resources of files in no file: --prune deletes.");
  const pruned = await run("apply", folder, "--yes", "--prune");
  expect(pruned.stdout).toContain("- workflows/look-1  not in the folder");
  expect(pruned.stderr).toContain("endpoints/held stays: it holds requests");
  expect((await client.workflows.list()).workflows.map(({ name }) => name)).toEqual([
    "workflow 0",
    "by hand",
  ]);
  // A mistyped folder does not stand for one from which everything was removed.
  expect((await run("apply", `${folder}-mistyped`, "--yes", "--prune-live")).exit).toBe(2);
  expect((await client.webhooks.list()).endpoints).toHaveLength(1);
  expect((await run("apply", folder, "--yes", "--prune-live")).exit).toBe(0);
  expect((await client.webhooks.list()).endpoints).toEqual([]);
});

test("a changed workflow is rehearsed on request, and not applied if that fails", async () => {
  const { client, folder, put, run } = await open();
  const counting = (more: string, prompt: string) => `---
name: count
rehearseBeforeSave: true
inputs: [{ name: lines, type: array }]
${more}---

${prompt}
`;
  await put("workflows/count.md", counting("", "Count rows from {{lines}}."));
  await run("apply", folder, "--yes");
  const { workflowId } = await client.workflows.getNamed("count");
  const { executionId } = await client.workflows.run(workflowId, { lines: [{ a: 1 }, { a: 2 }] });
  await client.executions.wait(executionId);
  const expected = "expect: { callsTool: [send_email] }\n";
  await put("workflows/count.md", counting(expected, "Count rows from {{lines}}."));
  const refused = await run("apply", folder, "--yes", "--rehearse", "5");
  expect(refused.stdout).toContain("rehearsed on its last 1 inputs: 0 changed, 1 failed");
  expect(refused).toMatchObject({ exit: 1, stderr: "A rehearsal failed. Nothing was changed.\n" });
  expect(await client.workflows.get(workflowId)).toMatchObject({ revision: 1 });
  await put("workflows/count.md", counting("maxCredits: 50\n", "Count rows from {{lines}}."));
  expect((await run("apply", folder, "--yes")).stderr).toContain("Rehearse this change");
  const applied = await run("apply", folder, "--yes", "--rehearse", "5");
  expect(applied.stdout).toContain("rehearsed on its last 1 inputs: 0 changed, 0 failed");
  expect(applied.exit).toBe(0);
});

const SECRETS = {
  WORKFLOW_SHOP_ORDERS_CALLBACKSECRET: "the secret of callbacks",
  ENDPOINT_SIGNED_AUTH_HMAC_SECRET: "the secret of the sender",
  ENDPOINT_SIGNED_AUTH_HEADERS_0_VALUE: "prod",
  ENDPOINT_ROUTED_AUTH_TOKEN_SECRET: "a token of 20 letters",
  DESTINATION_ON_CALL_SECRET: "the secret of the receiver",
  DESTINATION_ON_CALL_HEADERS_AUTHORIZATION: "Bearer of the receiver",
  DESTINATION_CHAT_URL: "https://hooks.slack.com/services/T00/B00/the-end-is-secret",
};

/** Makes by hand an account with settings of every kind; the path of its endpoint is its alone. */
async function makeByHand(client: Prompthook, path?: string) {
  const { workflowId } = await client.workflows.create({
    name: "Shop Orders!",
    prompt: "\n# Look\n\n---\nat {{id}}: 100 %\n\n",
    inputs: [
      { name: "id", required: true },
      { name: "lines", type: "array", default: ["é", 1.5] },
    ],
    callbackUrl: "https://receiver.example/callback",
    callbackSecret: SECRETS.WORKFLOW_SHOP_ORDERS_CALLBACKSECRET,
    model: ["builtin/demo"],
    tools: ["http_request", "send_email"],
    approvals: ["send_email"],
    allowedHosts: ["*.example.com"],
    maxCredits: 9,
    maxSteps: 4,
    timeoutSeconds: 60,
    outputSchema: { type: "object", properties: { workflowId: { const: "wf" } } },
  });
  const { workflowId: second } = await client.workflows.create({
    name: "Shop Orders!",
    prompt: "a\r\nb",
  });
  await client.webhooks.create({
    name: "signed",
    ...(path !== undefined && { path }),
    workflowId,
    methods: ["POST", "GET"],
    auth: {
      hmac: { preset: "github", secret: SECRETS.ENDPOINT_SIGNED_AUTH_HMAC_SECRET },
      headers: [
        { name: "X-Env", value: SECRETS.ENDPOINT_SIGNED_AUTH_HEADERS_0_VALUE },
        { name: "X-Source" },
      ],
      ipAllowlist: ["203.0.113.0/24", "::1"],
    },
    replayProtection: { toleranceSeconds: 60, timestamp: { in: "body", path: "sent_at" } },
    eventId: { in: "header", path: "X-Event-Id" },
    onDuplicate: "run",
    validation: {
      required: ["order.id"],
      types: { "order.total": "number" },
      schema: { type: "object" },
    },
    mapping: {
      auto: false,
      fields: [
        { to: "id", from: "order.id", transforms: [{ type: "string" }, { type: "trim" }] },
        { to: "lines", from: "$", default: ["2020-01-01", "yes", "0x1f"] },
      ],
    },
    retentionDays: 7,
    requestsPerMinute: 60,
    split: { path: "events[*]" },
    response: { status: 200, body: "ok {{requestId}}" },
  });
  await client.webhooks.create({
    name: "routed",
    enabled: false,
    auth: { token: { header: "X-Shop", secret: SECRETS.ENDPOINT_ROUTED_AUTH_TOKEN_SECRET } },
    eventId: false,
    routing: {
      routes: [
        {
          name: "paid",
          workflowId: second,
          when: { all: [{ path: "type", equals: "paid" }, { not: { path: "n", gt: 3 } }] },
          key: { template: "{{body.repo.id}}/{{body.n}}" },
          onEvent: "collect",
          quietSeconds: 5,
          maxWaitSeconds: 60,
        },
        { name: "others", workflowId, mapping: { fields: [{ to: "id", from: "id" }] } },
      ],
    },
  });
  const inputs = { id: "1007" };
  await client.schedules.create({
    name: "mornings",
    workflowId,
    inputs,
    cron: "30 6 * * 1-5",
    timeZone: "Europe/Berlin",
    overlap: "queue",
  });
  await client.schedules.create({
    workflowId,
    inputs,
    at: "2036-01-01T07:30:00+01:00",
    enabled: false,
  });
  await client.schedules.create({
    name: "often",
    workflowId: second,
    everySeconds: 600,
    catchUp: "all",
  });
  await client.destinations.create({
    name: "On call",
    format: "standard",
    url: "https://receiver.example/events",
    events: ["execution.failed", "endpoint.failing"],
    payload: "full",
    secret: SECRETS.DESTINATION_ON_CALL_SECRET,
    headers: { Authorization: SECRETS.DESTINATION_ON_CALL_HEADERS_AUTHORIZATION },
  });
  await client.destinations.create({
    name: "chat",
    format: "slack",
    url: SECRETS.DESTINATION_CHAT_URL,
    events: ["decision.requested"],
  });
}

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = names
    .filter((each) => each.isFile())
    .map(async (each) => {
      const path = join(each.parentPath, each.name);
      return [path.slice(folder.length + 1), await readFile(path, "utf8")] as const;
    });
  return Object.fromEntries(await Promise.all(found));
}

test("an account is pulled byte for byte identical each time, and applying it plans nothing", async () => {
  const { client, folder, run } = await open({ env: SECRETS });
  await makeByHand(client, `shop/${crypto.randomUUID()}`);
  expect((await run("pull", folder)).stderr).toContain("Nobody can be asked here. Pass --yes.");
  const pulled = await run("pull", folder, "--yes");
  expect(pulled).toMatchObject({ exit: 0 });
  const files = await contentsOf(folder);
  expect(Object.keys(files).sort()).toEqual([
    "destinations/chat.yaml",
    "destinations/on-call.yaml",
    "endpoints/routed.yaml",
    "endpoints/signed.yaml",
    "schedules/mornings.yaml",
    "schedules/often.yaml",
    "schedules/schedule.yaml",
    "schemas/destination.json",
    "schemas/endpoint.json",
    "schemas/schedule.json",
    "schemas/workflow.json",
    "workflows/shop-orders-2.md",
    "workflows/shop-orders.md",
  ]);
  for (const secret of Object.values(SECRETS)) expect(JSON.stringify(files)).not.toContain(secret);
  expect(await run("pull", folder)).toMatchObject({ exit: 0 });
  expect(await contentsOf(folder)).toEqual(files);
  const planned = await run("apply", folder, "--dry-run");
  expect(planned.stdout).toBe("0 to create, 0 to change, 9 unchanged.\n");
  expect(planned.exit).toBe(0);
});

test("a pull keeps the variables of files, even of one of two files", async () => {
  const { client, folder, put, run } = await open({ env: { SHARED: "token-of-two-senders" } });
  for (const name of ["first", "second"]) {
    await put(
      `endpoints/${name}.yaml`,
      `name: ${name}\nauth: { token: { secret: { env: SHARED } } }\n`,
    );
  }
  expect(await run("apply", folder, "--yes")).toMatchObject({ exit: 0 });
  for await (const { endpointId } of client.webhooks.all()) {
    await client.webhooks.update(endpointId, { requestsPerMinute: 7 });
  }
  expect(await run("pull", folder, "--yes")).toMatchObject({ exit: 0 });
  expect((await contentsOf(folder))["endpoints/first.yaml"]).toMatch(
    /env: SHARED[\s\S]*requestsPerMinute: 7/,
  );
  expect(await run("apply", folder, "--dry-run")).toMatchObject({
    stdout: "0 to create, 0 to change, 2 unchanged.\n",
    exit: 0,
  });
});

test("resources of one account are promoted to another, and compared", async () => {
  const { client, folder, put, run, apiKey } = await open({ env: SECRETS });
  await makeByHand(client);
  await run("pull", folder, "--yes");
  const { apiKey: liveKey, client: live } = await open();
  const profile = (url: string, env: string) => ({ url, apiKey: { env } });
  const profiles = {
    staging: profile(service.url, "STAGING_KEY"),
    live: profile(service.url, "LIVE_KEY"),
  };
  await put("prompthook.json", JSON.stringify({ profiles }));
  const env = { STAGING_KEY: apiKey, LIVE_KEY: liveKey, ...SECRETS };
  const promote = (...argv: string[]) => runProgram(service.url, argv, { env });
  expect((await promote("diff", "staging", "live", folder)).stdout).toContain(
    "- workflows/shop-orders  only in staging",
  );
  const applied = await promote("apply", folder, "--profile", "live", "--yes");
  expect(applied).toMatchObject({ exit: 0 });
  const same = await promote("diff", "staging", "live", folder);
  expect(same).toMatchObject({ exit: 0, stdout: "staging and live have the same.\n" });
  const { scheduleId } = await live.schedules.getNamed("often");
  await live.schedules.update(scheduleId, { everySeconds: 1_200 });
  const differ = await promote("diff", "staging", "live", folder);
  expect(differ).toMatchObject({
    exit: 3,
    stdout: "~ schedules/often\n    everySeconds: 600 → 1200\n",
  });
  expect((await promote("apply", folder, "--profile", "lve")).stderr).toContain(
    'has no profile "lve", only staging, live.',
  );
});

test("a changed secret is detected, and never shown", async () => {
  const account = await open({ env: { TOKEN: "token-of-the-sender-1" } });
  await account.put(
    "endpoints/hook.yaml",
    "name: hook\nauth:\n  token:\n    secret: { env: TOKEN }\n",
  );
  await account.run("apply", account.folder, "--yes");
  expect((await account.run("apply", account.folder, "--dry-run")).exit).toBe(0);
  const env = { TOKEN: "token-of-the-sender-2", PROMPTHOOK_API_KEY: account.apiKey };
  const changed = await runProgram(service.url, ["apply", account.folder, "--yes"], { env });
  expect(changed.stdout).toContain("~ endpoints/hook\n    a secret is another one\n");
  expect(changed.stdout + changed.stderr).not.toContain("token-of");
});

describe("a plan against the log", () => {
  test("states the results of each change", async () => {
    const { client, folder, put, run } = await open();
    await put("workflows/look-0.md", workflow(0));
    await put("endpoints/hook.yaml", endpoint(0));
    await run("apply", folder, "--yes");
    const { url, endpointId } = await client.webhooks.getNamed("hook");
    const headers = { "Content-Type": "application/json" };
    const send = async (body: object) =>
      (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status;
    const payloads = Array.from({ length: 20 }, (_, n) => ({
      id: n,
      ...(n < 14 && { order: { total: n } }),
    }));
    for (const payload of payloads) expect(await send(payload)).toBe(202);
    await put("endpoints/hook.yaml", endpoint(0, "validation:\n  required: [order.total]\n"));
    const planned = await run("apply", folder, "--yes");
    expect(planned.stdout).toContain(
      "of its last 20 requests: would reject 6 that were accepted (6 at `order.total`)",
    );
    const statuses = await Promise.all(
      payloads.map((payload) => send({ ...payload, again: true })),
    );
    expect(statuses.filter((status) => status === 422)).toHaveLength(6);
    expect((await client.webhooks.list()).endpoints[0]?.endpointId).toBe(endpointId);
  });

  test("prints Markdown in CI", async () => {
    const { folder, put, run } = await open({ env: { CI: "true" } });
    await put("workflows/look-0.md", workflow(0));
    const { stdout } = await run("apply", folder, "--dry-run");
    expect(stdout).toBe(
      "### Prompthook: 1 file\n\n```diff\n+ workflows/look-0\n```\n1 to create, 0 to change, 0 unchanged.\n",
    );
  });
});

test.each([
  ["workflows/w.md", "---\nname: w\n---\n\nSay {{nme}}.\n", "workflows/w.md:2: `prompt` "],
  ["schedules/s.yaml", "workflow: look-0\ncron: nope\n", "schedules/s.yaml:2: `cron` "],
  [
    "endpoints/e.yaml",
    "name: e\nmapping:\n  fields:\n    - to: id\n      from: a[\n",
    "endpoints/e.yaml:5: `mapping.fields[0].from` ",
  ],
])(
  "what the service refuses of %s is reported with its line before any change",
  async (file, text, said) => {
    const { client, folder, put, run } = await open();
    await put("workflows/look-0.md", workflow(0));
    await put(file, text);
    const { exit, stderr } = await run("apply", folder, "--yes");
    expect(stderr).toContain(said);
    expect(exit).toBe(2);
    expect((await client.workflows.list()).workflows).toEqual([]);
  },
);

test("init creates a folder that can be applied unchanged, once", async () => {
  const { client, folder, run } = await open();
  const path = join(folder, "kept");
  expect(await run("init", path)).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining("Wrote"),
  });
  expect((await run("apply", path, "--yes")).exit).toBe(0);
  const { executionId } = await client.schedules.run(
    (await client.schedules.getNamed("weekday-report")).scheduleId,
  );
  const result = await client.executions.wait(executionId);
  expect(result).toMatchObject({
    status: "completed",
    presentedResult: { summary: expect.stringContaining("2") },
  });
  expect((await run("init", path)).stderr).toContain("is there already");
});
