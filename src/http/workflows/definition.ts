import { CALLBACK_SECRET_CONTEXT } from "../../contract/callbacks.ts";
import { decisionRules, NO_RULES } from "../../contract/decisions.ts";
import { chainOf, choiceOf } from "../../contract/models.ts";
import { NO_STAMP, type RevisionStamp, withIdentity } from "../../contract/revision.ts";
import type { Fault } from "../../contract/webhooks/payload.ts";
import {
  type CreateWorkflowBody,
  storedWorkflow,
  type UpdateWorkflowBody,
  updateWorkflowBody,
  type WorkflowContent,
  type WorkflowDefinition,
  type WorkflowRecord,
  workflowContent,
} from "../../contract/workflow.ts";
import { type Settings, settingsOf } from "../../env.ts";
import { iso } from "../../lib/instants.ts";
import { isSealedAs } from "../../lib/secrets.ts";
import { last4 } from "../../lib/text.ts";
import { loadWorkflow, type StoredWorkflow } from "../../records/workflows.ts";
import { definitionFaults, templateFault } from "../../workflows/inputs.ts";
import {
  assertAddress,
  assertModels,
  assertNotified,
  assertOutputSchema,
  assertTools,
  sealSecret,
  serviceHosts,
} from "../agent-settings.ts";
import { apiKey } from "../authentication.ts";
import type { Http } from "../context.ts";
import { changedFields, shownFields, someOf, withoutNull } from "../external.ts";
import { callWithRetry, foundOr404, invalidByFaults } from "../problem.ts";
import { restoredBody } from "../revisions.ts";

/** The path of the API of workflows. */
export const WORKFLOWS = "/api/v1/workflows";

export const reader = apiKey("workflows:read", "management");
/** Returns a workflow of the account, or throws a 404. */
export async function existingWorkflow(http: Http, accountId: string, workflowId: string) {
  return foundOr404(await callWithRetry(() => loadWorkflow(http.env.DB, accountId, workflowId)));
}

/** The settings of a workflow whose body says nothing of them. */
const SETTINGS = {
  inputs: [],
  tools: null,
  approvals: [],
  allowedHosts: null,
  connections: [],
  maxCredits: null,
  maxCostUsd: null,
  limits: null,
  maxSteps: null,
  timeoutSeconds: null,
  outputSchema: null,
  expect: null,
  rehearseBeforeSave: false,
};

/** Returns a new workflow. Throws a 400 for one that this deployment cannot run. */
export function newDefinition(
  http: Http,
  { accountId, workflowId }: { accountId: string; workflowId: string },
  body: CreateWorkflowBody,
  stamp: RevisionStamp,
): Promise<WorkflowDefinition> {
  const { name, prompt } = body;
  const blank: WorkflowDefinition = {
    v: 1,
    workflowId,
    name,
    prompt,
    ...SETTINGS,
    callback: null,
    model: null,
    fallbacks: [],
    decisions: NO_RULES,
    serviceHosts: [],
    ...stamp,
  };
  // The stamp has the identity of the body.
  const { externalId: _, managedBy: __, ...settings } = body;
  return changedDefinition(http, accountId, blank, settings);
}

/** Returns a workflow with the fields of the body replaced; null clears an optional one. Throws as above. */
export async function changedDefinition(
  http: Http,
  accountId: string,
  before: WorkflowDefinition,
  body: UpdateWorkflowBody,
): Promise<WorkflowDefinition> {
  const settings = settingsOf(http.env);
  const { name = before.name, prompt = before.prompt, model } = body;
  const definition: WorkflowDefinition = {
    ...before,
    name,
    prompt,
    ...changedFields(body, SETTINGS),
    ...(model !== undefined && (model === null ? { model, fallbacks: [] } : chainOf(model))),
    callback: await callbackOf(before.callback, body, settings),
    decisions: decisionRules.parse({ ...before.decisions, ...changedFields(body, NO_RULES) }),
    serviceHosts: serviceHosts(http.req.url, settings),
    ...withIdentity(before, body),
  };
  await assertRunnable(definition, http, accountId);
  return definition;
}

/** The fields that null clears, and that say nothing of who keeps the workflow. */
const CLEARED = Object.keys(updateWorkflowBody.shape).filter(
  (name) => !["externalId", "managedBy"].includes(name),
);

/** Returns the change that makes a workflow have these settings and no others. */
export function replacementOf(settings: object): UpdateWorkflowBody {
  const cleared = Object.fromEntries(CLEARED.map((name) => [name, null]));
  return restoredBody(updateWorkflowBody, { ...cleared, ...settings });
}

/** Returns whether two definitions have different settings, whatever their revisions are. */
export function differ(before: WorkflowDefinition, after: WorkflowDefinition): boolean {
  return settingsText(before) !== settingsText(after);
}

function settingsText(definition: WorkflowDefinition): string {
  // The service's own addresses are no setting.
  return JSON.stringify(storedWorkflow.parse({ ...definition, ...NO_STAMP, serviceHosts: [] }));
}

/** Returns the workflow as the API shows it. */
export function recordOf({ definition, createdAt, updatedAt }: StoredWorkflow): WorkflowRecord {
  const { workflowId, revision, externalId, managedBy } = definition;
  return {
    workflowId,
    ...contentOf(definition),
    revision,
    externalId,
    managedBy,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
}

/** Returns the settings of a workflow as the API shows them, without those that it does not have. */
export function contentOf({
  callback,
  model,
  fallbacks,
  decisions,
  ...definition
}: WorkflowDefinition): WorkflowContent {
  const { name, prompt, inputs, approvals, connections, rehearseBeforeSave } = definition;
  const { notify, escalateTo, remindAfterSeconds, onTimeout } = decisions;
  const shown = shownFields(workflowContent, {
    ...definition,
    callbackUrl: callback?.url ?? null,
    callbackSecret:
      callback?.sealedSecret == null ? null : { set: true as const, last4: callback.last4 },
    model: model === null ? null : choiceOf({ model, fallbacks }),
    approvals: someOf(approvals),
    connections: someOf(connections),
    rehearseBeforeSave: rehearseBeforeSave || null,
    notify: someOf(notify),
    remindAfterSeconds,
    escalateTo: someOf(escalateTo),
    onTimeout: onTimeout === NO_RULES.onTimeout ? null : onTimeout,
  });
  return { ...withoutNull(shown), name, prompt, inputs };
}

type Callback = WorkflowDefinition["callback"];

const NO_SECRET = { sealedSecret: null, last4: "" };

async function callbackOf(
  before: Callback,
  { callbackUrl, callbackSecret }: Pick<UpdateWorkflowBody, "callbackUrl" | "callbackSecret">,
  settings: Settings,
): Promise<Callback> {
  const { url: known, ...kept } = before ?? { url: null, ...NO_SECRET };
  const url = callbackUrl === undefined ? known : callbackUrl;
  const secret = callbackSecret === undefined ? kept : await sealed(callbackSecret, kept, settings);
  return url === null && secret.sealedSecret === null ? null : { url, ...secret };
}

type Sealed = Omit<NonNullable<Callback>, "url">;

async function sealed(secret: string | null, kept: Sealed, settings: Settings): Promise<Sealed> {
  if (secret === null) return NO_SECRET;
  const keys = settings.ENCRYPTION_KEY;
  // The same secret is no change.
  if (await isSealedAs(secret, kept.sealedSecret, keys, CALLBACK_SECRET_CONTEXT)) return kept;
  const sealedSecret = await sealSecret(secret, CALLBACK_SECRET_CONTEXT, settings);
  return { sealedSecret, last4: last4(secret) };
}

async function assertRunnable(definition: WorkflowDefinition, { env }: Http, accountId: string) {
  const settings = settingsOf(env);
  const { callback, inputs, model, fallbacks, outputSchema, tools } = definition;
  const names = inputs.map(({ name }) => name);
  const reference = templateFault(definition.prompt, names);
  const faults: Fault[] = [...definitionFaults(inputs), ...(reference === null ? [] : [reference])];
  if (faults.length > 0) throw invalidByFaults(faults);
  if (model !== null) await assertModels({ model, fallbacks }, env, accountId);
  if (tools !== null) assertTools(tools, settings);
  if (outputSchema !== null) assertOutputSchema(outputSchema);
  await assertNotified(definition.decisions, env, accountId);
  if (callback?.url != null)
    assertAddress("callbackUrl", callback.url, definition.serviceHosts, settings);
}
