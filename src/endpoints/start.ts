import type { PromisedExecution } from "../contract/account.ts";
import {
  fileCallId,
  fileName,
  MAX_FILES,
  MAX_FILES_BYTES,
  mediaType,
  type StoredFile,
} from "../contract/files.ts";
import type { Json } from "../contract/json.ts";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type {
  Acknowledgement,
  ReceivedRequest,
  WorkBatch,
  WorkItem,
} from "../contract/webhooks/inbox.ts";
import type { Mapping } from "../contract/webhooks/mapping.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import type { WorkflowInput } from "../contract/workflow.ts";
import { accountStub, inboxStub } from "../durable/stubs.ts";
import { type Settings, settingsOf } from "../env.ts";
import { loggedPayload, type MappedHeld, mapHeld } from "../intake/logged.ts";
import { filesIn } from "../intake/payload/parse.ts";
import { errorsOf } from "../intake/routing/match.ts";
import { OWN_ROUTE, routesOf } from "../intake/routing/routes.ts";
import { within } from "../lib/async.ts";
import { toBase64 } from "../lib/encoding.ts";
import { tagOf } from "../lib/execution-id.ts";
import { exactJson } from "../lib/json-values.ts";
import { endpointsByTag } from "../records/endpoints.ts";
import { draftOfWorkflow } from "../workflows/draft.ts";

/**
 * Starts an execution of this account that an inbox has accepted and the queue has not delivered yet.
 * Does nothing if it is started. Returns false if the id belongs to no inbox of the account.
 */
export async function startPending(
  env: CloudflareEnv,
  accountId: string,
  executionId: string,
): Promise<boolean> {
  const tag = tagOf(executionId);
  if (tag === null) return false;
  const endpointIds = await endpointsByTag(env.DB, accountId, tag);
  for (const endpointId of endpointIds) {
    await startBatch(env, endpointId, await inboxStub(env, endpointId).pending(executionId));
  }
  return endpointIds.length > 0;
}

const CALL_TIMEOUT_MS = 20_000;
/** Limits of one call to the account: a call carries 32 MiB, and other calls wait for its end. */
const CALL_RUNS = 100;
const CALL_CHARACTERS = 8 * 1_048_576;

/**
 * Starts the work of one endpoint at its account, in order, and acknowledges it at the inbox. Throws if
 * either cannot be reached. Repeating a batch does no harm.
 */
export async function startBatch(
  env: CloudflareEnv,
  endpointId: string,
  batch: WorkBatch,
): Promise<void> {
  const accountId = batch.configs[0]?.accountId;
  if (accountId === undefined) return;
  const configs = new Map(batch.configs.map((config) => [config.version, config]));
  const prepared: Prepared[] = [];
  for (const item of batch.items) {
    prepared.push(await prepare(item, configs.get(item.configVersion), settingsOf(env)));
  }
  for (const part of parts(prepared)) {
    const runs = part.flatMap(({ run }) => run ?? []);
    if (runs.length > 0) {
      const taken = accountStub(env, accountId).acceptBatch(runs);
      const starts = (await within("the account", CALL_TIMEOUT_MS, taken)) ?? false;
      // The executions report within a second, which acknowledges their requests.
      if (starts && batch.isReported && runs.length === part.length) continue;
    }
    const acknowledgements = part.map(({ acknowledgement }) => acknowledgement);
    await acknowledge(env, endpointId, acknowledgements);
  }
}

/** Acknowledges work to the inbox. */
export function acknowledge(
  env: CloudflareEnv,
  endpointId: string,
  acknowledgements: Acknowledgement[],
): Promise<void> {
  const inbox = inboxStub(env, endpointId);
  return within("the inbox", CALL_TIMEOUT_MS, inbox.acknowledge(acknowledgements));
}

/** Reads the work of these requests that is not started yet, as much as one answer carries. */
export function readWork(
  env: CloudflareEnv,
  endpointId: string,
  requestIds: string[],
): Promise<WorkBatch> {
  return within("the inbox", CALL_TIMEOUT_MS, inboxStub(env, endpointId).workBatch(requestIds));
}

/** Splits work, in its order, into parts that one call carries. */
function parts(prepared: readonly Prepared[]): Prepared[][] {
  const found: Prepared[][] = [];
  let length = 0;
  for (const item of prepared) {
    const { inputs, files = [] } = item.run?.draft ?? { inputs: null };
    const data = files.reduce((sum, file) => sum + (file.data?.length ?? 0), 0);
    const more = JSON.stringify(inputs).length + data;
    const last = found.at(-1);
    if (last === undefined || last.length >= CALL_RUNS || length + more > CALL_CHARACTERS) {
      found.push([item]);
      length = more;
    } else {
      last.push(item);
      length += more;
    }
  }
  return found;
}

/** An item of a batch with the execution that it starts, or failed. */
interface Prepared {
  run: PromisedExecution | null;
  acknowledgement: Acknowledgement;
}

/** Prepares an item of a batch. Maps it if it is not mapped yet. */
async function prepare(
  item: WorkItem,
  config: EndpointConfig | undefined,
  settings: Settings,
): Promise<Prepared> {
  const { requestId, executionId, origin, work } = item;
  if (config === undefined) throw new Error("cannot start work: its configuration is missing");
  const route = item.route ?? OWN_ROUTE;
  const from = routesOf(config).find(({ name }) => name === route);
  if (from === undefined) throw new Error(`cannot start work: there is no route "${route}"`);
  const { workflow } = from;
  if (workflow === null) throw new Error("cannot start work: the workflow of its route is deleted");
  const isMappedHere = work.kind !== "mapped";
  const mapped = await mapWork(work, from.mapping, workflow.inputs);
  if (!mapped.ok) return { run: null, acknowledgement: failed(item, mapped.errors) };
  const { inputs, warnings } = mapped;
  const { endpointId } = config;
  const inbound = { endpointId, requestId, eventId: item.eventId ?? null };
  const drafted = draftOfWorkflow(workflow, { inputs, origin, inbound }, settings, config.limits);
  const { traceparent } = item;
  const files = await filesOf(work);
  const draft = {
    ...drafted,
    ...(traceparent !== undefined && { traceparent }),
    ...(files.length > 0 && { v: 2 as const, files }),
  };
  return {
    run: { executionId, draft },
    acknowledgement: {
      requestId,
      executionId,
      kind: "handed",
      ...(isMappedHere && { mappedInputs: inputs, warnings }),
    },
  };
}

/** Returns the acknowledgement of an item that cannot start. */
export function failed(
  { requestId, executionId }: Pick<WorkItem, "requestId" | "executionId">,
  errors: StageError[],
): Acknowledgement {
  return { requestId, executionId, kind: "failed", errors };
}

/** Returns the files of the forms that an execution is made of. */
async function filesOf(work: WorkItem["work"]): Promise<StoredFile[]> {
  if (work.kind === "mapped") return [];
  const requests = work.kind === "unmapped" ? [work.request] : work.requests;
  const found = (await Promise.all(requests.map(filesIn))).flat().slice(0, MAX_FILES);
  let left = MAX_FILES_BYTES;
  const kept = found.filter(({ size }) => {
    const fits = size <= left;
    if (fits) left -= size;
    return fits;
  });
  return Promise.all(
    kept.map(async (file, at) => ({
      name: fileName.safeParse(file.name).data ?? fileCallId(at),
      mediaType: mediaType.safeParse(file.type).data ?? "application/octet-stream",
      sizeBytes: file.size,
      data: toBase64(new Uint8Array(await file.arrayBuffer())),
    })),
  );
}

function mapWork(
  work: WorkItem["work"],
  mapping: Mapping,
  inputs: WorkflowInput[],
): MappedHeld | Promise<MappedHeld> {
  switch (work.kind) {
    case "mapped":
      return { ok: true, inputs: work.inputs, warnings: [] };
    case "unmapped":
      return mapHeld(work.request, mapping, inputs);
    case "gathered":
      return mapGathered(work.requests, mapping, inputs);
  }
}

/** Maps the requests of a case: their payloads are the input `events`, the last one sets the other inputs. */
async function mapGathered(
  requests: readonly ReceivedRequest[],
  mapping: Mapping,
  inputs: WorkflowInput[],
): Promise<MappedHeld> {
  const events: Json[] = [];
  for (const request of requests) {
    const parsed = await loggedPayload(request);
    if (!parsed.ok) return { ok: false, errors: errorsOf("parse", parsed.faults) };
    events.push(exactJson(parsed.payload));
  }
  const last = requests.at(-1);
  const others = inputs.filter(({ name }) => name !== EVENTS);
  const isWhole = others.length === 0 && mapping.fields.length === 0;
  if (last === undefined || isWhole)
    return { ok: true, inputs: { [EVENTS]: events }, warnings: [] };
  const mapped = await mapHeld(last, mapping, others);
  return mapped.ok ? { ...mapped, inputs: { ...mapped.inputs, [EVENTS]: events } } : mapped;
}

/** The input that holds the events of a case. */
const EVENTS = "events";
