import type { Authorized } from "../../contract/account.ts";
import { isIdentityChanged } from "../../contract/managed.ts";
import { firstRevision, nextRevision } from "../../contract/revision.ts";
import {
  type CreateWorkflowBody,
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
  loadWorkflow,
  loadWorkflowByExternalId,
  replaceWorkflow,
  type StoredWorkflow,
  selectWorkflows,
} from "../../records/workflows.ts";
import { draftOfWorkflow } from "../../workflows/draft.ts";
import { checkInputs } from "../../workflows/inputs.ts";
import { actorOf, auditedBy } from "../actor.ts";
import { apiKey, apiKeyVerifiedByHandler } from "../authentication.ts";
import { jsonBody } from "../body.ts";
import { callOnce, callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { fileReader } from "../executions/files.ts";
import { acceptDraft, STARTING } from "../executions/trigger.ts";
import { type Application, assertFree, assertRevision, namedRoutes } from "../external.ts";
import { HttpProblem, invalidByFaults, notFound, quotaFull } from "../problem.ts";
import { randomId } from "../resource.ts";
import { revisionRoutes } from "../revisions.ts";
import { route } from "../route.ts";
import { pauseSchedulesOf } from "../schedules/changes.ts";
import { changeWithEndpoints } from "../webhooks/config-updates.ts";
import {
  changedDefinition,
  contentOf,
  differ,
  newDefinition,
  recordOf,
  replacementOf,
} from "./definition.ts";
import { assertRehearsed } from "./rehearsed.ts";

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
async function workflowAt(http: Http, accountId: string, externalId: string) {
  return await callWithRetry(() => loadWorkflowByExternalId(http.env.DB, accountId, externalId));
}

/** Creates a workflow; a dry run only checks it. */
async function createWorkflow(
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
async function changeWorkflow(
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
async function removeWorkflow(
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
  body: jsonBody(runWorkflowBody, { inputs: { orderId: "1007" } }, { hasFiles: true }),
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
