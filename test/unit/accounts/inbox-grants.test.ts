import { expect, it } from "vitest";
import { Controls } from "../../../src/accounts/controls.ts";
import { InboxGrants, StorageUse } from "../../../src/accounts/quota-use.ts";
import { ACCOUNT_SCHEMA } from "../../../src/accounts/schema.ts";
import type { Quotas } from "../../../src/contract/operators.ts";
import { migrate } from "../../../src/durable/schema.ts";
import { tableStorage } from "../../support/table-storage.ts";

/** The grants of an account with these quotas, over a storage that outlives them. */
function grantsOf(quotas: Partial<Quotas>, storage = tableStorage()) {
  migrate(storage, ACCOUNT_SCHEMA);
  const controls = new Controls(storage);
  controls.change({ quotas });
  const use = new StorageUse(storage.sql, () => 10);
  return { grants: new InboxGrants(controls, use), use, storage };
}

it("gives each inbox a hundredth of the quota at most, all of them together no more than the quota", () => {
  const { grants } = grantsOf({ webhookRequestsPerMinute: 1_000 });
  const wanted = { wanted: 1_000, storedBytes: 0 };
  const given = Array.from({ length: 101 }, (_, n) => grants.grant(`ep_${n % 3}`, wanted, n));
  expect(given.slice(0, 100).every(({ granted }) => granted === 10)).toBe(true);
  expect(given[100]).toMatchObject({ granted: 0, retryAfterSeconds: 60 });
  expect(grants.grant("ep_1", wanted, 60_000)).toMatchObject({ granted: 10 });
});

it("adds up the newest size of each object, also after a restart, to a MiB", () => {
  const { grants, use, storage } = grantsOf({ storedBytes: 4_000_000 });
  use.report("host/1", 1_500_000);
  expect(grants.grant("ep_1", { wanted: 0, storedBytes: 2_000_000 }, 0).full).toBeNull();
  expect(grants.grant("ep_1", { wanted: 0, storedBytes: 2_500_000 }, 0).full).toContain("4000000");
  expect(use.total).toBe(4_000_010);
  expect(grantsOf({}, storage).use.total).toBe(3_500_010);
});
