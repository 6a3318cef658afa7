import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import {
  type Arrival,
  type Decision,
  type InboundMessage,
  type InboxApi,
  inboundMessage,
  type LogQuery,
  type ReceivedRequest,
  type RunReport,
} from "../../../src/contract/webhooks/inbox.ts";
import { isBefore, type Stage } from "../../../src/contract/webhooks/payload.ts";
import { inboxStub } from "../../../src/durable/stubs.ts";
import { configWith, workflowWith } from "../endpoint.ts";
import { requestWith } from "../logged.ts";

export { env };

export const workflow = workflowWith({
  workflowId: "wf_00000000000000000000",
  name: "orders",
  prompt: "Look at order {{orderId}}",
});

/** A configuration with a workflow, without any check or limit. */
function configOf(changes: Partial<EndpointConfig>): EndpointConfig {
  return configWith({
    replayProtection: { enabled: false, toleranceSeconds: 300, timestamp: null },
    requestsPerMinute: 1_000_000,
    workflow,
    ...changes,
  });
}

/** A request with a JSON body, as it is handed to an inbox. */
export function requestOf(changes: Partial<ReceivedRequest> = {}): ReceivedRequest {
  const headers = { "content-type": "application/json" };
  return requestWith({ headers, receivedAt: Date.now(), ...changes }, { orderId: 7 });
}

/** A decision to accept what has this event id. */
export function accepting(
  changes: Partial<Extract<Decision, { kind: "accept" }>> = {},
): Extract<Decision, { kind: "accept" }> {
  return {
    kind: "accept",
    eventId: null,
    eventIdSource: null,
    eventKey: changes.eventId ?? null,
    mappedInputs: { orderId: 7 },
    warnings: [],
    ...changes,
  };
}

/** Refuses a request at a stage. */
export function refusing(
  stage: Stage,
  changes: Partial<Extract<Decision, { kind: "refuse" }>> = {},
): Extract<Decision, { kind: "refuse" }> {
  return {
    kind: "refuse",
    httpStatus: 422,
    isVerified: !isBefore(stage, "parse"),
    errors: [{ stage, rule: "no", message: "no" }],
    diagnosis: [],
    advice: null,
    eventId: null,
    eventIdSource: null,
    eventType: null,
    routes: null,
    ...changes,
  };
}

/** An endpoint's object that a test talks to, with its messages kept from the real queue. */
export interface TestInbox {
  config: EndpointConfig;
  /** A new stub each time: an object that is evicted breaks those that it had. */
  readonly api: InboxApi;
  readonly object: DurableObjectStub;
  /** What was sent to the queue, in order. */
  messages: InboundMessage[];
  arrival(changes?: { request?: Partial<ReceivedRequest>; decision?: Decision }): Arrival;
  /** Lets the object lose all that it has in memory. */
  evict(): Promise<void>;
  /** Runs a statement on its storage; answers the rows. */
  sql(query: string, ...values: SqlStorageValue[]): Promise<Record<string, SqlStorageValue>[]>;
}

/** A new inbox with this configuration. */
export async function openInbox(changes: Partial<EndpointConfig> = {}): Promise<TestInbox> {
  const inbox = unknownInbox(changes);
  await inbox.api.configure(inbox.config);
  await intercept(inbox);
  return inbox;
}

const opened = new Set<TestInbox>();

/**
 * Empties the inboxes that the file opened. Their accounts do not exist, so they would try to hand their
 * requests to them for as long as the runtime lives.
 */
export async function emptyInboxes(): Promise<void> {
  const inboxes = [...opened];
  opened.clear();
  await Promise.all(
    inboxes.map(({ object }) =>
      runInDurableObject(object, async (_, { storage }) => {
        await storage.deleteAlarm();
        await storage.deleteAll();
      }),
    ),
  );
}

/** An inbox that nothing was ever told. */
export function unknownInbox(changes: Partial<EndpointConfig> = {}): TestInbox {
  const config = configOf(changes);
  const { endpointId } = config;
  const inbox: TestInbox = {
    config,
    get api() {
      return inboxStub(env, endpointId);
    },
    get object() {
      return env.INBOX.getByName(endpointId);
    },
    messages: [],
    arrival: ({ request = {}, decision = accepting() } = {}) => ({
      configVersion: inbox.config.version,
      request: requestOf(request),
      decision,
    }),
    evict: async () => {
      await evictDurableObject(inbox.object);
      await intercept(inbox);
    },
    sql: (query, ...values) =>
      runInDurableObject(inbox.object, (_, { storage }) =>
        storage.sql.exec(query, ...values).toArray(),
      ),
  };
  opened.add(inbox);
  return inbox;
}

/** Keeps the messages of the object as it is now in memory. */
async function intercept(inbox: TestInbox): Promise<void> {
  await runInDurableObject(inbox.object, (instance) => {
    const sendBatch = async (batch: { body: unknown }[]) => {
      inbox.messages.push(...batch.map(({ body }) => inboundMessage.parse(body)));
    };
    Reflect.set(instance, "env", { ...env, INBOUND: { sendBatch } });
  });
}

/** The requests that were sent to the queue so far. */
export function sentIds(inbox: TestInbox): string[] {
  return inbox.messages.flatMap(({ requestIds }) => requestIds);
}

/** Waits until this many requests have been sent to the queue. */
export async function untilSent(inbox: TestInbox, count: number): Promise<string[]> {
  await expect.poll(() => sentIds(inbox).length).toBeGreaterThanOrEqual(count);
  return sentIds(inbox);
}

/** The first page of the whole log. */
export const wholeLog: LogQuery = {
  limit: 100,
  cursor: null,
  statuses: [],
  duplicate: null,
  receivedAfter: null,
  receivedBefore: null,
  eventId: null,
  eventType: null,
  text: null,
};

/** Lets a request arrive, whatever becomes of it; returns its id. */
export async function arrive(
  inbox: TestInbox,
  ...changes: Parameters<TestInbox["arrival"]>
): Promise<string> {
  const arrival = inbox.arrival(...changes);
  await inbox.api.accept(arrival);
  return arrival.request.requestId;
}

/** Lets so many requests arrive, one after another; returns their ids. */
export async function receive(inbox: TestInbox, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await arrive(inbox));
  return ids;
}

/** The end of an execution as its session reports it. */
export const endOf = (
  execution: { requestId: string; executionId: string | null },
  changes: Partial<RunReport> = {},
): RunReport => ({
  requestId: execution.requestId,
  executionId: execution.executionId ?? "",
  version: 9,
  status: "completed",
  startedAt: 1,
  finishedAt: 2,
  error: null,
  ...changes,
});

/** Tells the inbox of a newer configuration. */
export async function change(inbox: TestInbox, changes: Partial<EndpointConfig>): Promise<void> {
  inbox.config = { ...inbox.config, version: inbox.config.version + 1, ...changes };
  await inbox.api.configure(inbox.config);
}

/** The acknowledgement of requests that were started. */
export const handed = (requestIds: readonly string[]) =>
  requestIds.map((requestId) => ({ requestId, kind: "handed" as const }));

export const entryOf = async (inbox: TestInbox, requestId: string) =>
  (await inbox.api.entry(requestId))?.entry;

/** When the inbox wakes up for what. */
export const planned = (inbox: TestInbox) =>
  runInDurableObject(
    inbox.object,
    (_, { storage }) => storage.kv.get<Record<string, number>>("wakeups") ?? {},
  );

const ENDED = "ended by a test";

/** Makes all wake-ups that are planned due, and lets them be over. */
export async function wake(inbox: TestInbox): Promise<void> {
  const names = Object.keys(await planned(inbox));
  // The object would store its own times over these, so it ends before anything else of it runs.
  await runInDurableObject(inbox.object, (_, state) =>
    state.blockConcurrencyWhile(async () => {
      state.storage.kv.put("wakeups", Object.fromEntries(names.map((name) => [name, 1])));
      await state.storage.sync();
      state.abort(ENDED);
    }),
  ).catch((error: unknown) => {
    if (!String(error).includes(ENDED)) throw error;
  });
  await intercept(inbox);
  await runDurableObjectAlarm(inbox.object);
  await expect.poll(async () => Object.values(await planned(inbox))).not.toContain(1);
}
