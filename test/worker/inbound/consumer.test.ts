import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Account } from "../../../src/accounts/account.ts";
import { accountStub } from "../../../src/accounts/stub.ts";
import type { PromisedRun } from "../../../src/contract/account.ts";
import type { EndpointConfig } from "../../../src/contract/inbound/endpoint.ts";
import type { LogEntry } from "../../../src/contract/inbound/log.ts";
import service from "../../../src/index.ts";
import { DeadlineError } from "../../../src/lib/deadline.ts";
import {
  accepting,
  env,
  openInbox,
  type TestInbox,
  workflow,
} from "../../support/worker/inboxes.ts";
import {
  everything,
  executionOf,
  openAccount,
  type TestAccount,
} from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const QUEUE = "prompthook-inbound";
const DEAD = "prompthook-inbound-dead";

afterEach(() => vi.restoreAllMocks());

const scripted = { ...workflow, model: "openai/scripted", prompt: promptOf({}), maxCredits: 2 };

/** An endpoint of a new account, its messages kept from the real queue. */
async function openEndpoint(changes: Partial<EndpointConfig> = {}) {
  const account = await openAccount();
  const inbox = await openInbox({
    accountId: account.accountId,
    workflow: scripted,
    ...changes,
  });
  return { account, inbox };
}

/** Sends requests to an endpoint; answers their ids in the order of arrival. */
async function arrive(inbox: TestInbox, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const decision = accepting({
      mappedInputs: inbox.config.workflow === null ? null : { sent },
    });
    const arrival = inbox.arrival({ decision });
    expect(await inbox.api.receive(arrival)).toMatchObject({ kind: "accepted" });
    ids.push(arrival.request.requestId);
  }
  return ids;
}

/** Lets the service consume these bodies in one batch; answers which it acknowledged, and when it wants the others again, in seconds. */
async function consume(
  bodies: unknown[],
  how: { queue?: string; attempts?: number; world?: CloudflareEnv } = {},
) {
  const { queue = QUEUE, attempts = 1, world = env } = how;
  const batch = createMessageBatch(
    queue,
    bodies.map((body, at) => ({ id: `m${at}`, timestamp: new Date(), attempts, body })),
  );
  const retries = batch.messages.map((message) => vi.spyOn(message, "retry"));
  const context = createExecutionContext();
  await service.queue(batch, world);
  const { explicitAcks } = await getQueueResult(batch, context);
  const delays = retries.flatMap(({ mock }) => mock.calls.map(([how]) => how?.delaySeconds));
  return { acked: explicitAcks, delays };
}

const messageOf = (inbox: TestInbox, requestIds: string[]) => ({
  v: 1,
  endpointId: inbox.config.endpointId,
  requestIds,
});

async function entryOf(inbox: TestInbox, requestId: string | undefined): Promise<LogEntry> {
  const found = await inbox.api.entry(requestId ?? "");
  if (found === null) throw new Error("there is no such entry");
  return found.entry;
}

const statusOf = async (inbox: TestInbox, requestId: string | undefined) =>
  (await entryOf(inbox, requestId)).status;

const rowsOf = async ({ api, credential }: TestAccount) => {
  const reply = await api.list(credential, everything);
  if (reply.kind !== "page") throw new Error(reply.kind);
  return reply.executions;
};

const consumedOf = async ({ api, credential }: TestAccount) => {
  const reply = await api.credits(credential);
  if (reply.kind !== "credits") throw new Error(reply.kind);
  return reply.credits;
};

/** The service's surroundings, where `answer` stands between it and the accounts. */
function withAccounts(
  answer: (runs: PromisedRun[], takeOver: () => Promise<void>) => Promise<void>,
): CloudflareEnv {
  const getByName = (name: string) => ({
    takeOver: (runs: PromisedRun[]) => answer(runs, () => accountStub(env, name).takeOver(runs)),
  });
  const ACCOUNT = new Proxy(env.ACCOUNT, {
    get: (accounts, name) => (name === "getByName" ? getByName : Reflect.get(accounts, name)),
  });
  return { ...env, ACCOUNT };
}

const away = () => Promise.reject(new Error("the account is away"));

describe("a message of the inbound queue", () => {
  it("starts its requests, each under the id that the sender was told", async () => {
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

  it("changes nothing when it comes again, in any order, beside others or alone", async () => {
    const { account, inbox } = await openEndpoint();
    const ids = await arrive(inbox, 4);
    const all = messageOf(inbox, ids);
    const some = messageOf(inbox, ids.slice(2).toReversed());
    await Promise.all([consume([some, all, some]), consume([all]), consume([some])]);
    expect(await consume([all, some])).toEqual({ acked: ["m0", "m1"], delays: [] });
    for (const id of ids) await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
    await expect.poll(() => consumedOf(account)).toMatchObject({ reservedCredits: 0 });
    expect(await consumedOf(account)).toMatchObject({ consumedCredits: 4 });
    await consume([all]);
    expect(await rowsOf(account)).toHaveLength(4);
    expect(await consumedOf(account)).toMatchObject({ reservedCredits: 0, consumedCredits: 4 });
  });

  it("starts a slice of a hundred with one call to the account", async () => {
    const { account, inbox } = await openEndpoint();
    const calls = vi.spyOn(Account.prototype, "takeOver");
    const ids = await arrive(inbox, 100);
    await consume([messageOf(inbox, ids)]);
    expect(calls).toHaveBeenCalledTimes(1);
    expect(calls.mock.calls[0]?.[0].map(({ draft }) => draft.inbound?.requestId)).toEqual(ids);
    expect(await rowsOf(account)).toHaveLength(100);
  });

  it("comes again, later and later, while the account is away", async () => {
    const { account, inbox } = await openEndpoint();
    const ids = await arrive(inbox, 3);
    const delays: unknown[] = [];
    for (const attempts of [1, 2, 3, 4, 5]) {
      const how = { attempts, world: withAccounts(away) };
      const consumed = await consume([messageOf(inbox, ids)], how);
      expect(consumed.acked).toEqual([]);
      delays.push(...consumed.delays);
    }
    expect(delays).toEqual([2, 8, 32, 128, 300]);
    expect(await rowsOf(account)).toEqual([]);
    for (const id of ids) expect(await statusOf(inbox, id)).toBe("queued");
    await consume([messageOf(inbox, ids)], { attempts: 6 });
    for (const id of ids) await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
  });

  it("starts nothing twice when the account's answer was lost", async () => {
    const { account, inbox } = await openEndpoint();
    const ids = await arrive(inbox, 3);
    const world = withAccounts(async (_, takeOver) => {
      await takeOver();
      throw new Error("the answer is lost");
    });
    expect(await consume([messageOf(inbox, ids)], { world })).toMatchObject({ acked: [] });
    expect(await consume([messageOf(inbox, ids)])).toMatchObject({ acked: ["m0"] });
    await expect.poll(() => consumedOf(account)).toMatchObject({ consumedCredits: 3 });
    expect(await rowsOf(account)).toHaveLength(3);
  });

  it("is dropped when nobody can read it, and holds up no other", async () => {
    const { inbox } = await openEndpoint();
    const [id] = await arrive(inbox, 1);
    const bodies = ["nonsense", { v: 2 }, messageOf(inbox, [`${id}`])];
    expect(await consume(bodies)).toEqual({ acked: ["m0", "m1", "m2"], delays: [] });
    await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
  });

  it("is dropped when its endpoint knows nothing of its requests", async () => {
    const { inbox } = await openEndpoint();
    const unknown = messageOf(inbox, [crypto.randomUUID()]);
    expect(await consume([unknown])).toEqual({ acked: ["m0"], delays: [] });
  });
});

describe("held requests", () => {
  const declared = {
    ...scripted,
    inputs: [
      { name: "orderId", type: "integer", required: true, default: null, description: "" },
      { name: "country", type: "string", required: false, default: "NZ", description: "" },
    ],
  } satisfies EndpointConfig["workflow"];
  const bodyOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

  /** Holds requests with these payloads, then attaches the workflow. */
  async function release(payloads: unknown[]) {
    const { account, inbox } = await openEndpoint({ workflow: null });
    const ids: string[] = [];
    for (const payload of payloads) {
      const decision = accepting({ mappedInputs: null });
      const arrival = inbox.arrival({ request: { body: bodyOf(payload) }, decision });
      await inbox.api.receive(arrival);
      ids.push(arrival.request.requestId);
    }
    await inbox.api.configure({ ...inbox.config, version: 2, workflow: declared });
    return { account, inbox, ids };
  }

  it("are mapped when they are released, and the log shows to what", async () => {
    const { account, inbox, ids } = await release([{ orderId: 7 }, { order_id: 8, country: "FR" }]);
    await consume([messageOf(inbox, ids)]);
    for (const id of ids) await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
    expect((await entryOf(inbox, ids[0])).mappedInputs).toEqual({ orderId: 7, country: "NZ" });
    expect((await entryOf(inbox, ids[1])).mappedInputs).toEqual({ orderId: 8, country: "FR" });
    expect(await rowsOf(account)).toHaveLength(2);
  });

  it("fail in the log when they cannot be mapped, and hold up no other", async () => {
    const { account, inbox, ids } = await release([{ orderId: "x" }, {}, { orderId: 9 }]);
    await consume([messageOf(inbox, ids)]);
    expect((await entryOf(inbox, ids[0])).errors).toMatchObject([
      { stage: "mapping", path: "orderId", rule: "type" },
    ]);
    expect((await entryOf(inbox, ids[1])).errors).toMatchObject([
      { stage: "mapping", path: "orderId", rule: "required" },
    ]);
    expect(await statusOf(inbox, ids[0])).toBe("failed");
    await expect.poll(() => statusOf(inbox, ids[2])).toBe("succeeded");
    expect(await rowsOf(account)).toHaveLength(1);
  });

  it("reach the account in the order of arrival", async () => {
    const calls = vi.spyOn(Account.prototype, "takeOver");
    const payloads = Array.from({ length: 30 }, (_, orderId) => ({ orderId }));
    const { inbox, ids } = await release(payloads);
    await consume([messageOf(inbox, ids.toReversed())]);
    const handed = calls.mock.calls.flatMap(([runs]) => runs.map(({ draft }) => draft.inputs));
    expect(handed.map((inputs) => inputs?.orderId)).toEqual(payloads.map(({ orderId }) => orderId));
  });
});

describe("a dead letter", () => {
  it("has failed for good, and the log says so", async () => {
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
    expect(await inbox.api.slice(ids)).toMatchObject({ items: [] });
  });

  it("says that the account did not answer when that was the reason", async () => {
    const { inbox } = await openEndpoint();
    const [id] = await arrive(inbox, 1);
    const world = withAccounts(() => Promise.reject(new DeadlineError("the account", 20_000)));
    await consume([messageOf(inbox, [`${id}`])], { queue: DEAD, world });
    expect((await entryOf(inbox, id)).errors[0]?.message).toContain("the account did not answer");
  });

  it("is started after all where that works, beside one that cannot be", async () => {
    const { account, inbox } = await openEndpoint();
    const [poison, good] = await arrive(inbox, 2);
    const world = withAccounts((runs, takeOver) =>
      runs.some(({ draft }) => draft.inbound?.requestId === poison) ? away() : takeOver(),
    );
    const letter = messageOf(inbox, [`${poison}`, `${good}`]);
    expect(await consume([letter], { queue: DEAD, world })).toMatchObject({ acked: ["m0"] });
    expect(await statusOf(inbox, poison)).toBe("failed");
    await expect.poll(() => statusOf(inbox, good)).toBe("succeeded");
    expect(await rowsOf(account)).toHaveLength(1);
  });

  it("comes again while its inbox cannot be told", async () => {
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

  it("changes nothing of what was started meanwhile", async () => {
    const { inbox } = await openEndpoint();
    const ids = await arrive(inbox, 2);
    await consume([messageOf(inbox, ids)]);
    expect(await consume([messageOf(inbox, ids)], { queue: DEAD })).toMatchObject({
      acked: ["m0"],
    });
    for (const id of ids) await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
  });

  it("is dropped when nobody can read it", async () => {
    expect(await consume([null], { queue: DEAD })).toEqual({ acked: ["m0"], delays: [] });
  });
});
