import type { Prompthook } from "../../../client/prompthook.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { pathText } from "../../../intake/mapping/payload-path.ts";
import type { Comparable } from "../../../lib/differences.ts";
import { requestBodyOf } from "../requests/request-body.tsx";
import { sampleEvent } from "../webhooks/sample-event.ts";

/** A request whose values the editor shows. */
export interface Sample {
  /** The id of a logged request; null for the sample of the sender. */
  requestId: string | null;
  /** Undefined for a request that is not stored whole or cannot be parsed. */
  payload: PayloadValue | undefined;
  headers: Comparable;
  query: Comparable;
}

/** Loads a request of the log by its id; without one, the newest, else the sender's sample. */
export async function loadSample(
  { webhooks }: Prompthook,
  endpoint: EndpointRecord,
  inputs: readonly WorkflowInput[],
  wanted: string,
): Promise<Sample> {
  const { endpointId } = endpoint;
  const newest = await webhooks.requests(endpointId, { limit: 1 });
  const requestId = wanted || newest.requests[0]?.requestId;
  if (requestId === undefined) {
    const { headers, payload } = sampleEvent(endpoint, inputs, "sample-1", Date.now());
    return { requestId: null, payload, headers: Object.fromEntries(headers), query: {} };
  }
  const entry = await webhooks.request(endpointId, requestId);
  const { payload } = await requestBodyOf(entry);
  return { requestId, payload, headers: entry.headers, query: entry.query };
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
