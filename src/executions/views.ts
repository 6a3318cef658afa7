import type * as z from "zod";
import {
  type Effect,
  type ExecutionResult,
  type ExecutionRow,
  type ExecutionState,
  forkOf,
} from "../contract/execution.ts";
import type { JsonObject } from "../contract/json.ts";
import { choiceOf } from "../contract/models.ts";
import { type StoredOutput, shownOutput } from "../contract/outputs.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { type ExecutionTask, executionTask } from "../contract/task.ts";
import { iso } from "../lib/instants.ts";
import { preview } from "../lib/text.ts";
import { activeMsAt, type MachineState } from "./machine/state.ts";

/** Returns the fields that every view of an execution has. */
function commonView({ executionId, fork }: ExecutionSeed, state: MachineState) {
  return {
    executionId,
    status: state.status,
    version: state.version,
    creditsConsumed: state.creditsUsed,
    createdAt: iso(state.createdAt),
    finishedAt: state.finishedAt === null ? null : iso(state.finishedAt),
    ...(fork && { forkOf: forkOf.parse(fork) }),
  };
}

/** Returns the execution's status. */
export function statusView(seed: ExecutionSeed, state: MachineState): ExecutionState {
  const ended = state.finishedAt !== null;
  return {
    ...commonView(seed, state),
    statusDetail: state.statusDetail,
    progress: {
      message: state.message,
      stepsCompleted: state.stepsCompleted,
      currentStep: ended ? state.stepsCompleted : state.stepsCompleted + 1,
      // The number of steps is known only at the end.
      percent: state.status === "completed" ? 100 : null,
    },
    startedAt: state.startedAt === null ? null : iso(state.startedAt),
    updatedAt: iso(state.updatedAt),
    activeMs: activeMsAt(state, state.finishedAt ?? state.updatedAt),
    ...questionView(state),
    ...(state.error && { error: state.error }),
  };
}

/** Returns the open question with the id and the choices of its decision. */
function questionView({ question, decision }: MachineState): Pick<ExecutionState, "question"> {
  if (question === null) return {};
  const { decisionId, choices } = decision ?? {};
  return {
    question: { ...question, ...(choices && { choices }), ...(decisionId && { decisionId }) },
  };
}

/** Returns the execution's result; while it waits, the summary is the question, or says for which event. */
export function resultView(
  seed: ExecutionSeed,
  state: MachineState,
  { outputs, effects }: { outputs: StoredOutput[]; effects: Effect[] },
): ExecutionResult {
  const { data, truncated, waitUntil } = state;
  const { status: _, finishedAt, ...common } = commonView(seed, state);
  const path = `/api/v1/agent/trigger/${seed.executionId}/files`;
  const result = {
    ...common,
    presentedResult: {
      summary: state.summary ?? state.question?.text ?? (waitUntil === null ? "" : state.message),
      ...(data !== undefined && { data }),
      ...(truncated && { truncated }),
    },
    outputs: outputs.map((item) => shownOutput(item, `${path}/${item.outputId}`)),
    effects: seed.rehearsal
      ? effects.map((each) => ({ ...each, state: "rehearsed" as const }))
      : effects,
    usage: state.usage,
    model: state.model ?? seed.model,
  };
  const { status, statusDetail } = state;
  if (status === "waiting_for_input")
    return { ...result, status, ...questionView(state), finishedAt: null };
  if (status === "active" || finishedAt === null)
    return { ...result, status: "active", finishedAt: null };
  if (status !== "failed") return { ...result, status, finishedAt };
  const message = result.presentedResult.summary;
  return { ...result, status, finishedAt, error: state.error ?? { code: statusDetail, message } };
}

/** Returns the body of a callback: the result with the event's type and time. */
export function callbackView(
  seed: ExecutionSeed,
  state: MachineState,
  work: { outputs: StoredOutput[]; effects: Effect[] },
) {
  return {
    type: `execution.${state.status}`,
    timestamp: iso(state.finishedAt ?? state.updatedAt),
    ...resultView(seed, state, work),
  };
}

/** Returns the execution's task. A callback secret shows only as `isCallbackSigned`. */
export function taskView(seed: ExecutionSeed, forks: readonly string[] = []): ExecutionTask {
  const { callback, fork = null, decisions, heldCredits, createdAt } = seed;
  // The schema leaves out what the task does not show.
  return executionTask.parse({
    ...seed,
    ...decisions,
    model: choiceOf(seed),
    models: seed.chosen,
    connections: seed.connections.map(({ name }) => name),
    maxCredits: heldCredits,
    callbackUrl: callback?.url ?? null,
    callbackEvents: callback?.events ?? [],
    isCallbackSigned: callback !== null && callback.sealedSecret !== null,
    forkOf: fork,
    forks: [...forks],
    createdAt: iso(createdAt),
  } satisfies z.input<typeof executionTask>);
}

/** The longest value that stands in for its name. */
const SHORT_VALUE = 80;

/**
 * Returns the prompt as lists show it: with short values of inputs in place of their names, which tells
 * the executions of one workflow apart. The agent never sees this text.
 */
function promptWithInputs({ prompt, inputs }: Pick<ExecutionSeed, "prompt" | "inputs">): string {
  return prompt.slice(0, 1_000).replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (reference, name) => {
    const value = inputs !== null && Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    const isPlain = typeof value === "string" || typeof value === "number";
    return isPlain && String(value).length <= SHORT_VALUE ? String(value) : reference;
  });
}

/** Returns inputs as one line of names and values. */
function inputsText(inputs: JsonObject): string {
  return Object.entries(inputs)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

/** Returns the execution's row in lists. */
export function rowView(seed: ExecutionSeed, state: MachineState): ExecutionRow {
  return {
    forkOf: null,
    ...commonView(seed, state),
    statusDetail: state.statusDetail,
    promptPreview: preview(promptWithInputs(seed)),
    inputsPreview: seed.inputs === null ? null : preview(inputsText(seed.inputs)),
    inbound: seed.inbound,
    summary: state.summary === null ? null : preview(state.summary),
    model: state.model ?? seed.model,
    costUsd: state.usage.costUsd ?? null,
    origin: seed.origin,
    workflowId: seed.workflowId,
    keyId: seed.keyId ?? null,
    revision: seed.revision,
    metadata: seed.metadata,
    updatedAt: iso(state.updatedAt),
  };
}
