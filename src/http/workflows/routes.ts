import type { Authorized } from "../../contract/account.ts";
import { firstRevision, isIdentityChanged, nextRevision } from "../../contract/revision.ts";
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
import {
  deleteWorkflow,
  insertWorkflow,
  loadWorkflowByExternalId,
  replaceWorkflow,
  type StoredWorkflow,
  selectWorkflows,
} from "../../records/workflows.ts";
import { draftOfWorkflow } from "../../workflows/draft.ts";
import { checkInputs } from "../../workflows/inputs.ts";
import { apiKey, apiKeyVerifiedByHandler } from "../authentication.ts";
import { auditedBy, type Http } from "../context.ts";
import { acceptDraft, fileReader, STARTING } from "../executions/trigger.ts";
import { type Application, assertFree, assertRevision, namedRoutes } from "../external.ts";
import { callOnce, callWithRetry, conflict, invalidInputs, quotaFull } from "../problem.ts";
import { randomId } from "../resource.ts";
import { revisionRoutes } from "../revisions.ts";
import { jsonBody, route } from "../route.ts";
import { pauseSchedulesOf } from "../schedules.ts";
import { changeWithEndpoints } from "../webhooks/config-updates.ts";
import {
  changedDefinition,
  contentOf,
  differ,
  existingWorkflow,
  newDefinition,
  reader,
  recordOf,
  replacementOf,
  WORKFLOWS,
} from "./definition.ts";
import { assertRehearsed } from "./rehearsals.ts";

const ID_DIGITS = 20;
/** How often a change is tried while others change the workflow. */
const MAX_TRIES = 3;

const asResource = ({ workflowId, name }: WorkflowDefinition) =>
  ({ kind: "workflow", id: workflowId, name }) as const;

/** Returns the workflow of the account with an external id, or null. */
async function workflowAt(http: Http, accountId: string, externalId: string) {
  return await callWithRetry(() => loadWorkflowByExternalId(http.env.DB, accountId, externalId));
}

const run = route("POST", `${WORKFLOWS}/:workflowId/run`, {
  operationId: "runWorkflow",
  summary: "Run a workflow",
  description: "Starts an execution. Inputs that you leave out take their defaults.",
  auth: apiKeyVerifiedByHandler("executions:write", "management"),
  body: jsonBody(runWorkflowBody, { inputs: { orderId: "1007" } }, { hasFiles: true }),
  ...STARTING,
  async handler({ http, caller, params, body, bytes }) {
    const { definition } = await existingWorkflow(http, caller.accountId, params.workflowId);
    const checked = checkInputs(body.inputs, definition.inputs);
    if (!checked.ok) throw invalidInputs(checked.faults);
    const start = { inputs: checked.inputs, origin: "workflow" as const, inbound: null };
    const draft = draftOfWorkflow(definition, start, settingsOf(http.env));
    const files = await fileReader(http, caller)(body.files);
    return acceptDraft(http, caller, { ...draft, ...files }, bytes);
  },
});

/**
 * Makes the function that changes a workflow, which may require that changes are rehearsed. It tries again if
 * others changed the workflow meanwhile, and stores settings that are put under an external id only if they
 * change something.
 */
const changing = (mustBeRehearsed: boolean) =>
  async function change(
    http: Http,
    caller: Authorized,
    id: string,
    body: UpdateWorkflowBody,
    application: Application | null,
  ) {
    const { accountId, by } = caller;
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const before = await existingWorkflow(http, accountId, id);
      const { definition: known } = before;
      assertRevision(application?.ifMatch ?? null, known.revision);
      const drafted = await changedDefinition(http, accountId, known, body);
      if (mustBeRehearsed && !application?.dryRun)
        await assertRehearsed(http, accountId, known, drafted);
      const now = Math.max(Date.now(), before.updatedAt + 1);
      const differs = differ(known, drafted);
      const stamp = nextRevision(known, drafted, { differs, now, by });
      const definition = { ...drafted, ...stamp };
      const changed = differs || isIdentityChanged(known, stamp);
      const after: StoredWorkflow = { ...before, definition, updatedAt: now };
      if (application !== null && (!changed || application.dryRun))
        return { value: recordOf(changed ? after : before), changed };
      await assertFree(stamp.externalId, known.externalId, (name) =>
        workflowAt(http, accountId, name),
      );
      const entry = auditedBy(http, caller, "workflow.updated", asResource(definition), {
        revision: stamp.revision,
      });
      const isReplaced = await changeWithEndpoints(http.env, accountId, id, () =>
        replaceWorkflow(http.env.DB, accountId, before, after, entry),
      );
      if (isReplaced) return { value: recordOf(after), changed };
    }
    throw conflict("The workflow is being changed by others. Try again.");
  };

const kind = {
  path: WORKFLOWS,
  name: "Workflow",
  one: "a workflow",
  id: "workflowId" as const,
  record: workflowRecord,
  saved: workflowRecord,
  reader,
  writer: apiKey("workflows:write", "management"),
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
      "Endpoints that use the workflow hold their requests from then on, routes to it no longer match, and its schedules are paused. Executions that were already accepted continue.",
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
  async create(http, caller, body, { dryRun }) {
    const { accountId, quotas, by } = caller;
    const now = Date.now();
    const stamp = firstRevision(now, by, body);
    const ids = { accountId, workflowId: randomId("wf_", ID_DIGITS) };
    const definition = await newDefinition(http, ids, body, stamp);
    const assertNameFree = () =>
      assertFree(stamp.externalId, null, (id) => workflowAt(http, accountId, id));
    await assertNameFree();
    const workflow = { definition, createdAt: now, updatedAt: now };
    if (dryRun) return recordOf(workflow);
    const most = quotas.workflows;
    const entry = auditedBy(http, caller, "workflow.created", asResource(definition));
    const isStored = await callOnce(() =>
      insertWorkflow(http.env.DB, accountId, workflow, most, entry),
    );
    if (!isStored) await assertNameFree();
    if (!isStored) throw quotaFull("workflows", most);
    return recordOf(workflow);
  },
  replacement: replacementOf,
  async remove(http, caller, { definition }) {
    const { accountId, by } = caller;
    const { workflowId } = definition;
    await pauseSchedulesOf(http, caller, workflowId);
    const entry = auditedBy(http, caller, "workflow.deleted", asResource(definition));
    const change = { now: Date.now(), by };
    await changeWithEndpoints(http.env, accountId, workflowId, () =>
      deleteWorkflow(http.env.DB, accountId, workflowId, change, entry),
    );
  },
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
