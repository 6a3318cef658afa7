import type { SeedDraft } from "../contract/account.ts";
import type { JsonObject } from "../contract/json.ts";
import { type Limits, limitsOf } from "../contract/operators.ts";
import type { ExecutionSeed, ForkReply } from "../contract/session.ts";
import {
  DEFAULT_CALLBACK_EVENTS,
  DEFAULT_INPUT_TIMEOUT_SECONDS,
  DEFAULT_MAX_STEPS,
  DEFAULT_TIMEOUT_SECONDS,
} from "../contract/trigger.ts";
import type { WorkflowDefinition } from "../contract/workflow.ts";
import type { Settings } from "../env.ts";
import { withDefaults, withScheduledAt } from "./inputs.ts";

/** The inputs of a workflow's execution by name, and its origin. */
export interface WorkflowRun {
  inputs: JsonObject;
  origin: "webhook" | "replay" | "workflow" | "schedule" | "rehearsal";
  inbound: ExecutionSeed["inbound"];
}

/** Returns a draft that names all its fields but those listed as left out: a new one cannot be forgotten. */
export const draftWithout =
  <LeftOut extends keyof SeedDraft>() =>
  <Draft extends SeedDraft>(
    draft: Draft & Record<Exclude<keyof SeedDraft, keyof Draft | LeftOut>, unknown>,
  ): SeedDraft =>
    draft;

/** What neither a workflow nor a trigger sets. */
export type SetLater = "fork" | "keyId" | "rehearsal" | "rowDatabase" | "traceparent";

/** Drafts the seed of a workflow's execution, with the limits of its endpoint if it has one; settings that the workflow leaves open get a trigger's defaults. */
export function draftOfWorkflow(
  workflow: WorkflowDefinition,
  { inputs, origin, inbound }: WorkflowRun,
  settings: Settings,
  endpointLimits: Limits = null,
): SeedDraft {
  const { workflowId, maxCostUsd } = workflow;
  const limits = limitsOf(
    [workflowId, workflow.limits],
    [inbound?.endpointId ?? "", endpointLimits],
  );
  return draftWithout<SetLater | "files">()({
    v: 1,
    origin,
    inbound,
    inputs: Object.keys(inputs).length === 0 ? null : inputs,
    workflowId,
    revision: workflow.revision,
    prompt: workflow.prompt,
    outputSchema: workflow.outputSchema,
    fallbacks: workflow.fallbacks,
    tools: workflow.tools,
    approvals: workflow.approvals,
    allowedHosts: workflow.allowedHosts,
    connections: workflow.connections,
    maxCredits: workflow.maxCredits,
    decisions: workflow.decisions,
    serviceHosts: workflow.serviceHosts,
    model: workflow.model ?? settings.DEFAULT_MODEL,
    isDefaultModel: workflow.model === null,
    ...(limits.length > 0 && { limits }),
    interactive: false,
    ...(maxCostUsd !== null && { maxCostUsd }),
    maxSteps: workflow.maxSteps ?? DEFAULT_MAX_STEPS,
    timeoutSeconds: workflow.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    inputTimeoutSeconds: DEFAULT_INPUT_TIMEOUT_SECONDS,
    metadata: {},
    callback: callbackOf(workflow),
    retentionDays: settings.EXECUTION_RETENTION_DAYS,
  });
}

/** An execution of a schedule, and the time that it stands for, in epoch milliseconds. */
export interface ScheduledRun {
  scheduleId: string;
  inputs: JsonObject;
  scheduledFor: number;
}

/** Drafts the seed of a schedule's execution, which is told the time that it stands for. */
export function draftOfSchedule(
  workflow: WorkflowDefinition,
  { scheduleId, inputs, scheduledFor }: ScheduledRun,
  settings: Settings,
): SeedDraft {
  const given = withDefaults(
    withScheduledAt(inputs, workflow.inputs, scheduledFor),
    workflow.inputs,
  );
  const run = { inputs: given, origin: "schedule" as const, inbound: null };
  const metadata = { scheduleId, scheduledFor: new Date(scheduledFor).toISOString() };
  return { ...draftOfWorkflow(workflow, run, settings), metadata };
}

/** Drafts the seed of a rehearsal on the inputs of an earlier execution: it tells nobody, and asks nobody. */
export function draftOfRehearsal(
  workflow: WorkflowDefinition,
  inputs: JsonObject,
  rehearsal: NonNullable<ExecutionSeed["rehearsal"]>,
  settings: Settings,
): SeedDraft {
  const run = { inputs, origin: "rehearsal" as const, inbound: null };
  const draft = draftOfWorkflow(workflow, run, settings);
  return { ...draft, v: 2, approvals: [], callback: null, rehearsal };
}

/** What a fork has instead of what the execution had that it continues. */
export interface ForkChanges extends Partial<Pick<ExecutionSeed, "tools">> {
  chain?: Pick<ExecutionSeed, "model" | "fallbacks">;
  maxCredits?: number | undefined;
  message?: string | undefined;
}

/** Drafts the seed of a fork, with limits of its own: what it takes over does not count. */
export function draftOfFork(
  { seed, point }: Pick<Extract<ForkReply, { kind: "ready" }>, "seed" | "point">,
  { chain, tools, maxCredits, message }: ForkChanges,
): SeedDraft {
  const { executionId, connections, heldCredits, heldBecause, maxSteps, fork, ...rest } = seed;
  const { accountId: _, createdAt: __, mcpServers: ___, chosen: ____, ...settings } = rest;
  return {
    ...settings,
    ...chain,
    v: 2,
    origin: "api",
    inbound: null,
    tools: tools ?? seed.tools,
    connections: connections.map(({ name }) => name),
    maxCredits: maxCredits ?? (heldBecause === "budget" ? heldCredits : null),
    maxSteps: maxSteps - (fork?.afterStep ?? 0) + point.afterStep,
    fork: { executionId, root: fork?.root ?? executionId, message: message ?? null, ...point },
  };
}

function callbackOf({ callback }: WorkflowDefinition): ExecutionSeed["callback"] {
  if (callback === null) return null;
  const { url, sealedSecret } = callback;
  return { url, sealedSecret, events: [...DEFAULT_CALLBACK_EVENTS] };
}
