import type { Prompthook } from "../../../client/prompthook.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { pathText } from "../../../intake/mapping/payload-path.ts";
import { type MappingSources, sourcesOf } from "../../../intake/mapping/sources.ts";
import { loggedAddress, loggedHeaders } from "../../../intake/reevaluate.ts";
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
const OF_SENDER = { value: "sender", label: "sample of the sender" };

/** Loads a request of the log by its id; without one, the newest, else the sender's sample. */
export async function loadSamples(
  { webhooks }: Prompthook,
  endpoint: EndpointRecord,
  inputs: readonly WorkflowInput[],
  wanted: string,
): Promise<Samples> {
  const { endpointId } = endpoint;
  const { requests } = await webhooks.requests(endpointId, { limit: OFFERED });
  const offered = requests.map(({ requestId, eventType, method, receivedAt, status }) => ({
    value: requestId,
    label: `${eventType ?? `${method} request`}, ${receivedAt.slice(0, 19).replace("T", " ")} UTC, ${status}`,
  }));
  const options = [...offered, OF_SENDER];
  const chosen = (options.find(({ value }) => value === wanted) ?? options[0])?.value ?? "";
  const sample =
    chosen === OF_SENDER.value
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

/** The most paths that are suggested, and the most items of one list among them. */
const MAX_PATHS = 400;
const MAX_ITEMS = 5;
const MAX_LEVELS = 12;

/** Returns the paths of a payload's values, outer ones first. */
export function pathsIn(payload: PayloadValue): string[] {
  let level: [path: (string | number)[], value: PayloadValue][] = [[[], payload]];
  const paths: string[] = [];
  for (let depth = 0; depth < MAX_LEVELS && paths.length < MAX_PATHS; depth += 1) {
    level = level.flatMap(([path, value]) =>
      membersOf(value).map(([step, item]): (typeof level)[number] => [[...path, step], item]),
    );
    paths.push(...level.map(([path]) => pathText(path)));
  }
  return paths.slice(0, MAX_PATHS);
}

/** Returns the members that a path can name; of a list, the first ones. */
function membersOf(value: PayloadValue): [string | number, PayloadValue][] {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item, at) => [at, item]);
  return Object.entries(value).filter(([name]) => name !== "");
}
