import type { Authorized } from "../../contract/account.ts";
import { nextRevision } from "../../contract/revision.ts";
import type { WorkflowDefinition } from "../../contract/workflow.ts";
import { loadWorkflow, replaceWorkflow, type StoredWorkflow } from "../../records/workflows.ts";
import { actorOf, auditedBy } from "../actor.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { HttpProblem, notFound } from "../problem.ts";
import { changeWithEndpoints } from "../webhooks/config-updates.ts";
import { differ } from "./definition.ts";

/** How often a change is tried while others change the workflow. */
const MAX_TRIES = 3;

/** Returns a workflow of the account, or throws a 404. */
export async function existingWorkflow(
  http: Http,
  accountId: string,
  workflowId: string,
): Promise<StoredWorkflow> {
  const found = await callWithRetry(() => loadWorkflow(http.env.DB, accountId, workflowId));
  if (found === null) throw notFound();
  return found;
}

/** Changes a workflow to what `draft` makes of it, and tries again if others changed it meanwhile. */
export async function changeWorkflow(
  http: Http,
  caller: Pick<Authorized, "accountId" | "by">,
  workflowId: string,
  draft: (before: WorkflowDefinition) => Promise<WorkflowDefinition>,
): Promise<StoredWorkflow> {
  const { accountId, by } = caller;
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const before = await existingWorkflow(http, accountId, workflowId);
    const drafted = await draft(before.definition);
    const now = Math.max(Date.now(), before.updatedAt + 1);
    const change = { differs: differ(before.definition, drafted), now, keyId: by.id };
    const definition = { ...drafted, ...nextRevision(before.definition, change) };
    const after: StoredWorkflow = { ...before, definition, updatedAt: now };
    const { revision, name } = definition;
    const entry = auditedBy(actorOf(http, caller), {
      action: "workflow.updated",
      resource: { kind: "workflow", id: workflowId, name },
      detail: { revision },
    });
    const isReplaced = await changeWithEndpoints(http.env, accountId, workflowId, () =>
      replaceWorkflow(http.env.DB, accountId, before, after, entry),
    );
    if (isReplaced) return after;
  }
  throw new HttpProblem("conflict", "The workflow is being changed by others. Try again.");
}
