import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { PromisedExecution } from "../../../src/contract/account.ts";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import type { WorkItem } from "../../../src/contract/webhooks/inbox.ts";
import type { LogEntry } from "../../../src/contract/webhooks/log.ts";
import { accountStub } from "../../../src/durable/stubs.ts";
import { startBatch } from "../../../src/endpoints/start.ts";
import service from "../../../src/index.ts";
import { DeadlineError } from "../../../src/lib/async.ts";
import { configWith, routeWith } from "../../support/endpoint.ts";
import {
  accepting,
  env,
  openInbox,
  type TestInbox,
  workflow,
} from "../../support/worker/inboxes.ts";
import { creditsOf, executionOf, openAccount, rowsOf } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const QUEUE = "staging-webhooks";
const DEAD = "staging-webhooks-dead";

/** A workflow whose runs are over after one step. */
const scripted = { ...workflow, model: "openai/scripted", prompt: promptOf({}), maxCredits: 2 };

/** An endpoint of a new account, its messages kept from the real queue. */
async function openEndpoint(changes: Partial<EndpointConfig> = {}) {
  const account = await openAccount();
  const inbox = await openInbox({ accountId: account.accountId, workflow: scripted, ...changes });
  return { account, inbox };
}

/** Lets requests arrive at an endpoint; returns their ids in the order of arrival. */
async function arrive(inbox: TestInbox, count: number): Promise<string[]> {
  const ids: string[] = [];
  // One after the other: a call that waits for the account's share of its quota is overtaken by others.
  while (ids.length < count) {
    const mappedInputs = inbox.config.workflow === null ? null : { sent: ids.length };
    const arrival = inbox.arrival({ decision: accepting({ mappedInputs }) });
    expect(await inbox.api.accept(arrival)).toMatchObject({ kind: "accepted" });
    ids.push(arrival.request.requestId);
  }
  return ids;
}

/**
 * Lets the service consume these bodies in one batch, at this attempt or these of each. Returns the messages
 * that it acknowledged, and the seconds after which it wants the others again.
 */
async function consume(
  bodies: unknown[],
  how: { queue?: string; attempts?: number | number[]; world?: CloudflareEnv } = {},
) {
  const { queue = QUEUE, attempts = 1, world = env } = how;
  const batch = createMessageBatch(
    queue,
    bodies.map((body, at) => ({
      id: `m${at}`,
      timestamp: new Date(),
      attempts: typeof attempts === "number" ? attempts : (attempts[at] ?? 1),
      body,
    })),
  );
  const retries = batch.messages.map((message) => vi.spyOn(message, "retry"));
  const context = createExecutionContext();
  await service.queue(batch, world, context);
  const { explicitAcks } = await getQueueResult(batch, context);
  const delays = retries.flatMap(({ mock }) => mock.calls.map(([how]) => how?.delaySeconds));
  return { acked: explicitAcks, delays };
}

/** A message of the queue that names these requests. */
const messageOf = (inbox: TestInbox, requestIds: string[]) => ({
  v: 1,
  endpointId: inbox.config.endpointId,
  requestIds,
});

/** A request as the log shows it. */
async function entryOf(inbox: TestInbox, requestId: string | undefined): Promise<LogEntry> {
  const found = await inbox.api.entry(requestId ?? "");
  if (found === null) throw new Error("there is no such entry");
  return found.entry;
}

const statusOf = async (inbox: TestInbox, requestId: string | undefined) =>
  (await entryOf(inbox, requestId)).status;

/** The service's surroundings, where `answer` stands between it and the accounts. */
function withAccounts(
  answer: (runs: PromisedExecution[], acceptBatch: () => Promise<unknown>) => Promise<unknown>,
): CloudflareEnv {
  const getByName = (name: string) => ({
    acceptBatch: (runs: PromisedExecution[]) =>
      answer(runs, () => accountStub(env, name).acceptBatch(runs)),
  });
  const ACCOUNT = new Proxy(env.ACCOUNT, {
    get: (accounts, name) => (name === "getByName" ? getByName : Reflect.get(accounts, name)),
  });
  return { ...env, ACCOUNT };
}

const away = () => Promise.reject(new Error("the account is away"));

describe("a message of the inbound queue", () => {
  it("starts its requests, each under the id of the sender's receipt", async () => {
    const { account, inbox } = await openEndpoint();
    const [first, second] = await arrive(inbox, 2);
    expect(await consume([messageOf(inbox, [`${first}`, `${second}`])])).toEqual({
      acked: ["m0"],
      delays: [],
    });
    const { executionId } = await entryOf(inbox, first);
    const state = await executionOf(account, `${executionId}`).ended();
    expect(state).toMatchObject({ status: "completed", creditsConsumed: 1 });
    await expect.poll(() => statusOf(inbox, second)).toBe("succeeded");
    expect(await rowsOf(account)).toMatchObject([
      { origin: "webhook", workflowId: workflow.workflowId },
      { origin: "webhook", workflowId: workflow.workflowId },
    ]);
  });

  it("is idempotent in any order, alone or beside others", async () => {
    const { account, inbox } = await openEndpoint();
    const ids = await arrive(inbox, 4);
    const all = messageOf(inbox, ids);
    const some = messageOf(inbox, ids.slice(2).toReversed());
    await Promise.all([consume([some, all, some]), consume([all]), consume([some])]);
    expect(await consume([all, some])).toEqual({ acked: ["m0", "m1"], delays: [] });
    for (const id of ids) await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
    await expect.poll(() => creditsOf(account)).toMatchObject({ reserved: 0 });
    expect(await creditsOf(account)).toMatchObject({ consumed: 4 });
    await consume([all]);
    expect(await rowsOf(account)).toHaveLength(4);
    expect(await creditsOf(account)).toMatchObject({ reserved: 0, consumed: 4 });
  });

  it("starts a batch of a hundred with one call to the account", async () => {
    const { account, inbox } = await openEndpoint();
    const ids = await arrive(inbox, 100);
    const batches: (string | undefined)[][] = [];
    const world = withAccounts((runs, acceptBatch) => {
      batches.push(runs.map(({ draft }) => draft.inbound?.requestId));
      return acceptBatch();
    });
    await consume([messageOf(inbox, ids)], { world });
    expect(batches).toEqual([ids]);
    expect(await rowsOf(account)).toHaveLength(100);
  });

  it("is retried with growing gaps during an outage of the account", async () => {
    const { account, inbox } = await openEndpoint();
    const ids = await arrive(inbox, 3);
    const attempts = [1, 2, 3, 4, 5];
    const messages = attempts.map(() => messageOf(inbox, ids));
    expect(await consume(messages, { attempts, world: withAccounts(away) })).toEqual({
      acked: [],
      delays: [2, 8, 32, 128, 300],
    });
    expect(await rowsOf(account)).toEqual([]);
    for (const id of ids) expect(await statusOf(inbox, id)).toBe("queued");
    await consume([messageOf(inbox, ids)], { attempts: 6 });
    for (const id of ids) await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
  });

  it("starts nothing twice if the account's reply is lost", async () => {
    const { account, inbox } = await openEndpoint();
    const ids = await arrive(inbox, 3);
    const world = withAccounts(async (_, acceptBatch) => {
      await acceptBatch();
      throw new Error("the answer is lost");
    });
    expect(await consume([messageOf(inbox, ids)], { world })).toMatchObject({ acked: [] });
    expect(await consume([messageOf(inbox, ids)])).toMatchObject({ acked: ["m0"] });
    await expect.poll(() => creditsOf(account)).toMatchObject({ consumed: 3 });
    expect(await rowsOf(account)).toHaveLength(3);
  });

  it("is dropped if it is unreadable or unknown to its endpoint, and does not block others", async () => {
    const { inbox } = await openEndpoint();
    const [id] = await arrive(inbox, 1);
    const unknown = messageOf(inbox, [crypto.randomUUID()]);
    const bodies = ["nonsense", { v: 2 }, unknown, messageOf(inbox, [`${id}`])];
    expect(await consume(bodies)).toEqual({ acked: ["m0", "m1", "m2", "m3"], delays: [] });
    await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
  });
});

describe("a dead letter", () => {
  it("is logged as failed", async () => {
    const { inbox } = await openEndpoint();
    const ids = await arrive(inbox, 2);
    const letter = messageOf(inbox, ids);
    const consumed = await consume([letter], { queue: DEAD, world: withAccounts(away) });
    expect(consumed).toEqual({ acked: ["m0"], delays: [] });
    for (const id of ids) {
      const { status, errors } = await entryOf(inbox, id);
      expect(status).toBe("failed");
      expect(errors).toMatchObject([{ stage: "start", rule: "dead_letter" }]);
      // What errors say is for the operators.
      expect(errors[0]?.message).not.toContain("away");
    }
    expect(await inbox.api.workBatch(ids)).toMatchObject({ items: [] });
  });

  it("starts its requests after all, beside one that cannot start", async () => {
    const { account, inbox } = await openEndpoint();
    const [poison = "", ...good] = await arrive(inbox, 4);
    const started: (string | undefined)[] = [];
    let under = 0;
    const world = withAccounts(async ([run], acceptBatch) => {
      const requestId = run?.draft.inbound?.requestId;
      if (requestId === poison) return away();
      under += 1;
      expect(under).toBe(1);
      started.push(requestId);
      await acceptBatch();
      under -= 1;
    });
    const letter = messageOf(inbox, [poison, ...good]);
    expect(await consume([letter], { queue: DEAD, world })).toMatchObject({ acked: ["m0"] });
    expect(started).toEqual(good);
    expect(await statusOf(inbox, poison)).toBe("failed");
    for (const id of good) await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
    expect(await rowsOf(account)).toHaveLength(3);
  });

  it("does not wait for further account calls once it is late", async () => {
    const { inbox } = await openEndpoint();
    const ids = await arrive(inbox, 4);
    let calls = 0;
    const world = withAccounts(async () => {
      calls += 1;
      // None of those behind the first would come if each waited for the one before it.
      if (calls > 1) await expect.poll(() => calls).toBe(4);
      throw new DeadlineError("the account", 20_000);
    });
    await consume([messageOf(inbox, ids)], { queue: DEAD, world });
    for (const id of ids) {
      const { errors } = await entryOf(inbox, id);
      expect(errors[0]?.message).toContain("the account did not answer");
    }
  });

  it("is retried while its inbox is unreachable", async () => {
    const { inbox } = await openEndpoint();
    const [id] = await arrive(inbox, 1);
    const INBOX = new Proxy(env.INBOX, {
      get: () => () => {
        throw new Error("the inbox is away");
      },
    });
    const letter = messageOf(inbox, [`${id}`]);
    const consumed = await consume([letter], { queue: DEAD, world: { ...env, INBOX } });
    expect(consumed).toEqual({ acked: [], delays: [30] });
    expect(await statusOf(inbox, id)).toBe("queued");
  });
});

const deleted = { routes: [routeWith({ name: "paid", workflow: null })] };

it.each<[string, Partial<EndpointConfig>, Partial<WorkItem>]>([
  ["its configuration is missing", {}, { configVersion: 2 }],
  [`there is no route ""`, { workflow: null }, {}],
  [`there is no route "refunded"`, { routing: deleted }, { route: "refunded" }],
  ["the workflow of its route is deleted", { routing: deleted }, { route: "paid" }],
])("explains work that cannot start: %s", async (cause, ofConfig, ofItem) => {
  const config = configWith(ofConfig);
  const item: WorkItem = {
    requestId: crypto.randomUUID(),
    executionId: crypto.randomUUID(),
    origin: "webhook",
    configVersion: config.version,
    work: { kind: "mapped", inputs: {} },
    ...ofItem,
  };
  const batch = { configs: [config], items: [item], more: false };
  await expect(startBatch(env, config.endpointId, batch)).rejects.toThrow(
    `cannot start work: ${cause}`,
  );
});
