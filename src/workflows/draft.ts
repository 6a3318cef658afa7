import type { SeedDraft } from "../contract/account.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import {
  DEFAULT_CALLBACK_EVENTS,
  DEFAULT_INPUT_TIMEOUT_SECONDS,
  DEFAULT_MAX_STEPS,
  DEFAULT_TIMEOUT_SECONDS,
} from "../contract/trigger.ts";
import type { WorkflowDefinition } from "../contract/workflow.ts";
import type { Settings } from "../env.ts";

/** The inputs of a workflow's execution by name, and its origin. */
export interface WorkflowRun {
  inputs: JsonObject;
  origin: "webhook" | "replay" | "workflow" | "schedule";
  inbound: ExecutionSeed["inbound"];
}

/** Drafts the seed of a workflow's execution; settings that the workflow leaves open get a trigger's defaults. */
export function draftOfWorkflow(
  workflow: WorkflowDefinition,
  { inputs, origin, inbound }: WorkflowRun,
  settings: Settings,
): SeedDraft {
  return {
    v: 1,
    origin,
    workflowId: workflow.workflowId,
    revision: workflow.revision,
    inbound,
    prompt: workflow.prompt,
    inputs: Object.keys(inputs).length === 0 ? null : inputs,
    outputSchema: workflow.outputSchema,
    model: workflow.model ?? settings.DEFAULT_MODEL,
    tools: workflow.tools,
    approvals: workflow.approvals,
    allowedHosts: workflow.allowedHosts,
    connections: workflow.connections,
    interactive: false,
    maxCredits: workflow.maxCredits,
    maxSteps: workflow.maxSteps ?? DEFAULT_MAX_STEPS,
    timeoutSeconds: workflow.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    inputTimeoutSeconds: DEFAULT_INPUT_TIMEOUT_SECONDS,
    metadata: {},
    callback: callbackOf(workflow),
    serviceHosts: workflow.serviceHosts,
    retentionDays: settings.EXECUTION_RETENTION_DAYS,
  };
}

function callbackOf({ callback }: WorkflowDefinition): ExecutionSeed["callback"] {
  if (callback === null) return null;
  const { url, sealedSecret } = callback;
  return { url, sealedSecret, events: [...DEFAULT_CALLBACK_EVENTS] };
}
