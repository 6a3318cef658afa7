import { expect, test } from "vitest";
import { HostLoads } from "../../../src/accounts/host-loads.ts";
import type { ExecutionStatus } from "../../../src/contract/execution.ts";
import { newExecutionId, slotOf, withSlot } from "../../../src/lib/execution-id.ts";
import { accountStorage } from "../../support/table-storage.ts";

function emptyLoads(): HostLoads {
  return new HostLoads(accountStorage().sql);
}

function accept(loads: HostLoads): string {
  const id = withSlot(newExecutionId(), loads.next(1)[0] ?? 0);
  loads.accepted(id);
  return id;
}

function mostPerHost(ids: readonly string[]): number {
  return Math.max(...[...Map.groupBy(ids, slotOf).values()].map((of) => of.length));
}

test("a thousand concurrent executions fill their hosts, with at most sixteen each", () => {
  const loads = emptyLoads();
  const ids: string[] = [];
  for (let live = 0; live < 1_000; live += 1) ids.push(accept(loads));
  expect(mostPerHost(ids)).toBe(16);
  expect(new Set(ids.map(slotOf)).size).toBe(63);
});

test("executions that wait for input share few hosts, apart from busy ones", () => {
  const loads = emptyLoads();
  const waiting = Array.from({ length: 1_000 }, () => {
    const id = accept(loads);
    loads.reported(id, "waiting_for_input");
    return id;
  });
  expect(new Set(waiting.map(slotOf)).size).toBeLessThanOrEqual(8);
  for (const id of waiting) loads.reported(id, "active");
  const running = Array.from({ length: 500 }, () => accept(loads));
  expect(mostPerHost(running)).toBeLessThanOrEqual(16);
  for (const id of [...waiting, ...running]) loads.reported(id, "completed");
  expect(loads.next(1)).toEqual([0]);
});

test("a new process knows which executions wait", () => {
  const storage = accountStorage();
  const add = (status: ExecutionStatus, slot: number) =>
    storage.sql.exec(
      `INSERT INTO executions (execution_id, held, version, projected, changed_at, row)
       VALUES (?, 0, 1, 0, 0, ?)`,
      withSlot(newExecutionId(), slot),
      JSON.stringify({ status }),
    );
  for (let slot = 0; slot < 8; slot += 1)
    for (let n = 0; n < 16; n += 1) add(slot === 2 ? "waiting_for_input" : "active", slot);
  expect(new HostLoads(storage.sql).next(1)).toEqual([2]);
});

test("executions that are chosen together go to the hosts with the fewest", () => {
  const loads = emptyLoads();
  for (let n = 0; n < 16; n += 1) loads.accepted(withSlot(newExecutionId(), 0));
  expect(loads.next(17)).toEqual([...Array(2).fill([1, 2, 3, 4, 5, 6, 7]).flat(), 1, 2, 3]);
});
