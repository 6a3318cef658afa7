import type { AccountVitals, OwnUse } from "../contract/account.ts";
import type { AccountOverview, AccountRecord, Quotas } from "../contract/operators.ts";
import { timeOf } from "../lib/execution-id.ts";
import type { Components } from "./components.ts";

/** Returns an account with its balance. */
export function recordOf({ ledger, controls }: Components): AccountRecord {
  return { ...ledger.record(), ...controls.current };
}

/** Returns an account as operators see it. */
export function overviewOf(components: Components): AccountOverview {
  const { erasure } = components.controls;
  return { ...recordOf(components), ...(erasure !== null && { erasure }) };
}

/** Returns the quotas and what the account itself knows of their use. */
export function useOf(
  { controls, ledger, storageUse, inboxGrants }: Components,
  now: number,
): { quotas: Quotas; used: OwnUse } {
  const { total: storedBytes } = storageUse;
  const webhookRequestsPerMinute = inboxGrants.granted(now);
  const used = { storedBytes, activeExecutions: ledger.live, webhookRequestsPerMinute };
  return { quotas: controls.quotas, used };
}

/** Returns what operators watch of an account. */
export function vitalsOf(components: Components): AccountVitals {
  const { ledger, controls, hostLoads, pendingStarts, outbox } = components;
  const [first] = pendingStarts.ids();
  return {
    live: ledger.live,
    fullness: ledger.live / Math.max(1, controls.quotas.activeExecutions),
    hosts: hostLoads.running,
    unstartedSince: first === undefined ? null : timeOf(first),
    rows: outbox.waiting,
  };
}
