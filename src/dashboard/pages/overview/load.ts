import * as z from "zod";
import { PrompthookError } from "../../../client/error.ts";
import type { UsageQuery } from "../../../client/paging.ts";
import type { Prompthook } from "../../../client/prompthook.ts";
import type { Credits } from "../../../contract/account.ts";
import type { DecisionRecord } from "../../../contract/decisions.ts";
import type { ExecutionRow } from "../../../contract/execution.ts";
import type { AllWebhookUsage, Usage } from "../../../contract/usage.ts";
import { type WorkflowNames, workflowNamesFor } from "../../lookups.ts";
import { openDecisions } from "../decisions/routes.tsx";

const DAY_MS = 86_400_000;

/** The time ranges of the overview. */
export const RANGES = [
  { id: "24h", label: "24 hours" },
  { id: "7d", label: "7 days" },
  { id: "30d", label: "30 days" },
] as const;
export type RangeId = (typeof RANGES)[number]["id"];

const rangeId = z.enum(["24h", "7d", "30d"]);

/** Reads the range of the page's address; the last 24 hours by default. */
export function readRange(range: string | undefined): RangeId {
  return rangeId.catch("24h").parse(range);
}

/** Returns the API's query for a range that ends at `now` (epoch milliseconds) and includes the current bucket. */
export function usageQueryOf(range: RangeId, now: number): UsageQuery {
  if (range === "24h") return { bucket: "hour" };
  const days = range === "7d" ? 7 : 30;
  return { bucket: "day", from: new Date(now - (days - 1) * DAY_MS).toISOString() };
}

const LATEST_EXECUTIONS = 6;
const OPEN_DECISIONS = 5;

/** The data of a part of the page, or why it cannot be shown. */
export type Part<Value> = { ok: true; value: Value } | { ok: false; why: string };

export interface OverviewData {
  range: RangeId;
  credits: Part<Credits>;
  latest: Part<ExecutionRow[]>;
  workflowNames: WorkflowNames;
  decisions: Part<DecisionRecord[]>;
  usage: Part<Usage>;
  webhooks: Part<AllWebhookUsage>;
}

/** Loads the data of the overview. `now` in epoch milliseconds. */
export async function loadOverview(
  api: Prompthook,
  range: RangeId,
  now: number,
): Promise<OverviewData> {
  const query = usageQueryOf(range, now);
  const [credits, latest, decisions, usage, webhooks] = await Promise.all([
    part(api.credits()),
    latestOf(api),
    part(openDecisions(api).then((open) => open.slice(0, OPEN_DECISIONS))),
    part(api.usage(query)),
    part(api.webhooks.allUsage(query)),
  ]);
  const workflowNames = await workflowNamesFor(api, latest.ok ? latest.value : []);
  return { range, credits, latest, workflowNames, decisions, usage, webhooks };
}

/** Loads the newest executions, whose changes make the page load itself again. */
export function latestOf(api: Prompthook): Promise<Part<ExecutionRow[]>> {
  return part(
    api.executions.list({ limit: LATEST_EXECUTIONS }).then(({ executions }) => executions),
  );
}

/** Tells whether the account has neither executions nor endpoints, as far as the key may read. */
export function isNewAccount({ latest, webhooks }: OverviewData): boolean {
  const isEmpty = latest.ok && latest.value.length === 0;
  return isEmpty && webhooks.ok && webhooks.value.endpoints.length === 0;
}

/** A part that cannot be read leaves the others. A session that has ended ends the page. */
async function part<Value>(answer: Promise<Value>): Promise<Part<Value>> {
  try {
    return { ok: true, value: await answer };
  } catch (error) {
    if (!(error instanceof PrompthookError) || error.status === 401) throw error;
    return { ok: false, why: error.message };
  }
}
