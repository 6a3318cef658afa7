import type { Quota } from "../contract/quotas.ts";
import type { Components } from "./components.ts";

/** The parts of a quota, in percent, that are told of when they are reached. */
const LEVELS = [80, 100] as const;

/** Looks at the credits and quotas after a change of them, in its turn. */
export function watchLevels(
  components: Pick<Components, "alerts" | "controls" | "ledger" | "storageUse">,
  now: number,
): void {
  watchCredits(components, now);
  watchQuota(components, "activeExecutions", components.ledger.live, now);
  watchQuota(components, "storedBytes", components.storageUse.total, now);
}

/** Raises or clears the alert of low credits. It reads memory alone, and writes only on a crossing. */
function watchCredits(
  { alerts, controls, ledger }: Pick<Components, "alerts" | "controls" | "ledger">,
  now: number,
): void {
  const { accountId, name, availableCredits, reservedCredits } = ledger.record();
  // What executions hold comes back or is spent: neither is known yet.
  const left = availableCredits + reservedCredits;
  const threshold = controls.current.creditsLowThreshold;
  if (left < threshold === alerts.isActive("credits.low", accountId)) return;
  if (left >= threshold) {
    alerts.clear("credits.low", accountId, now);
    return;
  }
  const resource = { kind: "account", id: accountId, name } as const;
  const data = { availableCredits, reservedCredits, threshold };
  alerts.raise({ type: "credits.low", resource, data, page: "/dashboard/usage" }, now);
}

/** Raises or clears the alerts of a quota. It reads memory alone, and writes only on a crossing. */
export function watchQuota(
  { alerts, controls }: Pick<Components, "alerts" | "controls">,
  quota: Quota,
  used: number,
  now: number,
): void {
  const limit = controls.quotas[quota];
  for (const percent of LEVELS) {
    const id = `${quota}-${percent}`;
    const isReached = used * 100 >= limit * percent;
    if (isReached === alerts.isActive("quota.near", id)) continue;
    if (!isReached) {
      alerts.clear("quota.near", id, now);
      continue;
    }
    const resource = { kind: "quota", id, name: quota } as const;
    const data = { quota, percent, used, limit };
    alerts.raise({ type: "quota.near", resource, data, page: "/dashboard/usage" }, now);
  }
}
