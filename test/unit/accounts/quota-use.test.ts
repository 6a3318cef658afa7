import { expect, it } from "vitest";
import { Controls } from "../../../src/accounts/controls.ts";
import { InboxGrants, LimitUse, StorageUse } from "../../../src/accounts/quota-use.ts";
import { ACCOUNT_SCHEMA } from "../../../src/accounts/schema.ts";
import type { LimitOf, Quotas } from "../../../src/contract/operators.ts";
import { migrate } from "../../../src/durable/schema.ts";
import { accountStorage, tableStorage } from "../../support/table-storage.ts";

const HOUR_MS = 3_600_000;

const limit = (changes: Partial<LimitOf>): LimitOf[] => [
  { resourceId: "wf_1", onExceeded: "fail", ...changes },
];

function newUse() {
  return new LimitUse(accountStorage().sql);
}

it("counts each execution of a workflow within the last hour once", () => {
  const use = newUse();
  const limits = limit({ executionsPerHour: 2 });
  use.start("a", limits, 0);
  use.start("a", limits, 1);
  expect(use.reached(limits, 10)).toBeNull();
  use.start("b", limits, 30 * 60_000);
  expect(use.reached(limits, HOUR_MS - 1)).toContain("2 executions an hour of wf_1");
  const ofAnother = limit({ resourceId: "wf_2", executionsPerHour: 2 });
  expect(use.reached(ofAnother, HOUR_MS - 1)).toBeNull();
  expect(use.reached(limits, HOUR_MS + 1)).toBeNull();
});

it("counts the credits of executions that ended within the last day", () => {
  const use = newUse();
  const limits = limit({ creditsPerDay: 10 });
  use.start("a", limits, 0);
  expect(use.reached(limits, 1)).toBeNull();
  use.settle("a", 10, HOUR_MS);
  use.settle("a", 20, HOUR_MS);
  expect(use.reached(limits, 25 * HOUR_MS - 1)).toContain("10 credits a day");
  expect(use.reached(limits, 25 * HOUR_MS + 1)).toBeNull();
});

it("lets a counted execution pass, however many follow", () => {
  const use = newUse();
  const limits = limit({ executionsPerHour: 1 });
  use.start("a", limits, 0);
  expect(use.newlyReached("a", limits, 1)).toBeNull();
  expect(use.newlyReached("b", limits, 1)).toContain("1 execution an hour");
});

it("forgets only executions outside every window", () => {
  const use = newUse();
  const limits = limit({ executionsPerHour: 1 });
  use.start("a", limits, 0);
  use.settle("a", 1, 1);
  use.prune(23 * HOUR_MS);
  expect(use.newlyReached("a", limits, 10)).toBeNull();
  use.prune(25 * HOUR_MS);
  expect(use.reached(limits, 10)).toBeNull();
});

/** The grants of an account with these quotas, over a storage that outlives them. */
function grantsOf(quotas: Partial<Quotas>, storage = tableStorage()) {
  migrate(storage, ACCOUNT_SCHEMA);
  const controls = new Controls(storage);
  controls.change({ quotas });
  const use = new StorageUse(storage.sql, () => 10);
  return { grants: new InboxGrants(controls, use), use, storage };
}

it("grants each inbox at most a hundredth of the quota, and all of them no more than the quota", () => {
  const { grants } = grantsOf({ webhookRequestsPerMinute: 1_000 });
  const wanted = { wanted: 1_000, storedBytes: 0 };
  const given = Array.from({ length: 101 }, (_, n) => grants.grant(`ep_${n % 3}`, wanted, n));
  expect(given.slice(0, 100).every(({ granted }) => granted === 10)).toBe(true);
  expect(given[100]).toMatchObject({ granted: 0, retryAfterSeconds: 60 });
  expect(grants.grant("ep_1", wanted, 60_000)).toMatchObject({ granted: 10 });
});

it("adds up the latest size of each object to a MiB, even after a restart", () => {
  const { grants, use, storage } = grantsOf({ storedBytes: 4_000_000 });
  use.report("host/1", 1_500_000);
  expect(grants.grant("ep_1", { wanted: 0, storedBytes: 2_000_000 }, 0).full).toBeNull();
  expect(grants.grant("ep_1", { wanted: 0, storedBytes: 2_500_000 }, 0).full).toContain("4000000");
  expect(use.total).toBe(4_000_010);
  expect(grantsOf({}, storage).use.total).toBe(3_500_010);
});
