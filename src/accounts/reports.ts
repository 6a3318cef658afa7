import type { ExecutionReport } from "../contract/account.ts";
import { NO_RULES } from "../contract/decisions.ts";
import type { TableStorage } from "../durable/storage.ts";
import type { Components } from "./components.ts";
import type { Tell } from "./decision-notices.ts";
import { emitExecution, noteTrouble, waitedBefore } from "./events.ts";
import { watchLevels } from "./levels.ts";

/**
 * Applies what a session reports: its decisions, which `tell` tells people of, its status and its end, with
 * what follows from them. Returns whether a run of a schedule waited for that end.
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
