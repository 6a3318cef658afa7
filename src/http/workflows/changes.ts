import type { Authorized } from "../../contract/account.ts";
import { isIdentityChanged } from "../../contract/managed.ts";
import { firstRevision, nextRevision } from "../../contract/revision.ts";
import type { CreateWorkflowBody, WorkflowDefinition } from "../../contract/workflow.ts";
import {
  deleteWorkflow,
  insertWorkflow,
  loadWorkflow,
  loadWorkflowByExternalId,
  replaceWorkflow,
  type StoredWorkflow,
} from "../../records/workflows.ts";
import { actorOf, auditedBy } from "../actor.ts";
import { callOnce, callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { type Application, assertFree, assertRevision } from "../external.ts";
import { HttpProblem, notFound, quotaFull } from "../problem.ts";
import { randomId } from "../resource.ts";
import { pauseSchedulesOf } from "../schedules/changes.ts";
import { changeWithEndpoints } from "../webhooks/config-updates.ts";
import { differ, newDefinition } from "./definition.ts";

const ID_DIGITS = 20;
/** How often a change is tried while others change the workflow. */
const MAX_TRIES = 3;

const asResource = ({ workflowId, name }: WorkflowDefinition) =>
  ({ kind: "workflow", id: workflowId, name }) as const;

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

/** Returns the workflow of the account with an external id, or null. */
export async function workflowAt(http: Http, accountId: string, externalId: string) {
  return await callWithRetry(() => loadWorkflowByExternalId(http.env.DB, accountId, externalId));
}

/** Creates a workflow; a dry run only checks it. */
export async function createWorkflow(
  http: Http,
  caller: Authorized,
  body: CreateWorkflowBody,
  { dryRun }: Pick<Application, "dryRun">,
): Promise<StoredWorkflow> {
  const { accountId, quotas, by } = caller;
  const now = Date.now();
  const stamp = firstRevision(now, by, body);
  const definition = await newDefinition(
    http,
    { accountId, workflowId: randomId("wf_", ID_DIGITS) },
    body,
    stamp,
  );
  await assertFree(stamp.externalId, null, (id) => workflowAt(http, accountId, id));
  const workflow = { definition, createdAt: now, updatedAt: now };
  if (dryRun) return workflow;
  const most = quotas.workflows;
  const entry = auditedBy(actorOf(http, caller), {
    action: "workflow.created",
    resource: asResource(definition),
  });
  const isStored = await callOnce(() =>
    insertWorkflow(http.env.DB, accountId, workflow, most, entry),
  );
  if (!isStored) throw quotaFull("workflows", most);
  return workflow;
}

/**
 * Changes a workflow to what `draft` makes of it, and tries again if others changed it meanwhile. Settings
 * that are put under an external id are only stored if they change something.
 */
export async function changeWorkflow(
  http: Http,
  caller: Pick<Authorized, "accountId" | "by">,
  workflowId: string,
  draft: (before: WorkflowDefinition) => Promise<WorkflowDefinition>,
  application: Application | null,
): Promise<{ after: StoredWorkflow; changed: boolean }> {
  const { accountId, by } = caller;
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const before = await existingWorkflow(http, accountId, workflowId);
    assertRevision(application?.ifMatch ?? null, before.definition.revision);
    const drafted = await draft(before.definition);
    const now = Math.max(Date.now(), before.updatedAt + 1);
    const differs = differ(before.definition, drafted);
    const stamp = nextRevision(before.definition, drafted, { differs, now, by });
    const definition = { ...drafted, ...stamp };
    const changed = differs || isIdentityChanged(before.definition, stamp);
    const after: StoredWorkflow = { ...before, definition, updatedAt: now };
    if (application !== null && (!changed || application.dryRun))
      return { after: changed ? after : before, changed };
    const { externalId: known } = before.definition;
    await assertFree(stamp.externalId, known, (id) => workflowAt(http, accountId, id));
    const entry = auditedBy(actorOf(http, caller), {
      action: "workflow.updated",
      resource: asResource(definition),
      detail: { revision: stamp.revision },
    });
    const isReplaced = await changeWithEndpoints(http.env, accountId, workflowId, () =>
      replaceWorkflow(http.env.DB, accountId, before, after, entry),
    );
    if (isReplaced) return { after, changed };
  }
  throw new HttpProblem("conflict", "The workflow is being changed by others. Try again.");
}

/** Deletes a workflow, pauses its schedules and detaches it from its endpoints. */
export async function removeWorkflow(
  http: Http,
  caller: Authorized,
  { definition }: StoredWorkflow,
): Promise<void> {
  const { accountId, by } = caller;
  const { workflowId } = definition;
  await pauseSchedulesOf(http, caller, workflowId);
  const entry = auditedBy(actorOf(http, caller), {
    action: "workflow.deleted",
    resource: asResource(definition),
  });
  const change = { now: Date.now(), by };
  await changeWithEndpoints(http.env, accountId, workflowId, () =>
    deleteWorkflow(http.env.DB, accountId, workflowId, change, entry),
  );
}
