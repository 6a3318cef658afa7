import { NO_RULES } from "../../src/contract/decisions.ts";
import { DEFAULT_CONTROLS } from "../../src/contract/operators.ts";
import { revisionStamp } from "../../src/contract/revision.ts";
import type { EndpointConfig } from "../../src/contract/webhooks/endpoint.ts";
import type { RouteDecision } from "../../src/contract/webhooks/inbox.ts";
import type { Route } from "../../src/contract/webhooks/routing.ts";
import type { WorkflowDefinition } from "../../src/contract/workflow.ts";

/** An id that no other endpoint has. */
export function newEndpointId(): string {
  return `ep_${hex()}${hex().slice(0, 8)}`;
}

/** A new workflow without inputs. */
export function workflowWith(changes: Partial<WorkflowDefinition> = {}): WorkflowDefinition {
  return {
    v: 1,
    workflowId: `wf_${hex().slice(0, 20)}`,
    name: "Look at it",
    prompt: "Look at it.",
    inputs: [],
    callback: null,
    model: null,
    fallbacks: [],
    tools: null,
    approvals: [],
    allowedHosts: null,
    connections: [],
    maxCredits: null,
    maxCostUsd: null,
    limits: null,
    maxSteps: null,
    timeoutSeconds: null,
    outputSchema: null,
    expect: null,
    rehearseBeforeSave: false,
    decisions: NO_RULES,
    serviceHosts: [],
    ...revisionStamp.parse({}),
    ...changes,
  };
}

/** A route of a new workflow without inputs, for every request. */
export function routeWith(changes: Partial<Route> = {}): Route {
  const workflow = changes.workflow === undefined ? workflowWith() : changes.workflow;
  return {
    name: hex().slice(0, 8),
    when: null,
    workflowId: workflow?.workflowId ?? "wf_00000000000000000000",
    mapping: { auto: true, fields: [] },
    validation: null,
    key: null,
    rule: { onEvent: "queue", quietSeconds: 10, maxWaitSeconds: 300 },
    ...changes,
    workflow,
  };
}

/** What a route decided of a request that matches it. */
export function matchOf(name: string, changes: Partial<RouteDecision> = {}): RouteDecision {
  return {
    name,
    matched: true,
    reason: "So says the test.",
    key: null,
    inputs: {},
    warnings: [],
    errors: [],
    ...changes,
  };
}

/** A new endpoint that asks for nothing, as D1 and its inbox know it. */
export function configWith(changes: Partial<EndpointConfig> = {}): EndpointConfig {
  return {
    v: 1,
    endpointId: newEndpointId(),
    accountId: "acc_000000000000",
    version: 1,
    name: "shop orders",
    path: null,
    enabled: true,
    deleted: false,
    methods: ["POST"],
    auth: { token: null, hmac: null, ipAllowlist: null, headers: [] },
    replayProtection: { enabled: true, toleranceSeconds: 300, timestamp: null },
    eventId: null,
    onDuplicate: "skip",
    withoutWorkflow: "hold",
    validation: { required: [], types: {}, schema: null, maxBytes: 1_048_576 },
    mapping: { auto: true, fields: [] },
    retentionDays: 30,
    requestsPerMinute: 6_000,
    limits: null,
    split: null,
    response: null,
    source: null,
    workflow: null,
    routing: null,
    account: DEFAULT_CONTROLS,
    ...revisionStamp.parse({}),
    createdAt: 1_795_000_000_000,
    updatedAt: 1_795_000_000_000,
    ...changes,
  };
}

const hex = () => crypto.randomUUID().replaceAll("-", "");
