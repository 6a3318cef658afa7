import {
  storedWorkflow,
  type UpdateWorkflowBody,
  type WorkflowContent,
  type WorkflowDefinition,
  type WorkflowRevision,
  workflowId,
  workflowRecord,
  workflowRevision,
} from "../../contract/workflow.ts";
import type { Revised } from "../../records/revisions.ts";
import type { StoredWorkflow } from "../../records/workflows.ts";
import { revisionRoutes, shownRevision } from "../revisions.ts";
import { jsonResponse } from "../route.ts";
import { changeWorkflow, existingWorkflow } from "./changes.ts";
import { changedDefinition, contentOf, recordOf, replacementOf } from "./definition.ts";
import { exampleWorkflow, reader, WORKFLOWS, writer } from "./resource.ts";

const { workflowId: _, revision, createdAt, updatedAt: __, ...shownFields } = exampleWorkflow;
const { externalId: ___, managedBy: ____, ...content } = shownFields;
const example: WorkflowRevision = {
  revision,
  createdAt,
  by: { kind: "key", id: "key_3fK9", name: "deploys" },
  content,
};

/** The routes of a workflow's revisions. */
export const workflowRevisionRoutes = revisionRoutes({
  path: WORKFLOWS,
  tag: "Workflows",
  name: "Workflow",
  one: "a workflow",
  id: { name: "workflowId", schema: workflowId },
  reader,
  writer,
  item: workflowRevision,
  example,
  restoration: {
    secrets: "The callback secret stays the current one.",
    response: jsonResponse(200, "The workflow.", workflowRecord, exampleWorkflow),
    async apply(http, caller, id, settings) {
      const body = bodyOf(contentOf(settings));
      const { after } = await changeWorkflow(http, caller, id, (before) =>
        changedDefinition(http, caller.accountId, before, body),
      );
      return recordOf(after);
    },
  },
  find: existingWorkflow,
  revised: revisedOf,
  shown,
});

function revisedOf(accountId: string, { definition }: StoredWorkflow): Revised<WorkflowDefinition> {
  return {
    accountId,
    resourceId: definition.workflowId,
    current: definition,
    parse: (text) => storedWorkflow.parse(JSON.parse(text)),
  };
}

/** Returns a revision as the API shows it. */
function shown(
  settings: WorkflowDefinition,
  { createdAt: since }: StoredWorkflow,
): WorkflowRevision {
  return shownRevision(settings, contentOf(settings), since);
}

/** Returns the change that makes a workflow have these settings, with the callback secret that it has. */
function bodyOf({ callbackSecret: _, ...settings }: WorkflowContent): UpdateWorkflowBody {
  const { callbackSecret: __, ...change } = replacementOf(settings);
  return change;
}
