import { PrompthookError } from "../client/error.ts";
import type { Prompthook } from "../client/prompthook.ts";
import type { EndpointRecord } from "../contract/inbound/endpoint.ts";
import { PROBLEMS } from "../contract/problem.ts";
import type { WorkflowInput, WorkflowRecord } from "../contract/workflow.ts";
import type { Page } from "./context.ts";

/** An answer, or null where the key of the session lacks the scope for it. */
export async function ifAllowed<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PrompthookError && error.code === "insufficient_scope") return null;
    throw error;
  }
}

/** What is thrown where a list of the API does not have what a page is about. */
export function notFound(http: Page): PrompthookError {
  const code = "not_found";
  const { status, title } = PROBLEMS[code];
  const requestId = http.get("requestId");
  return new PrompthookError(
    { type: "about:blank", title, status, detail: title, code, requestId },
    null,
  );
}

const PAGE = 100;
/** Pages that are read at most: somebody waits for it. */
const MOST_PAGES = 5;

/** The account's endpoints, of more than 500 the newest. */
export function allEndpoints(api: Prompthook): Promise<EndpointRecord[]> {
  return all(async (paging) => {
    const { endpoints, nextCursor } = await api.webhooks.list(paging);
    return { items: endpoints, nextCursor };
  });
}

/** The account's workflows, of more than 500 the newest; none where the key may not read them. */
export async function allWorkflows(api: Prompthook): Promise<WorkflowRecord[]> {
  const found = await ifAllowed(
    all(async (paging) => {
      const { workflows, nextCursor } = await api.workflows.list(paging);
      return { items: workflows, nextCursor };
    }),
  );
  return found ?? [];
}

async function all<Item>(
  page: (paging: { limit: number; cursor?: string }) => Promise<{
    items: Item[];
    nextCursor: string | null;
  }>,
): Promise<Item[]> {
  const found: Item[] = [];
  let cursor: string | null = null;
  for (let at = 0; at < MOST_PAGES; at += 1) {
    const paging: { limit: number; cursor?: string } = {
      limit: PAGE,
      ...(cursor !== null && { cursor }),
    };
    const { items, nextCursor } = await page(paging);
    found.push(...items);
    if (nextCursor === null) return found;
    cursor = nextCursor;
  }
  return found;
}

/** The inputs of a workflow that is attached; none without one, or where the key may not read it. */
export async function inputsOf(
  api: Prompthook,
  workflowId: string | null,
): Promise<readonly WorkflowInput[]> {
  if (workflowId === null) return [];
  const workflow = await ifAllowed(api.workflows.get(workflowId));
  return workflow?.inputs ?? [];
}

/** The names of workflows by their ids. */
export type WorkflowNames = ReadonlyMap<string, string>;

/**
 * The names of the workflows that these belong to; nothing is asked for where none does. A workflow that
 * was deleted, or that the session's key may not read, has none.
 */
export async function namesFor(
  api: Prompthook,
  items: readonly { workflowId: string | null }[],
): Promise<WorkflowNames> {
  if (items.every(({ workflowId }) => workflowId === null)) return new Map();
  const workflows = await allWorkflows(api);
  return new Map(workflows.map(({ workflowId, name }) => [workflowId, name]));
}
