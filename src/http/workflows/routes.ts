import {
  createWorkflowBody,
  runWorkflowBody,
  updateWorkflowBody,
  type WorkflowDefinition,
  workflowRecord,
} from "../../contract/workflow.ts";
import { settingsOf } from "../../env.ts";
import { averageScores } from "../../records/scores.ts";
import { selectWorkflows } from "../../records/workflows.ts";
import { draftOfWorkflow } from "../../workflows/draft.ts";
import { checkInputs } from "../../workflows/inputs.ts";
import { apiKeyVerifiedByHandler } from "../authentication.ts";
import { optionalJsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { acceptDraft, acceptedResponse } from "../executions/trigger.ts";
import { externalRoutes } from "../external.ts";
import { invalidByFaults } from "../problem.ts";
import { resource } from "../resource.ts";
import { route } from "../route.ts";
import {
  changeWorkflow,
  createWorkflow,
  existingWorkflow,
  removeWorkflow,
  workflowAt,
} from "./changes.ts";
import { changedDefinition, recordOf, replacementOf } from "./definition.ts";
import { exampleWorkflow, reader, WORKFLOWS, workflowParams, writer } from "./resource.ts";

const bodyExample = {
  name: exampleWorkflow.name,
  prompt: exampleWorkflow.prompt,
  inputs: [
    { name: "orderId", required: true },
    { name: "domain", default: "example.com" },
  ],
  maxCredits: 20,
};

const kind = {
  path: WORKFLOWS,
  tag: "Workflows" as const,
  name: "Workflow",
  one: "a workflow",
  params: workflowParams,
  record: workflowRecord,
  example: exampleWorkflow,
  reader,
  writer,
};
const workflow = resource(kind);

const run = route({
  method: "POST",
  path: `${WORKFLOWS}/:workflowId/run`,
  operationId: "runWorkflow",
  tag: "Workflows",
  summary: "Run a workflow",
  description:
    "Starts an execution of the workflow. Each input must have its declared type; inputs that you leave out take their defaults.",
  auth: apiKeyVerifiedByHandler("executions:write", "management"),
  params: workflowParams,
  body: optionalJsonBody(runWorkflowBody, { inputs: { orderId: "1007" } }),
  response: acceptedResponse,
  problems: ["not_found", "insufficient_credits", "idempotency_key_reused"],
  requestHeaders: ["Idempotency-Key"],
  responseHeaders: ["Location", "Idempotency-Replayed"],
  async handler({ http, caller, params, body, bytes }) {
    const { definition } = await existingWorkflow(http, caller.accountId, params.workflowId);
    const checked = checkInputs(body.inputs, definition.inputs);
    if (!checked.ok) {
      throw invalidByFaults(
        checked.faults.map((fault) => ({ ...fault, path: `inputs.${fault.path}` })),
      );
    }
    const start = { inputs: checked.inputs, origin: "workflow" as const, inbound: null };
    const draft = draftOfWorkflow(definition, start, settingsOf(http.env));
    return acceptDraft(http, caller, draft, bytes);
  },
});

const byExternalId = externalRoutes({
  ...kind,
  body: createWorkflowBody,
  bodyExample,
  saved: workflowRecord,
  find: workflowAt,
  shown: async (_, found) => recordOf(found),
  async create(http, caller, body, application) {
    return recordOf(await createWorkflow(http, caller, body, application));
  },
  async replace(http, caller, { definition: { workflowId } }, body, application) {
    const change = replacementOf(body);
    const draft = (before: WorkflowDefinition) =>
      changedDefinition(http, caller.accountId, before, change);
    const { after, changed } = await changeWorkflow(http, caller, workflowId, draft, application);
    return { value: recordOf(after), changed };
  },
  remove: removeWorkflow,
});

export const workflowRoutes = [
  // Before those whose id is any word.
  ...byExternalId,
  workflow.create({
    description:
      "A workflow is a reusable prompt with typed inputs. `{{name}}` in the prompt refers to an input. The agent receives input values as data beside the prompt, never as instructions.",
    body: createWorkflowBody,
    bodyExample: {
      ...bodyExample,
      callbackUrl: "https://receiver.example/callback",
      callbackSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    },
    sendsCallback: true,
    handler: async ({ http, caller, body }) => recordOf(await createWorkflow(http, caller, body)),
  }),
  workflow.pages(
    "Returns the account's workflows, newest first. Deleted workflows are not listed.",
    async ({ http, caller: { accountId }, query: { limit } }, after) => {
      const cursor = after && { createdAt: after.createdAt, workflowId: after.id };
      const { workflows, next } = await callWithRetry(() =>
        selectWorkflows(http.env.DB, accountId, { limit, cursor }),
      );
      const items = workflows.map(recordOf);
      return { items, next: next && { createdAt: next.createdAt, id: next.workflowId } };
    },
  ),
  workflow.get(
    "Returns the current state of a workflow.",
    async ({ http, caller: { accountId }, params: { workflowId } }) => {
      const found = await existingWorkflow(http, accountId, workflowId);
      const scores = await callWithRetry(() => averageScores(http.env.DB, accountId, workflowId));
      return { ...recordOf(found), ...(scores.length > 0 && { scores }) };
    },
  ),
  workflow.update({
    description:
      "Replaces the fields that you pass; `null` clears an optional field. Executions that were already accepted are not affected.",
    body: updateWorkflowBody,
    bodyExample: { maxCredits: 30 },
    changed: { maxCredits: 30, revision: 3, updatedAt: "2026-11-20T09:40:00.000Z" },
    sendsCallback: true,
    async handler({ http, caller, params: { workflowId }, body }) {
      const { after } = await changeWorkflow(http, caller, workflowId, (before) =>
        changedDefinition(http, caller.accountId, before, body),
      );
      return recordOf(after);
    },
  }),
  workflow.remove(
    "Endpoints that use the workflow hold their requests from then on, and its schedules are paused. Executions that were already accepted continue.",
    async ({ http, caller, params: { workflowId } }) => {
      const found = await existingWorkflow(http, caller.accountId, workflowId);
      await removeWorkflow(http, caller, found);
      return true;
    },
  ),
  run,
];
