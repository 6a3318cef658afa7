import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { callbacksSince, hostAlarms, planWakeup } from "../../../src/executions/host-alarms.ts";
import { HOST_SCHEMA } from "../../../src/executions/journal/journal.ts";
import { tableStorage } from "../../support/table-storage.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A timer of JavaScript that is longer fires at once; an alarm may come early. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A host's storage, whose alarm fires, and the wake-ups of its executions: each comes once. */
function hostOf() {
  const { sql } = tableStorage();
  for (const step of HOST_SCHEMA) sql.exec(step);
  const woken: [executionId: string, afterMs: number][] = [];
  const start = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const storage = {
    sql,
    getAlarm: async () => null,
    async setAlarm(at: number | Date) {
      clearTimeout(timer);
      const delay = Math.min(Number(at) - Date.now(), LONGEST_TIMER_MS);
      timer = setTimeout(() => void alarms.handleAlarm(), delay);
    },
  };
  const plan = (executionId: string, at: number | null) => {
    const query = `INSERT INTO heads VALUES (?1, ?2, '{}')
      ON CONFLICT DO UPDATE SET wake_at = excluded.wake_at`;
    sql.exec(query, executionId, at);
  };
  const alarms = hostAlarms(storage, {
    async wake(executionId) {
      woken.push([executionId, Date.now() - start]);
      plan(executionId, null);
      return null;
    },
    save: () => {},
  });
  const owe = (executionId: string, ...pending: { dueAt?: number; checkAt: number }[]) => {
    const at = Math.min(...pending.map(({ checkAt }) => checkAt));
    plan(executionId, at);
    const head = JSON.stringify({ deliveries: { pending } });
    sql.exec("UPDATE heads SET head = ? WHERE execution_id = ?", head, executionId);
    planWakeup(alarms, executionId, at);
  };
  const since = () => callbacksSince(sql, alarms);
  return { alarms, plan, owe, since, woken };
}

it("wakes each execution at its time, however distant", async () => {
  const { alarms, plan, woken } = hostOf();
  const times = [HOUR_MS, DAY_MS, 2 * DAY_MS + 1, 3 * DAY_MS, 3 * DAY_MS + 1, 30 * DAY_MS];
  for (const at of times) plan(`stored ${at}`, Date.now() + at);
  alarms.load();
  for (const at of times) {
    plan(`planned ${at}`, Date.now() + at);
    planWakeup(alarms, `planned ${at}`, Date.now() + at);
  }
  await vi.advanceTimersByTimeAsync(31 * DAY_MS);
  const due = times.flatMap((at) => [`stored ${at}`, `planned ${at}`].map((id) => [id, at]));
  expect(woken.toSorted()).toEqual(due.toSorted());
});

it("keeps no memory for executions that are due in days", () => {
  const { alarms, plan } = hostOf();
  plan("stored", Date.now() + 30 * DAY_MS);
  alarms.load();
  planWakeup(alarms, "planned", Date.now() + 30 * DAY_MS);
  expect([alarms.at("stored"), alarms.at("planned")]).toEqual([null, null]);
});

it("keeps the last change of a stored wake-up that becomes due soon", async () => {
  const { alarms, plan, woken } = hostOf();
  plan("changed", Date.now() + 4 * DAY_MS);
  alarms.load();
  planWakeup(alarms, "changed", Date.now() + HOUR_MS);
  plan("changed", null);
  await vi.advanceTimersByTimeAsync(5 * DAY_MS);
  expect(woken).toEqual([["changed", HOUR_MS]]);
});

it("knows since when a callback is due, whatever was sent for it meanwhile", () => {
  const { plan, owe, since } = hostOf();
  const now = Date.now();
  plan("owes nothing", now);
  expect(since()).toBeNull();
  owe("of older code", { checkAt: now + 1_000 });
  expect(since()).toBe(now + 1_000);
  owe("lost", { dueAt: now - 5_000, checkAt: now + 600_000 }, { dueAt: now, checkAt: now });
  owe("later", { dueAt: now + HOUR_MS, checkAt: now + HOUR_MS });
  expect(since()).toBe(now - 5_000);
  owe("lost", { dueAt: now + 2_000, checkAt: now + 2_000 });
  expect(since()).toBe(now + 1_000);
});
