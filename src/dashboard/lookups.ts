import { PrompthookError } from "../client/error.ts";
import type { Prompthook } from "../client/prompthook.ts";
import type { EndpointRecord } from "../contract/webhooks/endpoint.ts";
import type { WorkflowInput, WorkflowRecord } from "../contract/workflow.ts";

/** Returns an answer of the API, or null where the session's key lacks the scope for it. */
export async function ifAllowed<Value>(answer: Promise<Value>): Promise<Value | null> {
  return unless(answer, ({ code }) => code === "insufficient_scope");
}

/** Returns an answer, or null where the thing is gone or the session's key may not see it. */
export async function ifVisible<Value>(answer: Promise<Value>): Promise<Value | null> {
  return unless(answer, ({ status }) => status === 403 || status === 404);
}

/** Returns an answer, or null instead of an error that is expected. */
export async function unless<Value>(
  answer: Promise<Value>,
  isExpected: (error: PrompthookError) => boolean,
): Promise<Value | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof PrompthookError && isExpected(error)) return null;
    throw error;
  });
}

/** The most items that a page reads: its reader waits for them. */
const MAX_ITEMS = 500;

/** Returns the account's newest workflows; none where the key may not read them. */
export async function allWorkflows(api: Prompthook): Promise<WorkflowRecord[]> {
  return (await ifAllowed(newest(api.workflows.all()))) ?? [];
}

/** Returns the newest items of a list. */
export async function newest<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length === MAX_ITEMS) break;
  }
  return found;
}

/** Returns the item of a list that fits; undefined without one. */
export async function findIn<Item>(
  items: AsyncIterable<Item>,
  fits: (item: Item) => boolean,
): Promise<Item | undefined> {
  for await (const item of items) if (fits(item)) return item;
  return undefined;
}

/** Returns the inputs of the attached workflow; none without one, or where the key may not read it. */
export async function inputsOf(
  api: Prompthook,
  workflowId: string | null,
): Promise<readonly WorkflowInput[]> {
  if (workflowId === null) return [];
  return (await ifAllowed(api.workflows.get(workflowId)))?.inputs ?? [];
}

/** The names of workflows by their ids. */
export type WorkflowNames = ReadonlyMap<string, string>;

/**
 * Returns the names of these items' workflows. Deleted workflows, and those that the session's key may
 * not read, have none.
 */
export async function workflowNamesFor(
  api: Prompthook,
  items: readonly { workflowId: string | null }[],
): Promise<WorkflowNames> {
  if (items.every(({ workflowId }) => workflowId === null)) return new Map();
  return namesOf(await allWorkflows(api));
}

/** Returns the names of endpoints by their ids. */
export function endpointNames(endpoints: readonly EndpointRecord[]): ReadonlyMap<string, string> {
  return new Map(endpoints.map(({ endpointId, name }) => [endpointId, name]));
}

/** Returns the names of workflows by their ids. */
export function namesOf(workflows: readonly WorkflowRecord[]): WorkflowNames {
  return new Map(workflows.map(({ workflowId, name }) => [workflowId, name]));
}
