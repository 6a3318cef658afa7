import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { EndpointConfig } from "../../../src/contract/inbound/endpoint.ts";
import {
  type Arrival,
  type Decision,
  type InboundMessage,
  type InboxApi,
  inboundMessage,
  type LogQuery,
  type ReceivedRequest,
} from "../../../src/contract/inbound/inbox.ts";
import type { WorkflowDefinition } from "../../../src/contract/workflow.ts";
import { inboxStub } from "../../../src/inbound/inbox/stub.ts";
import { toHex } from "../../../src/lib/hex.ts";

export { env };

/** An id for a new endpoint. */
export function newEndpointId(): string {
  return `ep_${toHex(crypto.getRandomValues(new Uint8Array(20)))}`;
}

export const workflow: WorkflowDefinition = {
  v: 1,
  workflowId: "wf_00000000000000000000",
  name: "orders",
  prompt: "Look at order {{orderId}}",
  inputs: [],
  callback: null,
  model: null,
  tools: null,
  approvals: [],
  maxCredits: null,
  maxSteps: null,
  timeoutSeconds: null,
  outputSchema: null,
  serviceHosts: [],
};

/** A configuration with a workflow, without any check. */
export function configOf(changes: Partial<EndpointConfig> = {}): EndpointConfig {
  return {
    v: 1,
    endpointId: newEndpointId(),
    accountId: "acc_1",
    version: 1,
    name: "orders",
    path: null,
    enabled: true,
    deleted: false,
    methods: ["POST"],
    auth: { token: null, hmac: null, ipAllowlist: null, headers: [] },
    replayProtection: { enabled: false, toleranceSeconds: 300, timestamp: null },
    eventId: null,
    onDuplicate: "skip",
    validation: { required: [], types: {}, schema: null, maxBytes: 1_048_576 },
    mapping: { auto: true, fields: [] },
    retentionDays: 30,
    requestsPerMinute: 1_000_000,
    workflow,
    createdAt: 0,
    updatedAt: 0,
    ...changes,
  };
}

/** A request with a JSON body, as it is handed to an inbox. */
export function requestOf(changes: Partial<ReceivedRequest> = {}): ReceivedRequest {
  return {
    requestId: crypto.randomUUID(),
    method: "POST",
    path: "/hooks/orders",
    query: {},
    headers: { "content-type": "application/json" },
    contentType: "application/json",
    body: new TextEncoder().encode('{"orderId":7}'),
    bodyTruncated: false,
    sourceIp: "203.0.113.7",
    receivedAt: Date.now(),
    replayOf: null,
    edited: false,
    ...changes,
  };
}

/** A decision to accept what has this event id. */
export function accepting(
  changes: Partial<Extract<Decision, { kind: "accept" }>> = {},
): Extract<Decision, { kind: "accept" }> {
  return { kind: "accept", eventId: null, mappedInputs: { orderId: 7 }, warnings: [], ...changes };
}

/** An endpoint's object that a test talks to, with its messages kept from the real queue. */
export interface TestInbox {
  config: EndpointConfig;
  /** A new stub each time: an object that is evicted breaks those that it had. */
  readonly api: InboxApi;
  readonly object: DurableObjectStub;
  /** What was sent to the queue, in order. */
  messages: InboundMessage[];
  /** How often it has called the queue. */
  tries: number;
  /** How the queue behaves from now on. */
  queue: "takes" | "fails" | "hangs";
  arrival(changes?: { request?: Partial<ReceivedRequest>; decision?: Decision }): Arrival;
  /** Lets the object lose all that it has in memory. */
  evict(): Promise<void>;
}

/** A new inbox with this configuration. */
export async function openInbox(changes: Partial<EndpointConfig> = {}): Promise<TestInbox> {
  const inbox = unknownInbox(changes);
  await inbox.api.configure(inbox.config);
  await intercept(inbox);
  return inbox;
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
    tries: 0,
    queue: "takes",
    arrival: ({ request = {}, decision = accepting() } = {}) => ({
      configVersion: inbox.config.version,
      request: requestOf(request),
      decision,
    }),
    evict: async () => {
      await evictDurableObject(inbox.object);
      await intercept(inbox);
    },
  };
  return inbox;
}

/** Keeps the messages of the object as it is now in memory. */
async function intercept(inbox: TestInbox): Promise<void> {
  await runInDurableObject(inbox.object, (instance) => {
    const sendBatch = (batch: { body: unknown }[]) => take(inbox, batch);
    Reflect.set(instance, "env", { ...env, INBOUND: { sendBatch } });
  });
}

async function take(inbox: TestInbox, batch: { body: unknown }[]): Promise<void> {
  inbox.tries += 1;
  if (inbox.queue === "fails") throw new Error("the queue is down");
  if (inbox.queue === "hangs") await new Promise(() => {});
  inbox.messages.push(...batch.map(({ body }) => inboundMessage.parse(body)));
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
};
