import {
  storedWorkflow,
  type UpdateWorkflowBody,
  updateWorkflowBody,
  type WorkflowContent,
  type WorkflowDefinition,
  type WorkflowRevision,
  workflowRecord,
  workflowRevision,
} from "../../contract/workflow.ts";
import type { StoredWorkflow } from "../../records/workflows.ts";
import type { Http } from "../context.ts";
import { listRoute } from "../list.ts";
import {
  type Revised,
  restoredBody,
  revisionPage,
  revisionParam,
  settingsAt,
  shownRevision,
} from "../revisions.ts";
import { jsonResponse, route } from "../route.ts";
import { changeWorkflow, existingWorkflow } from "./changes.ts";
import { changedDefinition, contentOf, recordOf } from "./definition.ts";
import { exampleWorkflow, reader, WORKFLOWS, workflowParams, writer } from "./resource.ts";

const REVISIONS = `${WORKFLOWS}/:workflowId/revisions`;
const params = workflowParams.extend({ revision: revisionParam });

const { workflowId: _, revision, createdAt, updatedAt: __, ...content } = exampleWorkflow;
const example: WorkflowRevision = { revision, createdAt, changedBy: "key_3fK9", content };

const list = listRoute({
  path: REVISIONS,
  operationId: "listWorkflowRevisions",
  tag: "Workflows",
  summary: "List the revisions of a workflow",
  description:
    "Returns the settings of a workflow as they are and as they were, newest first, without secrets. The current revision and the 50 before it are kept.",
  auth: reader,
  params: workflowParams,
  items: "revisions",
  page: "WorkflowRevisionPage",
  item: workflowRevision,
  example,
  problems: ["not_found"],
  async read({ http, caller: { accountId }, params: { workflowId }, query: { limit } }, after) {
    const workflow = await existingWorkflow(http, accountId, workflowId);
    const page = await revisionPage(http, revisedOf(accountId, workflow), limit, after);
    return { ...page, items: page.items.map((settings) => shown(settings, workflow)) };
  },
});

const get = route({
  method: "GET",
  path: `${REVISIONS}/:revision`,
  operationId: "getWorkflowRevision",
  tag: "Workflows",
  summary: "Get a revision of a workflow",
  description: "Returns the settings of a workflow at one revision, without secrets.",
  auth: reader,
  params,
  response: jsonResponse(200, "The revision.", workflowRevision, example),
  problems: ["not_found", "gone"],
  async handler({ http, caller: { accountId }, params: { workflowId, revision: wanted } }) {
    const workflow = await existingWorkflow(http, accountId, workflowId);
    const settings = await settingsAt(http, revisedOf(accountId, workflow), wanted);
    return { value: shown(settings, workflow) };
  },
});

const restore = route({
  method: "POST",
  path: `${REVISIONS}/:revision/restore`,
  operationId: "restoreWorkflowRevision",
  tag: "Workflows",
  summary: "Restore a revision of a workflow",
  description:
    "Makes a new revision with the settings of an earlier one. The callback secret stays the current one.",
  auth: writer,
  params,
  response: jsonResponse(200, "The workflow.", workflowRecord, exampleWorkflow),
  problems: ["not_found", "gone", "conflict", "unavailable"],
  async handler({ http, caller, params: { workflowId, revision: wanted } }) {
    const { accountId } = caller;
    const workflow = await existingWorkflow(http, accountId, workflowId);
    const settings = await settingsAt(http, revisedOf(accountId, workflow), wanted);
    const body = bodyOf(contentOf(settings));
    const changed = await changeWorkflow(http, caller, workflowId, (before) =>
      changedDefinition(http, before, body),
    );
    return { value: recordOf(changed) };
  },
});

export const workflowRevisionRoutes = [list, get, restore];

/** Returns the definition of a workflow at a revision, with today's callback secret. Throws if it is gone. */
export async function definitionAt(
  http: Http,
  accountId: string,
  workflow: StoredWorkflow,
  wanted: number,
): Promise<WorkflowDefinition> {
  const settings = await settingsAt(http, revisedOf(accountId, workflow), wanted);
  const { callback } = settings;
  const today = workflow.definition.callback;
  const isSigned = callback?.sealedSecret != null;
  const secret = isSigned ? (today?.sealedSecret ?? null) : null;
  return { ...settings, callback: callback && { ...callback, sealedSecret: secret } };
}

function revisedOf(accountId: string, { definition }: StoredWorkflow): Revised<WorkflowDefinition> {
  return {
    accountId,
    resourceId: definition.workflowId,
    current: definition,
    parse: (text) => storedWorkflow.parse(JSON.parse(text)),
  };
}

/** Returns a revision as the API shows it. */
export function shown(
  settings: WorkflowDefinition,
  { createdAt: since }: StoredWorkflow,
): WorkflowRevision {
  return shownRevision(settings, contentOf(settings), since);
}

/** Returns the change that makes a workflow have these settings. */
function bodyOf({ callbackSecret: _, ...settings }: WorkflowContent): UpdateWorkflowBody {
  const cleared = Object.keys(updateWorkflowBody.shape)
    .filter((name) => name !== "callbackSecret")
    .map((name) => [name, null]);
  return restoredBody(updateWorkflowBody, { ...Object.fromEntries(cleared), ...settings });
}
