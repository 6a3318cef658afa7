import type { Prompthook } from "../../../client/prompthook.ts";
import { type ExecutionRow, isFinal, type Output } from "../../../contract/execution.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { isSettled, type LogEntry } from "../../../contract/webhooks/log.ts";
import type { CreateWorkflowBody } from "../../../contract/workflow.ts";
import { shellQuoted } from "../../format.ts";

/** A first prompt that every model can execute without a network, including the rule-based one. */
export const FIRST_PROMPT = `List distinct rows from the data sorted by total descending, save as orders.xlsx:

date,customer,total
2026-11-03,Acme,120.50
2026-11-04,Birch,80.00
2026-11-04,Birch,80.00
2026-11-05,Cedar,310.00
2026-11-06,Acme,45.25`;

/** The workflow of the first endpoint. */
export const FIRST_WORKFLOW = {
  name: "First webhook",
  prompt: "List rows from {{items}} sorted by total descending.",
  inputs: [
    {
      name: "items",
      type: "array",
      required: true,
      default: null,
      description: "The items of an order.",
    },
  ],
} satisfies CreateWorkflowBody;

const FIRST_ENDPOINT_NAME = "First webhook";

/** A sample order. It has no event id, so each copy starts an execution. */
export const SAMPLE = JSON.stringify({
  order: "1007",
  customer: "Ada",
  items: [
    { sku: "cable", total: 9.5 },
    { sku: "monitor", total: 249 },
    { sku: "keyboard", total: 79 },
  ],
});

/** Returns a command that sends the sample. */
export function curlLine({ url }: EndpointRecord): string {
  return `curl ${url} -H 'Content-Type: application/json' \\\n  -d ${shellQuoted(SAMPLE)}`;
}

/** The endpoints among which one that accepts the sample is searched. */
const SEARCHED = 5;

/** The progress of a new account. */
export interface FirstRun {
  /** The newest execution that a prompt started. */
  execution: ExecutionRow | null;
  /** Its files, once it has completed. */
  files: Output[];
  webhook: FirstWebhook;
}

interface FirstWebhook {
  endpoint: EndpointRecord | null;
  /** The newest request that it received. */
  arrival: LogEntry | null;
}

export async function loadFirstRun(api: Prompthook): Promise<FirstRun> {
  const [execution, webhook] = await Promise.all([loadExecution(api), loadWebhook(api)]);
  return { ...execution, webhook };
}

async function loadExecution(api: Prompthook): Promise<Pick<FirstRun, "execution" | "files">> {
  const { executions } = await api.executions.list({ limit: 1, origin: ["api"] });
  const [execution] = executions;
  if (execution === undefined) return { execution: null, files: [] };
  if (execution.status !== "completed") return { execution, files: [] };
  const { outputs } = await api.executions.result(execution.executionId);
  return { execution, files: outputs.filter(({ type }) => type === "file") };
}

async function loadWebhook(api: Prompthook): Promise<FirstWebhook> {
  const { endpoints } = await api.webhooks.list({ limit: SEARCHED });
  const endpoint = endpoints.find(acceptsSample) ?? endpoints[0] ?? null;
  if (endpoint === null) return { endpoint, arrival: null };
  const { requests } = await api.webhooks.requests(endpoint.endpointId, { limit: 1 });
  return { endpoint, arrival: requests[0] ?? null };
}

/** Creates the first endpoint and its workflow, unless there is an endpoint already. */
export async function createFirstEndpoint(api: Prompthook): Promise<void> {
  const { endpoints } = await api.webhooks.list({ limit: 1 });
  if (endpoints.length > 0) return;
  const { workflowId } = await api.workflows.create(FIRST_WORKFLOW);
  await api.webhooks.create({ name: FIRST_ENDPOINT_NAME, workflowId });
}

/** Tells whether an endpoint accepts the sample, without authentication. */
export function acceptsSample({ auth, methods, enabled }: EndpointRecord): boolean {
  return enabled && methods.includes("POST") && Object.keys(auth).length === 0;
}

export function isExecutionDone({ execution }: FirstRun): boolean {
  return execution?.status === "completed";
}

/** Tells whether the execution can still change. */
export function isExecutionOpen({ execution }: FirstRun): boolean {
  return execution !== null && !isFinal(execution.status);
}

/** Tells whether a request was accepted, and its execution, if any, has ended. */
export function isWebhookDone({ webhook: { arrival } }: FirstRun): boolean {
  return arrival !== null && arrival.status !== "rejected" && !isAtWork(arrival);
}

/** A held request has no execution and waits for a workflow. */
function isAtWork({ status, executionId }: LogEntry): boolean {
  return !isSettled(status) && executionId !== null;
}

/** Returns a text that changes with what is shown, so that only news is sent. */
export function fingerprintOf({ execution, webhook: { endpoint, arrival } }: FirstRun): string {
  const parts = [
    execution?.executionId,
    execution?.version,
    endpoint?.endpointId,
    arrival?.requestId,
  ];
  return [...parts, arrival?.status, arrival?.executionId].join(".");
}
