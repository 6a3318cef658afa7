import type { Prompthook } from "../../../client/prompthook.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import { mappingBody } from "../../../contract/webhooks/mapping.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { mappingFaults } from "../../../intake/mapping/faults.ts";
import { type FieldTrace, traceField } from "../../../intake/mapping/field.ts";
import { mapPayload } from "../../../intake/mapping/map.ts";
import { type MappingSources, sourcesOf } from "../../../intake/mapping/sources.ts";
import { WorkBudget } from "../../../intake/mapping/work-budget.ts";
import { loggedAddress, loggedHeaders } from "../../../intake/reevaluate.ts";
import { faultsByIssues } from "../../forms/errors.tsx";
import type { Option } from "../../forms/form.ts";
import { requestBodyOf } from "../requests/request-body.tsx";
import { sampleEvent } from "../webhooks/sample-event.ts";

/** A request whose values the editor shows. */
export interface Sample {
  payload: PayloadValue;
  sources: MappingSources;
}

/** The sample that is shown and those to choose from. */
export interface Samples {
  chosen: string;
  options: Option[];
  /** Null for a request that cannot be read, such as one that is not stored whole. */
  sample: Sample | null;
}

const OFFERED = 20;
/** The choice of a made-up request of the endpoint's sender. */
const OF_SENDER = "sender";

/**
 * Loads a request of the log by its id; without one, the newest, else the sender's sample. A page that is
 * only asked for results, at every pause in typing, offers no others.
 */
export async function loadSamples(
  { webhooks }: Prompthook,
  endpoint: EndpointRecord,
  inputs: readonly WorkflowInput[],
  wanted: string,
  isForResults: boolean,
): Promise<Samples> {
  const { endpointId } = endpoint;
  if (isForResults && wanted !== "" && wanted !== OF_SENDER) {
    const sample = await sampleOfEntry(await webhooks.request(endpointId, wanted));
    return { chosen: wanted, options: [], sample };
  }
  const { requests } = await webhooks.requests(endpointId, { limit: OFFERED });
  const isKnown = wanted === OF_SENDER || requests.some(({ requestId }) => requestId === wanted);
  const chosen = isKnown ? wanted : (requests[0]?.requestId ?? OF_SENDER);
  const options = [
    ...requests.map(({ requestId, eventType, method, receivedAt, status }) => ({
      value: requestId,
      label: `${eventType ?? `${method} request`}, ${receivedAt.slice(0, 19).replace("T", " ")} UTC, ${status}`,
    })),
    { value: OF_SENDER, label: "sample of the sender" },
  ];
  const sample =
    chosen === OF_SENDER
      ? sampleOfSender(endpoint, inputs)
      : await sampleOfEntry(await webhooks.request(endpointId, chosen));
  return { chosen, options, sample };
}

async function sampleOfEntry(entry: LogEntry): Promise<Sample | null> {
  const { payload } = await requestBodyOf(entry);
  if (payload === undefined) return null;
  const contentType = entry.headers["content-type"] ?? null;
  const headers = loggedHeaders({ headers: entry.headers, contentType });
  return { payload, sources: sourcesOf(entry.method, loggedAddress(entry), headers) };
}

function sampleOfSender(endpoint: EndpointRecord, inputs: readonly WorkflowInput[]): Sample {
  const { method, headers, payload } = sampleEvent(endpoint, inputs, "sample-1", Date.now());
  return { payload, sources: sourcesOf(method, new URL(endpoint.url), new Headers(headers)) };
}

/** What a mapping makes of a sample. */
export interface Results {
  /** For each field: the values on its way, or what is wrong with it. */
  fields: ({ ok: true; trace: FieldTrace } | { ok: false; message: string })[];
  /** The workflow's inputs by name, as far as the mapping finds them. */
  inputs: Record<string, PayloadValue>;
  /** What is wrong with an input, by its name. */
  faults: ReadonlyMap<string, string>;
  warnings: string[];
}

/** Maps a sample by a mapping as it was typed, right or wrong, and traces each of its fields. */
export async function resultsOf(
  mapping: { auto: boolean; fields: JsonObject[] },
  inputs: WorkflowInput[],
  { payload, sources }: Sample,
): Promise<Results> {
  const fields = [];
  for (const field of mapping.fields) {
    fields.push(await fieldResult(field, inputs, payload, sources));
  }
  const none = { fields, inputs: {}, faults: new Map<string, string>(), warnings: [] };
  const parsed = mappingBody.safeParse(mapping);
  if (!parsed.success || fields.some(({ ok }) => !ok)) return none;
  const mapped = await mapPayload(payload, parsed.data, inputs, sources);
  if (mapped.ok) return { ...none, inputs: mapped.inputs, warnings: mapped.warnings };
  return { ...none, faults: new Map(mapped.faults.map(({ path, message }) => [path, message])) };
}

async function fieldResult(
  field: JsonObject,
  inputs: WorkflowInput[],
  payload: PayloadValue,
  sources: Sample["sources"],
): Promise<Results["fields"][number]> {
  const parsed = mappingBody.safeParse({ auto: false, fields: [field] });
  if (!parsed.success) {
    return { ok: false, message: [...faultsByIssues(parsed.error.issues).values()].join(" ") };
  }
  const [typed] = parsed.data.fields;
  const [fault] = await mappingFaults(parsed.data, inputs);
  if (typed === undefined) return { ok: false, message: "" };
  if (fault !== undefined) return { ok: false, message: fault.message };
  return { ok: true, trace: await traceField(payload, typed, sources, new WorkBudget()) };
}
