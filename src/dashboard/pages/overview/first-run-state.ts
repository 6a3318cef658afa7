import type { Prompthook } from "../../../client/prompthook.ts";
import { type ExecutionRow, isFinal, type Output } from "../../../contract/execution.ts";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { isSettled, type LogEntry } from "../../../contract/inbound/log.ts";
import type { CreateWorkflowBody } from "../../../contract/workflow.ts";

/** A first task that every model does, the rule-based one too, with nothing but what stands in it. */
export const FIRST_PROMPT = `Remove duplicates from this data, sort by total descending and write it to a spreadsheet orders.xlsx:

date,customer,total
2026-11-03,Acme,120.50
2026-11-04,Birch,80.00
2026-11-04,Birch,80.00
2026-11-05,Cedar,310.00
2026-11-06,Acme,45.25`;

/** What a first webhook starts. */
export const FIRST_WORKFLOW = {
  name: "First webhook",
  prompt: "Sort {{items}} by total, largest first, and show them as a table.",
  inputs: [
    {
      name: "items",
      type: "array",
      required: true,
      default: null,
      description: "The lines of an order.",
    },
  ],
} satisfies CreateWorkflowBody;

export const FIRST_ENDPOINT_NAME = "First webhook";

/** An event as a shop would send it. It has no id, so that it may come again and starts a run each time. */
export const SAMPLE = JSON.stringify({
  order: "1007",
  customer: "Ada",
  items: [
    { sku: "cable", total: 9.5 },
    { sku: "monitor", total: 249 },
    { sku: "keyboard", total: 79 },
  ],
});

/** A command that sends the sample from a shell. */
export function curlLine({ url }: EndpointRecord): string {
  return `curl ${url} -H 'Content-Type: application/json' \\\n  -d '${SAMPLE}'`;
}

/** Endpoints among which one is looked for that takes the sample as it is. */
const LOOKED_AT = 5;

/** How far somebody has come who is new here. */
export interface FirstRun {
  /** The newest run that was started by a prompt. */
  run: ExecutionRow | null;
  /** The files that it has made, once it has completed. */
  files: Output[];
  webhook: FirstWebhook;
}

export interface FirstWebhook {
  endpoint: EndpointRecord | null;
  /** The newest request that it got. */
  arrival: LogEntry | null;
}

export async function loadFirstRun(api: Prompthook): Promise<FirstRun> {
  const [run, webhook] = await Promise.all([loadRun(api), loadWebhook(api)]);
  return { ...run, webhook };
}

async function loadRun(api: Prompthook): Promise<Pick<FirstRun, "run" | "files">> {
  const { executions } = await api.executions.list({ limit: 1, origin: ["api"] });
  const [run] = executions;
  if (run === undefined) return { run: null, files: [] };
  if (run.status !== "completed") return { run, files: [] };
  const { outputs } = await api.executions.result(run.executionId);
  return { run, files: outputs.filter(({ type }) => type === "file") };
}

async function loadWebhook(api: Prompthook): Promise<FirstWebhook> {
  const { endpoints } = await api.webhooks.list({ limit: LOOKED_AT });
  const endpoint = endpoints.find(takesSample) ?? endpoints[0] ?? null;
  if (endpoint === null) return { endpoint, arrival: null };
  const { requests } = await api.webhooks.requests(endpoint.endpointId, { limit: 1 });
  return { endpoint, arrival: requests[0] ?? null };
}

/** Makes the first endpoint and what it starts, unless there is an endpoint already. */
export async function makeEndpoint(api: Prompthook): Promise<void> {
  const { endpoints } = await api.webhooks.list({ limit: 1 });
  if (endpoints.length > 0) return;
  const { workflowId } = await api.workflows.create(FIRST_WORKFLOW);
  await api.webhooks.create({ name: FIRST_ENDPOINT_NAME, workflowId });
}

/** Whether the sample is let in as it is: nothing is asked of the sender. */
export function takesSample({ auth, methods, enabled }: EndpointRecord): boolean {
  return enabled && methods.includes("POST") && Object.keys(auth).length === 0;
}

export function isRunDone({ run }: FirstRun): boolean {
  return run?.status === "completed";
}

/** Whether the run may still become something else. */
export function isRunOpen({ run }: FirstRun): boolean {
  return run !== null && !isFinal(run.status);
}

/** Whether a webhook came and was let in, and all that follows by itself has happened. */
export function isWebhookDone({ webhook: { arrival } }: FirstRun): boolean {
  return arrival !== null && arrival.status !== "rejected" && !isAtWork(arrival);
}

/** Whether something may still come, or become of what came. */
export function isWebhookOpen({ webhook: { endpoint, arrival } }: FirstRun): boolean {
  if (endpoint === null) return false;
  return arrival === null || arrival.status === "rejected" || isAtWork(arrival);
}

/** What is held has no execution, and waits for its workflow. */
function isAtWork({ status, executionId }: LogEntry): boolean {
  return !isSettled(status) && executionId !== null;
}

/** Names what is shown of a state, so that it need not be sent again. */
export function fingerprintOf({ run, webhook: { endpoint, arrival } }: FirstRun): string {
  const parts = [run?.executionId, run?.version, endpoint?.endpointId, arrival?.requestId];
  return [...parts, arrival?.status, arrival?.executionId].join(".");
}
