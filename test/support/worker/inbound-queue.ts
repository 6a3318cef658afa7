import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { expect, vi } from "vitest";
import type { PromisedExecution } from "../../../src/contract/account.ts";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import type { LogEntry } from "../../../src/contract/webhooks/log.ts";
import { accountStub } from "../../../src/durable/stubs.ts";
import service from "../../../src/index.ts";
import { accepting, env, openInbox, type TestInbox, workflow } from "./inboxes.ts";
import { everything, openAccount, type TestAccount } from "./objects.ts";
import { promptOf } from "./scripted.ts";

const QUEUE = "staging-webhooks";
export const DEAD = "staging-webhooks-dead";

/** A workflow whose runs are over after one step. */
export const scripted = {
  ...workflow,
  model: "openai/scripted",
  prompt: promptOf({}),
  maxCredits: 2,
};

/** An endpoint of a new account, its messages kept from the real queue. */
export async function openEndpoint(changes: Partial<EndpointConfig> = {}) {
  const account = await openAccount();
  const inbox = await openInbox({
    accountId: account.accountId,
    workflow: scripted,
    ...changes,
  });
  return { account, inbox };
}

/** Sends requests to an endpoint; answers their ids in the order of arrival. */
export async function arrive(inbox: TestInbox, count: number): Promise<string[]> {
  const arrivals = Array.from({ length: count }, (_, sent) => {
    const mappedInputs = inbox.config.workflow === null ? null : { sent };
    return inbox.arrival({ decision: accepting({ mappedInputs }) });
  });
  // One after the other: a call that waits for the account's share of its quota is overtaken by others.
  for (const arrival of arrivals) {
    expect(await inbox.api.accept(arrival)).toMatchObject({ kind: "accepted" });
  }
  return arrivals.map(({ request }) => request.requestId);
}

/**
 * Lets the service consume these bodies in one batch, at this attempt or these of each. Answers which messages it acknowledged, and after
 * how many seconds it wants the others again.
 */
export async function consume(
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
export const messageOf = (inbox: TestInbox, requestIds: string[]) => ({
  v: 1,
  endpointId: inbox.config.endpointId,
  requestIds,
});

/** A request as the log shows it. */
export async function entryOf(inbox: TestInbox, requestId: string | undefined): Promise<LogEntry> {
  const found = await inbox.api.entry(requestId ?? "");
  if (found === null) throw new Error("there is no such entry");
  return found.entry;
}

export const statusOf = async (inbox: TestInbox, requestId: string | undefined) =>
  (await entryOf(inbox, requestId)).status;

export const rowsOf = async ({ api }: TestAccount) =>
  (await api.executions(everything))?.executions ?? [];

export const creditsOf = async ({ api, credential }: TestAccount) => {
  const reply = await api.credits(credential);
  if (reply.kind !== "credits") throw new Error(reply.kind);
  return reply.credits;
};

/** The service's surroundings, where `answer` stands between it and the accounts. */
export function withAccounts(
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

export const away = () => Promise.reject(new Error("the account is away"));
