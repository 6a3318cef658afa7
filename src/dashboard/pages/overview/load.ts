import * as z from "zod";
import type { Prompthook } from "../../../client/prompthook.ts";
import type { UsageQuery } from "../../../client/resource.ts";
import type { ExecutionRow } from "../../../contract/execution.ts";
import type { Page } from "../../context.ts";
import { unless, workflowNamesFor } from "../../lookups.ts";
import { choiceOf, FIRST_STEPS } from "../../session.ts";
import { openDecisions } from "../decisions/routes.tsx";

const DAY_MS = 86_400_000;

/** The time ranges of the overview. */
export const RANGES = [
  { id: "24h", label: "24 hours" },
  { id: "7d", label: "7 days" },
  { id: "30d", label: "30 days" },
] as const;
export type RangeId = (typeof RANGES)[number]["id"];

const rangeId = z.enum(RANGES.map(({ id }) => id));

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

/** Returns the hour of now, with which the charts of an open page end. */
export const currentHour = (): string => new Date().toISOString().slice(0, 13);

const LATEST_EXECUTIONS = 6;
const OPEN_DECISIONS = 5;

/** What the page shows; null for a part that cannot be read. */
export type OverviewData = Awaited<ReturnType<typeof loadOverview>>;

/** Loads the data of the overview, and why parts of it are missing. `now` in epoch milliseconds. */
export async function loadOverview(http: Page, range: RangeId, now: number) {
  const api = http.get("api");
  const query = usageQueryOf(range, now);
  const missing = new Set<string>();
  const [credits, latest, open, usage, webhooks] = await Promise.all([
    part(api.credits(), missing),
    latestOf(api, missing),
    part(openDecisions(api), missing),
    part(api.usage(query), missing),
    part(api.webhooks.allUsage(query), missing),
  ]);
  const workflowNames = await workflowNamesFor(api, latest ?? []);
  const decisions = (open ?? []).slice(0, OPEN_DECISIONS);
  const areStepsDismissed = choiceOf(http, FIRST_STEPS) !== undefined;
  return { credits, latest, workflowNames, decisions, usage, webhooks, areStepsDismissed, missing };
}

/** Loads the newest executions, whose changes make the page load itself again. */
export async function latestOf(
  api: Prompthook,
  missing = new Set<string>(),
): Promise<ExecutionRow[] | null> {
  const listed = await part(api.executions.list({ limit: LATEST_EXECUTIONS }), missing);
  return listed?.executions ?? null;
}

/** Tells whether the account has neither executions nor endpoints, as far as the key may read. */
export function isNewAccount(data: Pick<OverviewData, "latest" | "webhooks">): boolean {
  return data.latest?.length === 0 && data.webhooks?.endpoints.length === 0;
}

/** A part that cannot be read leaves the others. A session that has ended ends the page. */
const part = <Value>(answer: Promise<Value>, missing: Set<string>) =>
  unless(answer, ({ status, message }) => {
    missing.add(message);
    return status !== 401;
  });
