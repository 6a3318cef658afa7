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
import { jsonBody, optionalJsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { acceptDraft, acceptedResponse } from "../executions/trigger.ts";
import { assertRevision, externalRoutes } from "../external.ts";
import { listRoute } from "../list.ts";
import { invalidByFaults } from "../problem.ts";
import { jsonResponse, noContent, route } from "../route.ts";
import {
  changeWorkflow,
  createWorkflow,
  existingWorkflow,
  removeWorkflow,
  workflowAt,
} from "./changes.ts";
import { changedDefinition, recordOf, replacementOf } from "./definition.ts";
import { exampleWorkflow, reader, WORKFLOWS, workflowParams, writer } from "./resource.ts";

/** The example after its callback was removed and its limit raised. */
const { callbackUrl: _, callbackSecret: __, ...withoutCallback } = exampleWorkflow;
const exampleUpdated = {
  ...withoutCallback,
  maxCredits: 30,
  revision: 3,
  updatedAt: "2026-11-20T09:40:00.000Z",
};

const create = route({
  method: "POST",
  path: WORKFLOWS,
  operationId: "createWorkflow",
  tag: "Workflows",
  summary: "Create a workflow",
  description:
    "A workflow is a reusable prompt with typed inputs. `{{name}}` in the prompt refers to an input. The agent receives input values as data beside the prompt, never as instructions.",
  auth: writer,
  body: jsonBody(createWorkflowBody, {
    name: exampleWorkflow.name,
    prompt: exampleWorkflow.prompt,
    inputs: [
      { name: "orderId", required: true },
      { name: "domain", default: "example.com" },
    ],
    callbackUrl: "https://receiver.example/callback",
    callbackSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    maxCredits: 20,
  }),
  response: jsonResponse(201, "The workflow.", workflowRecord, exampleWorkflow),
  problems: ["conflict", "unavailable"],
  sendsCallback: true,
  async handler({ http, caller, body }) {
    return { value: recordOf(await createWorkflow(http, caller, body)) };
  },
});

const list = listRoute({
  path: WORKFLOWS,
  operationId: "listWorkflows",
  tag: "Workflows",
  summary: "List workflows",
  description: "Returns the account's workflows, newest first. Deleted workflows are not listed.",
  auth: reader,
  items: "workflows",
  page: "WorkflowPage",
  item: workflowRecord,
  example: exampleWorkflow,
  async read({ http, caller: { accountId }, query: { limit } }, after) {
    const cursor = after && { createdAt: after.createdAt, workflowId: after.id };
    const { workflows, next } = await callWithRetry(() =>
      selectWorkflows(http.env.DB, accountId, { limit, cursor }),
    );
    const items = workflows.map(recordOf);
    return { items, next: next && { createdAt: next.createdAt, id: next.workflowId } };
  },
});

const get = route({
  method: "GET",
  path: `${WORKFLOWS}/:workflowId`,
  operationId: "getWorkflow",
  tag: "Workflows",
  summary: "Get a workflow",
  description: "Returns the current state of a workflow.",
  auth: reader,
  params: workflowParams,
  response: jsonResponse(200, "The workflow.", workflowRecord, exampleWorkflow),
  problems: ["not_found"],
  async handler({ http, caller: { accountId }, params }) {
    const { workflowId } = params;
    const found = await existingWorkflow(http, accountId, workflowId);
    const scores = await callWithRetry(() => averageScores(http.env.DB, accountId, workflowId));
    return { value: { ...recordOf(found), ...(scores.length > 0 && { scores }) } };
  },
});

const update = route({
  method: "PATCH",
  path: `${WORKFLOWS}/:workflowId`,
  operationId: "updateWorkflow",
  tag: "Workflows",
  summary: "Update a workflow",
  description:
    "Replaces the fields that you pass; `null` clears an optional field. Executions that were already accepted are not affected.",
  auth: writer,
  params: workflowParams,
  body: jsonBody(updateWorkflowBody, { maxCredits: 30, callbackUrl: null, callbackSecret: null }),
  response: jsonResponse(200, "The workflow.", workflowRecord, exampleUpdated),
  problems: ["not_found", "conflict", "unavailable"],
  sendsCallback: true,
  async handler({ http, caller, params: { workflowId }, body }) {
    const { after } = await changeWorkflow(http, caller, workflowId, (before) =>
      changedDefinition(http, caller.accountId, before, body),
    );
    return { value: recordOf(after) };
  },
});

const remove = route({
  method: "DELETE",
  path: `${WORKFLOWS}/:workflowId`,
  operationId: "deleteWorkflow",
  tag: "Workflows",
  summary: "Delete a workflow",
  description:
    "Endpoints that use the workflow hold their requests from then on, and its schedules are paused. Executions that were already accepted continue.",
  auth: writer,
  params: workflowParams,
  response: noContent("The workflow is deleted."),
  problems: ["not_found"],
  async handler({ http, caller, params: { workflowId } }) {
    await removeWorkflow(http, caller, await existingWorkflow(http, caller.accountId, workflowId));
    return { value: undefined };
  },
});

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
  path: WORKFLOWS,
  tag: "Workflows",
  name: "Workflow",
  one: "a workflow",
  reader,
  writer,
  body: createWorkflowBody,
  bodyExample: {
    name: exampleWorkflow.name,
    prompt: exampleWorkflow.prompt,
    inputs: [
      { name: "orderId", required: true },
      { name: "domain", default: "example.com" },
    ],
    maxCredits: 20,
  },
  record: workflowRecord,
  saved: workflowRecord,
  example: exampleWorkflow,
  find: workflowAt,
  shown: async (_, found) => recordOf(found),
  async put(http, caller, body, application) {
    const { externalId } = application;
    const found = await workflowAt(http, caller.accountId, externalId);
    if (found === null) {
      assertRevision(application.ifMatch, 0);
      const made = await createWorkflow(http, caller, { ...body, externalId }, application);
      return { value: recordOf(made), created: true, changed: true };
    }
    const change = replacementOf(body);
    const draft = (before: WorkflowDefinition) =>
      changedDefinition(http, caller.accountId, before, change);
    const { workflowId } = found.definition;
    const { after, changed } = await changeWorkflow(http, caller, workflowId, draft, application);
    return { value: recordOf(after), created: false, changed };
  },
  remove: removeWorkflow,
});

// Before those whose id is any word.
export const workflowRoutes = [...byExternalId, create, list, get, update, remove, run];
