import * as z from "zod";
import { PrompthookError } from "../../../client/error.ts";
import type { UsageQuery } from "../../../client/paging.ts";
import type { Prompthook } from "../../../client/prompthook.ts";
import type { Credits } from "../../../contract/account.ts";
import type { ExecutionRow } from "../../../contract/execution.ts";
import type { LogEntry } from "../../../contract/inbound/log.ts";
import type { AllWebhookUsage, Usage } from "../../../contract/usage.ts";
import { namesFor, type WorkflowNames } from "../../lookups.ts";

const DAY_MS = 86_400_000;

/** The spans of time that the overview can show. */
export const RANGES = [
  { id: "24h", label: "24 hours" },
  { id: "7d", label: "7 days" },
  { id: "30d", label: "30 days" },
] as const;
export type RangeId = (typeof RANGES)[number]["id"];

const rangeId = z.enum(["24h", "7d", "30d"]);

/** The span that an address names; the usual one where it names none that there is. */
export function readRange(range: string | undefined): RangeId {
  return rangeId.catch("24h").parse(range);
}

export function rangePath(range: RangeId): string {
  return range === "24h" ? "/dashboard" : `/dashboard?range=${range}`;
}

/** What the API is asked for a span that ends now (epoch milliseconds), today or this hour included. */
export function usageQueryOf(range: RangeId, now: number): UsageQuery {
  if (range === "24h") return { bucket: "hour" };
  const days = range === "7d" ? 7 : 30;
  return { bucket: "day", from: new Date(now - (days - 1) * DAY_MS).toISOString() };
}

const LATEST_RUNS = 6;
const LATEST_REFUSED = 6;
const WAITING_RUNS = 5;
/** Endpoints whose refused requests are asked for: those that refused most. */
const REFUSING_ENDPOINTS = 4;

/** A part of the page: what it is made of, or why it cannot be shown. */
export type Part<Value> = { ok: true; value: Value } | { ok: false; why: string };

export interface Refused {
  entry: LogEntry;
  endpointName: string;
}

export interface OverviewData {
  range: RangeId;
  credits: Part<Credits>;
  latest: Part<ExecutionRow[]>;
  workflowNames: WorkflowNames;
  waiting: Part<ExecutionRow[]>;
  usage: Part<Usage>;
  webhooks: Part<AllWebhookUsage>;
  refused: Part<Refused[]>;
}

/** Asks for all that the overview shows, at once where that is possible. `now` in epoch milliseconds. */
export async function loadOverview(
  api: Prompthook,
  range: RangeId,
  now: number,
): Promise<OverviewData> {
  const query = usageQueryOf(range, now);
  const [credits, latest, waiting, usage, webhooks] = await Promise.all([
    part(api.credits()),
    part(runs(api, { limit: LATEST_RUNS })),
    part(runs(api, { limit: WAITING_RUNS, status: ["waiting_for_input"] })),
    part(api.usage(query)),
    part(api.webhooks.allUsage(query)),
  ]);
  const shown = [...(latest.ok ? latest.value : []), ...(waiting.ok ? waiting.value : [])];
  const workflowNames = await namesFor(api, shown);
  const refused = webhooks.ok ? await part(latestRefused(api, webhooks.value)) : webhooks;
  return { range, credits, latest, workflowNames, waiting, usage, webhooks, refused };
}

/** Whether nothing was ever run or received here; what cannot be read may well be something. */
export function isUntouched({ latest, webhooks }: OverviewData): boolean {
  const hasNoRun = latest.ok && latest.value.length === 0;
  return hasNoRun && webhooks.ok && webhooks.value.endpoints.length === 0;
}

/** One part that cannot be read does not take the others away. A session that has ended does. */
async function part<Value>(answer: Promise<Value>): Promise<Part<Value>> {
  try {
    return { ok: true, value: await answer };
  } catch (error) {
    if (!(error instanceof PrompthookError) || error.status === 401) throw error;
    return { ok: false, why: error.message };
  }
}

async function runs(
  api: Prompthook,
  query: Parameters<Prompthook["executions"]["list"]>[0],
): Promise<ExecutionRow[]> {
  return (await api.executions.list(query)).executions;
}

async function latestRefused(api: Prompthook, usage: AllWebhookUsage): Promise<Refused[]> {
  const refusing = usage.endpoints
    .filter(({ requests }) => requests.rejected > 0)
    .sort((a, b) => b.requests.rejected - a.requests.rejected)
    .slice(0, REFUSING_ENDPOINTS);
  const found = await Promise.all(
    refusing.map(async ({ endpointId, name }) => {
      const { requests } = await api.webhooks.requests(endpointId, {
        status: ["rejected"],
        limit: LATEST_REFUSED,
        // The first millisecond of the range included.
        receivedAfter: new Date(Date.parse(usage.from) - 1).toISOString(),
      });
      return requests.map((entry) => ({ entry, endpointName: name }));
    }),
  );
  return found
    .flat()
    .sort((a, b) => Date.parse(b.entry.receivedAt) - Date.parse(a.entry.receivedAt))
    .slice(0, LATEST_REFUSED);
}
