import type { PromisedRun } from "../../contract/account.ts";
import type { EndpointConfig } from "../../contract/inbound/endpoint.ts";
import type { Slice, WorkItem, WorkOutcome } from "../../contract/inbound/inbox.ts";
import type { StageError } from "../../contract/inbound/payload.ts";
import type { Settings } from "../../env.ts";
import { draftOfWorkflow } from "../../workflows/draft.ts";
import { timeOf } from "../inbox/execution-id.ts";
import { mapHeld } from "./map-held.ts";

type Handed = Extract<WorkOutcome, { kind: "handed" }>;
type Failed = Extract<WorkOutcome, { kind: "failed" }>;

/** An item of a slice, as the account can take it over, or why it cannot run. */
export type Prepared =
  | { kind: "run"; run: PromisedRun; outcome: Handed }
  | { kind: "failed"; outcome: Failed };

/** Prepares the items of a slice, in their order; those that were held are mapped here. */
export async function prepareSlice(
  { configs, items }: Slice,
  settings: Settings,
): Promise<Prepared[]> {
  const byVersion = new Map(configs.map((config) => [config.version, config]));
  const prepared: Prepared[] = [];
  for (const item of items) {
    prepared.push(await prepare(item, byVersion.get(item.configVersion), settings));
  }
  return prepared;
}

async function prepare(
  item: WorkItem,
  config: EndpointConfig | undefined,
  settings: Settings,
): Promise<Prepared> {
  const { requestId, executionId, origin, work } = item;
  const workflow = config?.workflow ?? null;
  if (config === undefined || workflow === null) throw new Error("work without a workflow");
  const isHeld = work.kind === "unmapped";
  const mapped = isHeld
    ? await mapHeld(work.request, config.mapping, workflow.inputs)
    : { ok: true as const, inputs: work.inputs, warnings: [] };
  if (!mapped.ok) return { kind: "failed", outcome: failed(requestId, mapped.errors) };
  const { inputs, warnings } = mapped;
  const inbound = { endpointId: config.endpointId, requestId };
  const draft = draftOfWorkflow(workflow, { inputs, origin, inbound }, settings);
  // By the inbox's clock: so lists show them in the order in which they were promised or released.
  const createdAt = timeOf(executionId);
  return {
    kind: "run",
    run: { executionId, createdAt, draft },
    outcome: { requestId, kind: "handed", ...(isHeld && { mappedInputs: inputs, warnings }) },
  };
}

/** The outcome of a request that will not run. */
export function failed(requestId: string, errors: StageError[]): Failed {
  return { requestId, kind: "failed", errors };
}
