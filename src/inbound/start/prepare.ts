import type { PromisedRun } from "../../contract/account.ts";
import type { EndpointConfig } from "../../contract/inbound/endpoint.ts";
import type { Slice, WorkItem, WorkOutcome } from "../../contract/inbound/inbox.ts";
import type { StageError } from "../../contract/inbound/payload.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { WorkflowDefinition } from "../../contract/workflow.ts";
import type { Settings } from "../../env.ts";
import { draftOfWorkflow } from "../../workflows/draft.ts";
import { mapHeld } from "./map-held.ts";

/**
 * Bytes of JSON that the inputs of one run may have: with prompt and schema they are one value of the
 * session's storage, which takes 2 MB and may need two bytes for each character.
 */
export const MAX_INPUT_BYTES = 524_288;

type Handed = Extract<WorkOutcome, { kind: "handed" }>;
type Failed = Extract<WorkOutcome, { kind: "failed" }>;

/** An item of a slice, as the account can take it over, or why it cannot run. */
export type Prepared =
  | { kind: "run"; run: PromisedRun; bytes: number; outcome: Handed }
  | { kind: "failed"; outcome: Failed };

/** What is the same for all that is started in one go. */
export interface StartContext {
  settings: Settings;
  /** Epoch milliseconds. */
  now: number;
}

/** Prepares the items of a slice, in their order; those that were held are mapped here. */
export async function prepareSlice(
  { configs, items }: Slice,
  context: StartContext,
): Promise<Prepared[]> {
  const byVersion = new Map(configs.map((config) => [config.version, config]));
  const prepared: Prepared[] = [];
  for (const item of items) {
    prepared.push(await prepare(item, byVersion.get(item.configVersion), context));
  }
  return prepared;
}

async function prepare(
  item: WorkItem,
  config: EndpointConfig | undefined,
  context: StartContext,
): Promise<Prepared> {
  const { requestId, work } = item;
  const workflow = config?.workflow ?? null;
  if (config === undefined || workflow === null) throw new Error("work without a workflow");
  const promise = { item, endpointId: config.endpointId, workflow };
  // What was promised with its answer begins then; what was held, when it is released.
  if (work.kind === "mapped") {
    const outcome = { requestId, kind: "handed" } as const;
    return runOf({ ...promise, inputs: work.inputs, createdAt: item.receivedAt, outcome }, context);
  }
  const mapped = await mapHeld(work.request, config.mapping, workflow.inputs);
  if (!mapped.ok) return { kind: "failed", outcome: failed(requestId, mapped.errors) };
  const { inputs, warnings } = mapped;
  const outcome = { requestId, kind: "handed", mappedInputs: inputs, warnings } as const;
  return runOf({ ...promise, inputs, createdAt: context.now, outcome }, context);
}

function runOf(
  promised: {
    item: WorkItem;
    endpointId: string;
    workflow: WorkflowDefinition;
    inputs: JsonObject;
    createdAt: number;
    outcome: Handed;
  },
  { settings }: StartContext,
): Prepared {
  const { item, endpointId, workflow, inputs, createdAt, outcome } = promised;
  const { requestId, executionId, origin } = item;
  const bytes = new TextEncoder().encode(JSON.stringify(inputs)).byteLength;
  if (bytes > MAX_INPUT_BYTES) {
    return { kind: "failed", outcome: failed(requestId, [tooLarge(bytes)]) };
  }
  const run = { inputs, origin, inbound: { endpointId, requestId } };
  const draft = draftOfWorkflow(workflow, run, settings);
  return { kind: "run", run: { executionId, createdAt, draft }, bytes, outcome };
}

/** The outcome of a request that will not run. */
export function failed(requestId: string, errors: StageError[]): Failed {
  return { requestId, kind: "failed", errors };
}

function tooLarge(bytes: number): StageError {
  const message = `the mapped inputs have ${bytes} bytes as JSON; at most ${MAX_INPUT_BYTES} can be handed to an agent`;
  return { stage: "mapping", rule: "too_large", message };
}
