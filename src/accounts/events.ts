import type { ExecutionReport } from "../contract/account.ts";
import type { AuditEntry } from "../contract/audit.ts";
import { NO_RULES } from "../contract/decisions.ts";
import type { Quota } from "../contract/operators.ts";
import type { TableStorage } from "../durable/rows.ts";
import type { Components } from "./components.ts";
import type { Tell } from "./decision-notices.ts";

const WAITING = "waiting_for_input";

/** Returns whether an execution waited before this report; looked up only if a destination wants to know. */
function waitedBefore({ messages, outbox }: Components, { row }: ExecutionReport): boolean {
  if (row.status !== WAITING) return false;
  return !messages.isWanted(`execution.${WAITING}`) || outbox.waits(row.executionId);
}

/** Sends the destinations the event of an execution that has ended, or now waits and did not before. */
function emitExecution(
  { messages }: Components,
  { row, settle }: ExecutionReport,
  waited: boolean,
): void {
  const { executionId, status, statusDetail, version, workflowId, updatedAt, finishedAt } = row;
  // A rehearsal has no effects outside.
  if (row.origin === "rehearsal") return;
  if (status === "active" || (status === WAITING ? waited : settle === null)) return;
  messages.emit(`execution.${status}`, () => ({
    key: `${executionId}_${version}`,
    at: Date.parse(finishedAt ?? updatedAt),
    page: `/dashboard/executions/${executionId}`,
    data: { executionId, workflowId, status, statusDetail, version },
    notice: {
      title: `${TITLES[status]}: ${row.promptPreview}`,
      facts: [
        ["Status", statusDetail],
        ...(workflowId === null ? [] : [["Workflow", workflowId] satisfies [string, string]]),
        ["Credits", String(row.creditsConsumed)],
      ],
      ...(row.summary !== null && { text: row.summary }),
      links: [],
    },
  }));
}

const TITLES = {
  completed: "Completed",
  failed: "Failed",
  stopped: "Stopped",
  waiting_for_input: "Waits for an answer or an event",
} as const;

/** Notes what an execution reports of its callback and its connections. */
function noteTrouble(
  { alerts }: Components,
  { row: { executionId }, callback, refused = [] }: ExecutionReport,
  now: number,
): void {
  const page = `/dashboard/executions/${executionId}`;
  for (const { connectionId, name } of refused) {
    const resource = { kind: "connection", id: connectionId, name } as const;
    const data = { connectionId, executionId };
    alerts.raise({ type: "connection.needs_attention", resource, data, page }, now);
  }
  if (callback === undefined) return;
  const { host } = new URL(callback.url);
  if (callback.state === "delivered") {
    alerts.clear("callback.failed", host, now);
    return;
  }
  const resource = { kind: "callback", id: host, name: host } as const;
  alerts.raise({ type: "callback.failed", resource, data: { executionId }, page }, now);
}

/** Sends the destinations the event of a change of the account's configuration. */
export function emitConfigChange({ messages }: Components, entry: AuditEntry): void {
  const { entryId, at, by, action, resource, detail } = entry;
  // Signing in, replays, retries and shares change no configuration.
  if (action === "member.signed_in" || ["replay", "retry", "share"].includes(resource.kind)) return;
  messages.emit("config.changed", () => ({
    key: entryId,
    at: Date.parse(at),
    page: "/dashboard/audit",
    data: { entryId, action, resourceKind: resource.kind, resourceId: resource.id },
    full: { ...entry },
    notice: {
      title: `${action.replace(".", " ").replaceAll("_", " ")}: ${resource.name}`,
      facts: [
        ["By", by.name],
        ...Object.entries(detail).map(([name, value]): [string, string] => [name, String(value)]),
      ],
      links: [],
    },
  }));
}

/**
 * Applies the report of a session: its decisions, about which `tell` notifies people, its status and its end.
 * Returns whether a run of a schedule waited for that end.
 */
export function applyReport(
  components: Components,
  storage: Pick<TableStorage, "transactionSync">,
  { report, tell, now }: { report: ExecutionReport; tell: Tell | null; now: number },
): boolean {
  const { row, settle, decisions = [], rules = NO_RULES } = report;
  components.storageUse.reportHost(report);
  if (tell !== null) {
    storage.transactionSync(() => {
      const reported = components.decisions.report(decisions, rules, now);
      for (const each of reported) tell(components, each);
    });
  }
  noteTrouble(components, report, now);
  const waited = waitedBefore(components, report);
  if (!components.ledger.report(report, now)) return false;
  emitExecution(components, report, waited);
  watchLevels(components, now);
  components.hostLoads.reported(row.executionId, row.status);
  if (settle === null) return false;
  components.limitUse.settle(row.executionId, settle, now);
  return components.schedules.ended(row, now);
}

/** The percentages of a quota at which its alerts are raised. */
const LEVELS = [80, 100] as const;

/** Checks the credits and quotas, in the turn that changed them. */
export function watchLevels(components: Components, now: number): void {
  watchCredits(components, now);
  watchQuota(components, "activeExecutions", components.ledger.live, now);
  watchQuota(components, "storedBytes", components.storageUse.total, now);
}

/** Raises or clears the alert of low credits. Reads memory only, and writes only when the alert changes. */
function watchCredits({ alerts, controls, ledger }: Components, now: number): void {
  const { accountId, name, availableCredits, reservedCredits } = ledger.record();
  // Held credits count as left: executions may return them.
  const left = availableCredits + reservedCredits;
  const threshold = controls.current.creditsLowThreshold;
  const resource = { kind: "account", id: accountId, name } as const;
  const data = { availableCredits, reservedCredits, threshold };
  const trouble = { type: "credits.low", resource, data, page: "/dashboard/usage" } as const;
  alerts.watch(left < threshold, trouble, now);
}

/** Raises or clears the alerts of a quota. Reads memory only, and writes only when an alert changes. */
export function watchQuota(
  { alerts, controls }: Components,
  quota: Quota,
  used: number,
  now: number,
): void {
  const limit = controls.quotas[quota];
  for (const percent of LEVELS) {
    const resource = { kind: "quota", id: `${quota}-${percent}`, name: quota } as const;
    const data = { quota, percent, used, limit };
    const trouble = { type: "quota.near", resource, data, page: "/dashboard/usage" } as const;
    alerts.watch(used * 100 >= limit * percent, trouble, now);
  }
}
