import { expect, it } from "vitest";
import { LimitUse } from "../../../src/accounts/quota-use.ts";
import { ACCOUNT_SCHEMA } from "../../../src/accounts/schema.ts";
import type { LimitOf } from "../../../src/contract/operators.ts";
import { tableStorage } from "../../support/table-storage.ts";

const HOUR_MS = 3_600_000;

const limit = (changes: Partial<LimitOf>): LimitOf[] => [
  { resourceId: "wf_1", onExceeded: "fail", ...changes },
];

function newUse() {
  const { sql } = tableStorage();
  sql.exec(ACCOUNT_SCHEMA.find((step) => step.includes("limit_use")) ?? "");
  return new LimitUse(sql);
}

it("counts the executions that started within the last hour, each once", () => {
  const use = newUse();
  const limits = limit({ executionsPerHour: 2 });
  use.start("a", limits, 0);
  use.start("a", limits, 1);
  expect(use.reached(limits, 10)).toBeNull();
  use.start("b", limits, 30 * 60_000);
  expect(use.reached(limits, HOUR_MS - 1)).toContain("2 executions an hour of wf_1");
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

it("lets an execution that was counted pass, however many came after it", () => {
  const use = newUse();
  const limits = limit({ executionsPerHour: 1 });
  use.start("a", limits, 0);
  expect(use.newlyReached("a", limits, 1)).toBeNull();
  expect(use.newlyReached("b", limits, 1)).toContain("1 executions an hour");
});

it("keeps the use of one workflow apart from that of another", () => {
  const use = newUse();
  use.start("a", limit({ executionsPerHour: 1 }), 0);
  expect(use.reached(limit({ resourceId: "wf_2", executionsPerHour: 1 }), 1)).toBeNull();
});

it("forgets what is in no window any more, and nothing else", () => {
  const use = newUse();
  const limits = limit({ executionsPerHour: 1 });
  use.start("a", limits, 0);
  use.settle("a", 1, 1);
  use.prune(23 * HOUR_MS);
  expect(use.newlyReached("a", limits, 10)).toBeNull();
  use.prune(25 * HOUR_MS);
  expect(use.reached(limits, 10)).toBeNull();
});
