import type { Quota } from "../contract/operators.ts";
import type { Components } from "./components.ts";

/** The parts of a quota, in percent, that are told of when they are reached. */
const LEVELS = [80, 100] as const;

/** Looks at the credits and quotas after a change of them, in its turn. */
export function watchLevels(components: Components, now: number): void {
  watchCredits(components, now);
  watchQuota(components, "activeExecutions", components.ledger.live, now);
  watchQuota(components, "storedBytes", components.storageUse.total, now);
}

/** Raises or clears the alert of low credits. It reads memory alone, and writes only on a crossing. */
function watchCredits({ alerts, controls, ledger }: Components, now: number): void {
  const { accountId, name, availableCredits, reservedCredits } = ledger.record();
  // What executions hold comes back or is spent: neither is known yet.
  const left = availableCredits + reservedCredits;
  const threshold = controls.current.creditsLowThreshold;
  const resource = { kind: "account", id: accountId, name } as const;
  const data = { availableCredits, reservedCredits, threshold };
  const trouble = { type: "credits.low", resource, data, page: "/dashboard/usage" } as const;
  alerts.watch(left < threshold, trouble, now);
}

/** Raises or clears the alerts of a quota. It reads memory alone, and writes only on a crossing. */
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
