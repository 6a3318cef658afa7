import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { Account } from "../../../src/accounts/account.ts";
import type { PromisedExecution, SeedDraft } from "../../../src/contract/account.ts";
import { Journal } from "../../../src/executions/journal/journal.ts";
import { executionIdOf } from "../../../src/lib/execution-id.ts";
import { mcpServer } from "../../support/worker/mcp.ts";
import {
  creditsOf,
  draftOf,
  env,
  executionOf,
  forgetEnded,
  hostOf,
  openAccount,
  rowsOf,
  type TestAccount,
} from "../../support/worker/objects.ts";

let place = 0;

/** An id as an inbox makes it. */
function promisedId(at: number): string {
  place += 1;
  const random = crypto.getRandomValues(new Uint8Array(2));
  return executionIdOf("ep_0123456789abcdef", { at, place }, { slot: place % 4, random });
}

/** A run as a webhook promises it; by default of a model that does not come to an end. */
function runOf(changes: Partial<SeedDraft> = {}, createdAt = Date.now()): PromisedExecution {
  const draft = draftOf({
    origin: "webhook",
    workflowId: "wf_1",
    model: "openai/hangs",
    maxCredits: 10,
    ...changes,
  });
  return { executionId: promisedId(createdAt), draft };
}

const runs = (count: number, changes: Partial<SeedDraft> = {}) =>
  Array.from({ length: count }, () => runOf(changes));

/** Asks within the account's object: the runner minds errors of calls to it, and others come between. */
const inside = <T>(
  { accountId }: Pick<TestAccount, "accountId">,
  ask: (own: Account) => Promise<T>,
) =>
  runInDurableObject(env.ACCOUNT.getByName(accountId), async (instance) => {
    if (!(instance instanceof Account)) throw new Error("this is no account");
    return await ask(instance);
  });

/** Why the account takes nothing over. */
const refusalOf = (account: Pick<TestAccount, "accountId">, promised: PromisedExecution[]) =>
  inside(account, (own) => own.acceptBatch(promised).then(String, String));

describe("accepting promised executions", () => {
  it("holds the credits of all, and lists them at once", async () => {
    const account = await openAccount({ credits: 100 });
    const promised = [runOf(), runOf({ origin: "replay" }), runOf({ workflowId: "wf_2" })];
    await account.api.acceptBatch(promised);
    expect(await creditsOf(account)).toEqual({ available: 70, reserved: 30, consumed: 0 });
    expect(await rowsOf(account)).toHaveLength(3);
  });

  it("starts an execution under the promised id, and only once after its row has left the account", async () => {
    const account = await openAccount({ credits: 100 });
    const createdAt = Date.now() - 5_000;
    const run = runOf({ model: "openai/scripted", inputs: { order: 7 } }, createdAt);
    await account.api.acceptBatch([run]);
    expect(await executionOf(account, run.executionId).ended()).toMatchObject({
      executionId: run.executionId,
      status: "completed",
      createdAt: new Date(createdAt).toISOString(),
    });
    await expect.poll(() => creditsOf(account)).toMatchObject({ reserved: 0 });
    const settled = await creditsOf(account);
    await forgetEnded(account);

    await account.api.acceptBatch([run]);
    expect(await creditsOf(account)).toEqual(settled);
    expect(await rowsOf(account)).toMatchObject([{ status: "completed" }]);
  });

  it("accepts an execution above the balance, which fails and costs nothing", async () => {
    const account = await openAccount({ credits: 25 });
    const promised = runs(4);
    await account.api.acceptBatch(promised);
    expect(await creditsOf(account)).toEqual({ available: 5, reserved: 20, consumed: 0 });
    const unpaid = promised.slice(2).map(({ executionId }) => executionOf(account, executionId));
    for (const execution of unpaid) {
      expect(await execution.ended()).toMatchObject({
        status: "failed",
        statusDetail: "credits_exhausted",
        error: { code: "credits_exhausted" },
        creditsConsumed: 0,
      });
      expect(await execution.session().result(account.accountId)).toMatchObject({
        kind: "ready",
        result: { status: "failed", creditsConsumed: 0 },
      });
    }
    await expect.poll(async () => (await rowsOf(account, { statuses: ["failed"] })).length).toBe(2);
    expect(await creditsOf(account)).toEqual({ available: 5, reserved: 20, consumed: 0 });
  });

  it("fails an execution with an unusable model, with the reason", async () => {
    const account = await openAccount();
    const run = runOf({ model: "workers-ai/@cf/some/model" });
    await account.api.acceptBatch([run]);
    const state = await executionOf(account, run.executionId).ended();
    expect(state).toMatchObject({ status: "failed", error: { code: "model_error" } });
    expect(state.error?.message).toContain("needs the AI binding");
  });

  it("accepts all or nothing", async () => {
    const account = await openAccount({ credits: 100 });
    const tooLarge = runOf({ metadata: { note: "x".repeat(9_000_000) } });
    expect(await refusalOf(account, [runOf(), tooLarge])).toContain("too big");
    expect(await creditsOf(account)).toEqual({ available: 100, reserved: 0, consumed: 0 });
    expect(await rowsOf(account)).toEqual([]);
  });

  it("refuses executions of an account that does not exist", async () => {
    expect(await refusalOf({ accountId: "acc_of_nobody" }, [runOf()])).toContain("does not exist");
  });
});

describe("inputs of megabytes", () => {
  const inputs = { payload: "é".repeat(3_000_000), order: 7 };

  it("are readable before the session has them, reach it whole, and leave nothing behind", async () => {
    const account = await openAccount();
    const run = runOf({ model: "builtin/demo", prompt: "Say hello", inputs });
    const kept = await inside(account, async (own) => {
      await own.acceptBatch([run]);
      return await own.pending(run.executionId);
    });
    expect(kept?.inputs).toEqual(inputs);
    expect(await executionOf(account, run.executionId).ended()).toMatchObject({
      status: "completed",
    });
    const host = hostOf(account.accountId, run.executionId);
    await evictDurableObject(host);
    const [first] = await runInDurableObject(
      host,
      (_, { storage }) => new Journal(storage, run.executionId).entry(0).facts,
    );
    expect(first).toMatchObject({ kind: "seed", seed: { inputs } });
    await expect.poll(() => account.api.pending(run.executionId)).toBeNull();
    await expect.poll(() => keptAside(account)).toEqual([]);
  });

  const keptAside = ({ accountId }: TestAccount) =>
    runInDurableObject(env.ACCOUNT.getByName(accountId), (_, { storage }) =>
      [...storage.kv.list({ prefix: "seed/" })].map(([key]) => key),
    );
});

it("a promised execution has its named tools without removed servers, or all tools", async () => {
  const account = await openAccount();
  const { url } = mcpServer();
  const server = { serverId: "mcp_crm", name: "crm", url, headers: [], sealedHeaders: null };
  await account.api.addMcpServer(server);
  const named = runOf({ tools: ["browse", "mcp__crm", "mcp__gone", "mcp__gone__search"] });
  const others = runOf({ tools: null });
  await account.api.acceptBatch([named, others]);
  const seedOf = ({ executionId }: PromisedExecution) =>
    runInDurableObject(env.ACCOUNT.getByName(account.accountId), (_, { storage }) => {
      const query = "SELECT seed FROM executions WHERE execution_id = ?";
      return JSON.parse(storage.sql.exec<{ seed: string }>(query, executionId).one().seed);
    });
  expect(await seedOf(named)).toMatchObject({
    tools: ["browse", "mcp__crm"],
    mcpServers: [{ serverId: "mcp_crm", name: "crm" }],
  });
  expect((await seedOf(others)).tools).toEqual(
    expect.arrayContaining(["browse", "send_email", "mcp__crm"]),
  );
});

it("accepts exactly three of thirty concurrent executions on a balance for three", async () => {
  const account = await openAccount({ credits: 39 });
  const draft = draftOf({ model: "openai/hangs", maxCredits: 10 });
  const replies = await Promise.all(
    Array.from({ length: 30 }, () => account.api.accept(account.credential, draft, null)),
  );
  const ids = replies.flatMap((reply) =>
    reply.kind === "accepted" ? [reply.body.executionId] : [],
  );
  expect(new Set(ids).size).toBe(3);
  expect(replies.filter(({ kind }) => kind === "insufficient_credits")).toHaveLength(27);
  expect(await creditsOf(account)).toEqual({ available: 9, reserved: 30, consumed: 0 });
  expect(await rowsOf(account)).toHaveLength(3);
});

it("a refused request does not consume its idempotency key", async () => {
  const account = await openAccount({ credits: 5 });
  const key = { key: "order-7", bodyHash: "hash of the body" };
  const draft = draftOf({ maxCredits: 10 });
  await account.api.accept(account.credential, draft, key);
  await account.api.grant("grant_1", 10, "more");
  expect(await account.api.accept(account.credential, draft, key)).toMatchObject({
    kind: "accepted",
    replayed: false,
  });
});
