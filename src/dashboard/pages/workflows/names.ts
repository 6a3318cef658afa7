import type { Prompthook } from "../../../client/prompthook.ts";
import { allWorkflows } from "../webhooks/all.ts";

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
