import { expect, test } from "vitest";
import { HostLoads } from "../../../src/accounts/host-loads.ts";
import { ACCOUNT_SCHEMA } from "../../../src/accounts/schema.ts";
import { migrate } from "../../../src/durable/schema.ts";
import { newExecutionId, slotOf, withSlot } from "../../../src/lib/execution-id.ts";
import { tableStorage } from "../../support/table-storage.ts";

function emptyLoads(): HostLoads {
  const storage = tableStorage();
  migrate(storage, ACCOUNT_SCHEMA);
  return new HostLoads(storage.sql);
}

test("no host gets more than four of a thousand executions that run at once", () => {
  const loads = emptyLoads();
  const ids: string[] = [];
  for (let live = 0; live < 1_000; live += 1) {
    const id = withSlot(newExecutionId(), loads.leastLoaded(live));
    loads.accepted(id);
    ids.push(id);
  }
  const perHost = [...Map.groupBy(ids, slotOf).values()].map((of) => of.length);
  expect(Math.max(...perHost)).toBe(4);
});

test("executions that are chosen together go to the hosts with the fewest", () => {
  const loads = emptyLoads();
  loads.accepted(withSlot(newExecutionId(), 0));
  expect(loads.next(1, 5)).toEqual([1, 2, 3, 0, 1]);
});

test("a host whose executions have ended is used again", () => {
  const loads = emptyLoads();
  const first = withSlot(newExecutionId(), 0);
  loads.accepted(first);
  expect(loads.leastLoaded(1)).toBe(1);
  loads.ended(first);
  expect(loads.leastLoaded(0)).toBe(0);
});
