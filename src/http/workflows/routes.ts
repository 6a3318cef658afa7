import type { Authorized } from "../../contract/account.ts";
import {
  createWorkflowBody,
  runWorkflowBody,
  storedWorkflow,
  type UpdateWorkflowBody,
  updateWorkflowBody,
  type WorkflowDefinition,
  workflowRecord,
  workflowRevision,
} from "../../contract/workflow.ts";
import { settingsOf } from "../../env.ts";
import { averageScores } from "../../records/scores.ts";
import { selectWorkflows } from "../../records/workflows.ts";
import { draftOfWorkflow } from "../../workflows/draft.ts";
import { checkInputs } from "../../workflows/inputs.ts";
import { apiKey, apiKeyVerifiedByHandler } from "../authentication.ts";
import { optionalJsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { fileReader } from "../executions/files.ts";
import { acceptDraft, STARTING } from "../executions/trigger.ts";
import { type Application, namedRoutes } from "../external.ts";
import { invalidByFaults } from "../problem.ts";
import { revisionRoutes } from "../revisions.ts";
import { route } from "../route.ts";
import {
  changeWorkflow,
  createWorkflow,
  existingWorkflow,
  removeWorkflow,
  workflowAt,
} from "./changes.ts";
import { changedDefinition, contentOf, recordOf, replacementOf } from "./definition.ts";
import { assertRehearsed } from "./rehearsed.ts";

/** The path of the API of workflows. */
export const WORKFLOWS = "/api/v1/workflows";

export const reader = apiKey("workflows:read", "management");
const writer = apiKey("workflows:write", "management");

const run = route("POST", `${WORKFLOWS}/:workflowId/run`, {
  operationId: "runWorkflow",
  summary: "Run a workflow",
  description:
    "Starts an execution of the workflow. Each input must have its declared type; inputs that you leave out take their defaults.",
  auth: apiKeyVerifiedByHandler("executions:write", "management"),
  body: optionalJsonBody(runWorkflowBody, { inputs: { orderId: "1007" } }, { hasFiles: true }),
  ...STARTING,
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
    const files = await fileReader(http, caller)(body.files);
    return acceptDraft(http, caller, { ...draft, ...files }, bytes);
  },
});

/** Changes a workflow, which may require that changes are rehearsed. */
const changing = (mustBeRehearsed: boolean) =>
  async function change(
    http: Http,
    caller: Authorized,
    id: string,
    body: UpdateWorkflowBody,
    application: Application | null,
  ) {
    const { accountId } = caller;
    const draft = async (before: WorkflowDefinition) => {
      const after = await changedDefinition(http, accountId, before, body);
      if (mustBeRehearsed && !application?.dryRun)
        await assertRehearsed(http, accountId, before, after);
      return after;
    };
    const { after, changed } = await changeWorkflow(http, caller, id, draft, application);
    return { value: recordOf(after), changed };
  };

const kind = {
  path: WORKFLOWS,
  name: "Workflow",
  one: "a workflow",
  id: "workflowId" as const,
  record: workflowRecord,
  saved: workflowRecord,
  reader,
  writer,
  existing: existingWorkflow,
  change: changing(true),
};

const named = namedRoutes({
  ...kind,
  body: createWorkflowBody,
  bodyExample: {
    name: "Look at an order",
    prompt: "Look up the customer {{domain}} and say what the order {{orderId}} is about.",
    inputs: [
      { name: "orderId", required: true },
      { name: "domain", default: "example.com" },
    ],
    maxCredits: 20,
    callbackUrl: "https://receiver.example/callback",
    callbackSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La3xYz",
  },
  update: updateWorkflowBody,
  updateExample: { maxCredits: 30 },
  descriptions: {
    create:
      "A workflow is a reusable prompt with typed inputs. `{{name}}` in the prompt refers to an input. The agent receives input values as data beside the prompt, never as instructions.",
    list: "Returns the account's workflows, newest first. Deleted workflows are not listed.",
    get: "Returns the current state of a workflow.",
    update:
      "Replaces the fields that you pass; `null` clears an optional field. Executions that were already accepted are not affected.",
    remove:
      "Endpoints that use the workflow hold their requests from then on, and its schedules are paused. Executions that were already accepted continue.",
  },
  sendsCallback: true,
  idOf: ({ definition }) => definition.workflowId,
  find: workflowAt,
  shown: async (_, found) => recordOf(found),
  async detailed(http, { accountId }, found) {
    const { workflowId } = found.definition;
    const scores = await callWithRetry(() => averageScores(http.env.DB, accountId, workflowId));
    return { ...recordOf(found), ...(scores.length > 0 && { scores }) };
  },
  async page(http, { accountId }, limit, after) {
    const { items, next } = await callWithRetry(() =>
      selectWorkflows(http.env.DB, accountId, after, limit),
    );
    return { items: items.map(recordOf), next };
  },
  create: async (...given) => recordOf(await createWorkflow(...given)),
  replacement: replacementOf,
  remove: removeWorkflow,
});

const revisions = revisionRoutes({
  ...kind,
  // A revision that was in force is taken back at once, when its successor fails.
  change: changing(false),
  item: workflowRevision,
  secrets: "The callback secret stays the current one.",
  revised: ({ definition }) => ({
    resourceId: definition.workflowId,
    current: definition,
    parse: (text) => storedWorkflow.parse(JSON.parse(text)),
  }),
  contentOf,
  restoring({ callbackSecret: _, ...settings }) {
    const { callbackSecret: __, ...change } = replacementOf(settings);
    return change;
  },
});

export const workflowRoutes = [...named, run, ...revisions];
