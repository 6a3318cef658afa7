import { within } from "../lib/async.ts";
import { selectAudit } from "../records/audit.ts";
import { countEndpoints } from "../records/endpoints.ts";
import { countExecutions } from "../records/executions.ts";
import { countWorkflows } from "../records/workflows.ts";
import type { Components } from "./components.ts";
import { emitConfigChange, watchQuota } from "./events.ts";

const READ_TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
/** By then the executions of a day are in D1. */
const AFTER_MIDNIGHT_MS = 5 * 60_000;
/** Entries get their time before they are stored: those of so long before are looked at again. */
const OVERLAP_MS = 60_000;
const MOST_ENTRIES = 1_000;
const MOST_EXECUTIONS = 1_000_000;

/** Whether a destination is told of what D1 stores. */
export function tellsChanges(destinations: Components["destinations"]): boolean {
  const types = ["config.changed", "quota.near"] as const;
  return types.some((type) => destinations.wanting(type).length > 0);
}

/**
 * Tells of changes that D1 stores, by its audit log since `since`, and of the quotas that they count for.
 * A repeat tells nothing twice: entries have ids. Nothing is read unless a destination takes it.
 */
export async function tellChanges(
  env: CloudflareEnv,
  components: Components,
  since: number,
): Promise<void> {
  const { destinations, ledger } = components;
  const { accountId } = ledger.record();
  if (destinations.wanting("quota.near").length > 0) {
    const counted = Promise.all([
      countEndpoints(env.DB, accountId),
      countWorkflows(env.DB, accountId),
    ]);
    const [endpoints, workflows] = await within("D1", READ_TIMEOUT_MS, counted);
    watchQuota(components, "endpoints", endpoints, Date.now());
    watchQuota(components, "workflows", workflows, Date.now());
  }
  const created = destinations.wanting("config.changed").map(({ updatedAt }) => updatedAt);
  if (created.length === 0) return;
  // What was changed before the first destination took such events is not told.
  const from = Math.max(since - OVERLAP_MS, Math.min(...created));
  const query = { limit: MOST_ENTRIES, after: null, from };
  const entries = await within("D1", READ_TIMEOUT_MS, selectAudit(env.DB, accountId, query));
  for (const entry of entries.reverse()) emitConfigChange(components, entry);
}

/** Tells of the usage of the day that is over. A repeat tells nothing twice. Returns when the next is due. */
export async function tellUsage(
  env: CloudflareEnv,
  { messages, destinations, ledger, placements }: Components,
  now: number,
): Promise<number | null> {
  if (destinations.wanting("usage.daily").length === 0) return null;
  const { accountId } = ledger.record();
  const to = now - (now % DAY_MS);
  const from = to - DAY_MS;
  const account = { accountId, placements: placements.all };
  const day = { from, to, bucketMs: DAY_MS };
  const counting = countExecutions(env, account, day, { most: MOST_EXECUTIONS });
  const { counts } = await within("D1", READ_TIMEOUT_MS, counting);
  const creditsConsumed = counts.reduce((sum, count) => sum + count.creditsConsumed, 0);
  const executions = Object.fromEntries(counts.map((each) => [each.status, each.executions]));
  const date = new Date(from).toISOString().slice(0, 10);
  const { availableCredits } = ledger.record();
  messages.emit("usage.daily", () => ({
    // Unique in the service: one receiver may take the events of several accounts.
    key: `usage_${accountId}_${date}`,
    at: to,
    page: "/dashboard/usage",
    data: { date, creditsConsumed, availableCredits, ...executions },
  }));
  return nextUsage(now);
}

/** Returns when the usage of this day is told (epoch milliseconds). */
export function nextUsage(now: number): number {
  return now - (now % DAY_MS) + DAY_MS + AFTER_MIDNIGHT_MS;
}
