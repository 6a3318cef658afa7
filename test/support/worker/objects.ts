import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, inject } from "vitest";
import * as z from "zod";
import type {
  AccountApi,
  Credential,
  ListQuery,
  SeedDraft,
} from "../../../src/contract/account.ts";
import type { Copied } from "../../../src/contract/backup.ts";
import { NO_RULES } from "../../../src/contract/decisions.ts";
import {
  type ExecutionRow,
  type ExecutionState,
  isFinal,
} from "../../../src/contract/execution.ts";
import { SCOPES } from "../../../src/contract/keys.ts";
import type { MessageCommand, SessionHostApi } from "../../../src/contract/session.ts";
import { accountStub, sessionHostStub } from "../../../src/durable/stubs.ts";
import { type Head, nextWakeup } from "../../../src/executions/journal/head.ts";
import { Journal } from "../../../src/executions/journal/journal.ts";
import { newExecutionId, slotOf, withSlot } from "../../../src/lib/execution-id.ts";
import type { Letter, MailboxAnswer } from "./mailboxes.ts";

export { env };

/**
 * An account's object with a credential that may do all. Each use of `api` takes a new stub, as each
 * request of the service does: an object that is aborted breaks the stubs that it had.
 */
export interface TestAccount {
  accountId: string;
  readonly api: AccountApi;
  credential: Credential;
}

/** A new account with these credits. */
export async function openAccount(
  options: { credits?: number; requestsPerMinute?: number } = {},
): Promise<TestAccount> {
  const accountId = `acc_${crypto.randomUUID()}`;
  const keyHash = crypto.randomUUID();
  const account: TestAccount = {
    accountId,
    get api() {
      return accountStub(env, accountId);
    },
    credential: { keyHash, scope: "executions:write", rateClass: "agent" },
  };
  await account.api.create({
    accountId,
    name: "test",
    credits: options.credits ?? 10_000,
    requestsPerMinute: options.requestsPerMinute ?? 1_000_000,
    key: {
      keyId: `key_${keyHash}`,
      keyHash,
      last4: "abcd",
      name: "first",
      scopes: [...SCOPES],
      expiresAt: null,
    },
  });
  return account;
}

/** What a trigger asks for, by default of the model that does as its prompt says. */
export function draftOf(changes: Partial<SeedDraft> = {}): SeedDraft {
  return {
    v: 1,
    origin: "api",
    workflowId: null,
    revision: null,
    inbound: null,
    prompt: JSON.stringify([{ finish: { summary: "All done." } }]),
    inputs: null,
    outputSchema: null,
    model: "openai/scripted",
    fallbacks: [],
    tools: ["browse", "http_request", "process_data", "emit_output"],
    approvals: [],
    allowedHosts: null,
    connections: [],
    interactive: true,
    maxCredits: null,
    maxSteps: 30,
    timeoutSeconds: 1_800,
    inputTimeoutSeconds: 86_400,
    decisions: NO_RULES,
    metadata: {},
    callback: null,
    serviceHosts: [],
    retentionDays: 30,
    ...changes,
  };
}

type Rest<Call> = Call extends (executionId: string, ...rest: infer Args) => infer Reply
  ? (...rest: Args) => Reply
  : never;

/** The session of one execution; each call names the account whose host is asked. */
type TestSession = {
  [Call in Exclude<
    keyof SessionHostApi,
    "start" | "startStopped" | "erase" | "lookAfter" | "reseal" | "callbacksSince" | keyof Copied
  >]: (
    accountId: string,
    ...rest: Parameters<Rest<SessionHostApi[Call]>>
  ) => ReturnType<SessionHostApi[Call]>;
};

/** An execution as its owner sees it; `session` takes a new stub each time. */
export interface TestExecution {
  executionId: string;
  account: TestAccount;
  session(): TestSession;
  status(): Promise<ExecutionState>;
  /** Waits for the first state that `holds`. */
  until(holds: (state: ExecutionState) => boolean): Promise<ExecutionState>;
  ended(): Promise<ExecutionState>;
}

/** Triggers an execution on an account, by default a new one. */
export async function execute(
  changes: Partial<SeedDraft> = {},
  account?: TestAccount,
): Promise<TestExecution> {
  const owner = account ?? (await openAccount());
  const reply = await owner.api.accept(owner.credential, draftOf(changes), null);
  if (reply.kind !== "accepted") throw new Error(`not accepted: ${reply.kind}`);
  return executionOf(owner, reply.body.executionId);
}

const TOGETHER = 7;

/** Starts an execution on the account's host of one slot, where those of other calls are as well. */
export async function executeTogether(
  account: TestAccount,
  changes: Partial<SeedDraft> = {},
): Promise<TestExecution> {
  const executionId = withSlot(newExecutionId(), TOGETHER);
  await account.api.acceptBatch([{ executionId, draft: draftOf(changes) }]);
  return executionOf(account, executionId);
}

/** Waits for the end as the account hears of it: nobody touches the session itself. */
export async function endedByItself({
  account,
  executionId,
}: TestExecution): Promise<ExecutionRow> {
  let row: ExecutionRow | undefined;
  await expect
    .poll(
      async () => {
        const page = await account.api.executions(everything);
        row = page?.executions.find((item) => item.executionId === executionId);
        return row !== undefined && isFinal(row.status);
      },
      { timeout: 15_000 },
    )
    .toBe(true);
  if (row === undefined) throw new Error("there is no such row");
  return row;
}

/** The object that hosts an execution. */
export function hostOf(accountId: string, executionId: string) {
  return env.SESSION_HOST.getByName(`${accountId}/${slotOf(executionId)}`);
}

type Named = Pick<TestExecution, "executionId"> & { account: Pick<TestAccount, "accountId"> };

/** Returns what is stored of an execution, as text. */
export function storedText({ account, executionId }: Named): Promise<string> {
  return runInDurableObject(hostOf(account.accountId, executionId), (_, { storage }) => {
    const journal = new Journal(storage, executionId);
    return [journal.head(), ...journal.entries()].map((part) => JSON.stringify(part)).join("\n");
  });
}

type StoredHead = Head;

/** Returns the stored head of an execution. */
function storedHead({ account, executionId }: Named): Promise<StoredHead> {
  return runInDurableObject(hostOf(account.accountId, executionId), (_, { storage }) => {
    const query = "SELECT head FROM heads WHERE execution_id = ?";
    return JSON.parse(storage.sql.exec<{ head: string }>(query, executionId).one().head);
  });
}

/** When the wake-ups of an execution are due. */
export async function dueOf(execution: Named): Promise<StoredHead["due"]> {
  return (await storedHead(execution)).due;
}

/** The same, once its host has stored which of them are done, as its next alarm does. */
export async function dueAtRest(execution: Named): Promise<StoredHead["due"]> {
  await runDurableObjectAlarm(hostOf(execution.account.accountId, execution.executionId));
  return await dueOf(execution);
}

/** Changes the stored head of an execution; its host reads it once it was evicted. */
export function changeHead(
  { account, executionId }: Named,
  change: (head: StoredHead) => StoredHead,
): Promise<void> {
  return runInDurableObject(hostOf(account.accountId, executionId), (_, { storage }) => {
    const query = "SELECT head FROM heads WHERE execution_id = ?";
    const { head } = storage.sql.exec<{ head: string }>(query, executionId).one();
    const changed = change(JSON.parse(head));
    storage.sql.exec(
      "UPDATE heads SET head = ?, wake_at = ? WHERE execution_id = ?",
      JSON.stringify(changed),
      nextWakeup(changed.due, 0),
      executionId,
    );
  });
}

const PAUSES_MS = 60_000;

/** Ends the pauses of an execution: all objects are lost, and what it would do within a minute is due. */
export async function endPauses(execution: Named): Promise<void> {
  const soon = Date.now() + PAUSES_MS;
  await changeHead(execution, (head) => {
    const due = Object.entries(head.due).map(([name, at]) => [name, at < soon ? 1 : at]);
    return { ...head, due: Object.fromEntries(due) };
  });
  await abortAllDurableObjects();
  await runDurableObjectAlarm(hostOf(execution.account.accountId, execution.executionId));
}

/** The session of this execution, if the account has it. */
function sessionOf(executionId: string): TestSession {
  const ask = (accountId: string) => sessionHostStub(env, accountId, executionId);
  return {
    status: (accountId) => ask(accountId).status(executionId),
    waitForStatus: (accountId, ...rest) => ask(accountId).waitForStatus(executionId, ...rest),
    task: (accountId) => ask(accountId).task(executionId),
    result: (accountId, ...rest) => ask(accountId).result(executionId, ...rest),
    message: (accountId, command) => ask(accountId).message(executionId, command),
    decision: (accountId, decisionId) => ask(accountId).decision(executionId, decisionId),
    decide: (accountId, ...rest) => ask(accountId).decide(executionId, ...rest),
    stop: (accountId, command) => ask(accountId).stop(executionId, command),
    calls: (accountId) => ask(accountId).calls(executionId),
    fork: (accountId, query) => ask(accountId).fork(executionId, query),
    events: (accountId, query) => ask(accountId).events(executionId, query),
    follow: (accountId, after) => ask(accountId).follow(executionId, after),
    step: (accountId, step) => ask(accountId).step(executionId, step),
    otlpTrace: (accountId, options) => ask(accountId).otlpTrace(executionId, options),
    file: (accountId, outputId) => ask(accountId).file(executionId, outputId),
    callbacks: (accountId) => ask(accountId).callbacks(executionId),
    redeliver: (accountId, url) => ask(accountId).redeliver(executionId, url),
    beginDelivery: (accountId, ...rest) => ask(accountId).beginDelivery(executionId, ...rest),
    endDelivery: (accountId, ...rest) => ask(accountId).endDelivery(executionId, ...rest),
  };
}

/** The execution of this id. */
export function executionOf(account: TestAccount, executionId: string): TestExecution {
  const session = () => sessionOf(executionId);
  async function wait(sinceVersion: number): Promise<ExecutionState> {
    const pending = await account.api.authorize(account.credential, executionId);
    // As the service does it: a session that does not have its input yet is given it.
    if (pending.kind === "authorized" && pending.pending !== null) {
      await sessionHostStub(env, account.accountId, executionId).start(pending.pending);
    }
    const reply = await session().waitForStatus(account.accountId, sinceVersion, 10);
    if (reply.kind !== "found") throw new Error("there is no such execution");
    return reply.state;
  }
  async function until(holds: (state: ExecutionState) => boolean): Promise<ExecutionState> {
    let state = await wait(0);
    while (!holds(state)) {
      if (isFinal(state.status)) throw new Error(`ended first: ${JSON.stringify(state)}`);
      state = await wait(state.version);
    }
    return state;
  }
  return {
    executionId,
    account,
    session,
    status: () => wait(0),
    until,
    ended: () => until(({ status }) => isFinal(status)),
  };
}

/** Has the account forget the executions that have ended, as it does a minute after D1 has their rows. */
export async function forgetEnded({ accountId }: Pick<TestAccount, "accountId">): Promise<void> {
  const object = env.ACCOUNT.getByName(accountId);
  const ended = "SELECT count(*) AS rows FROM executions WHERE used IS NOT NULL";
  const count = () =>
    runInDurableObject(object, (_, { storage }) => storage.sql.exec(ended).one().rows);
  await runInDurableObject(object, (_, { storage }) => {
    storage.sql.exec("UPDATE executions SET changed_at = changed_at - 60000");
  });
  await evictDurableObject(object);
  for (let left = await count(); left !== 0; left = await count())
    await runDurableObjectAlarm(object);
}

/** A message of the user. */
export function messageOf(changes: Partial<MessageCommand> = {}): MessageCommand {
  return {
    text: "Please hurry",
    mode: "next_step",
    messageId: null,
    approval: null,
    idempotency: null,
    ifVersion: null,
    ...changes,
  };
}

/** The first page of all executions of an account. */
export const everything: ListQuery = {
  limit: 100,
  cursor: null,
  statuses: [],
  origins: [],
  workflowId: null,
  createdAfter: null,
  createdBefore: null,
};

/** The executions that an account lists. */
export const rowsOf = async ({ api }: TestAccount, changes: Partial<ListQuery> = {}) =>
  (await api.executions({ ...everything, ...changes }))?.executions ?? [];

/** The credits of an account. */
export async function creditsOf({ api, credential }: TestAccount) {
  const reply = await api.credits(credential);
  if (reply.kind !== "credits") throw new Error(reply.kind);
  const { availableCredits, reservedCredits, consumedCredits } = reply.credits;
  return { available: availableCredits, reserved: reservedCredits, consumed: consumedCredits };
}

const letters: z.ZodType<Letter[]> = z.array(
  z.object({
    method: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    gone: z.boolean(),
  }),
);

/** A mailbox in the outside world; see `mailboxes.ts`. */
export function mailbox() {
  const base = inject("mailboxesUrl");
  const name = crypto.randomUUID();
  const read = async (query: string) =>
    letters.parse(await (await fetch(`${base}/letters/${name}?${query}`)).json());
  return {
    name,
    url: `${base}/box/${name}`,
    answer: async (answer: MailboxAnswer) => {
      await fetch(`${base}/answer/${name}`, { method: "PUT", body: JSON.stringify(answer) });
    },
    /** What has come, once there are so many. */
    letters: (atLeast = 0) => read(`atLeast=${atLeast}`),
    /** Waits until a sender has gone away without an answer. */
    deserted: () => read("gone"),
  };
}
