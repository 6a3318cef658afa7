import { expect, it } from "vitest";
import { healthOf, type Watched } from "../../../src/http/health.ts";

const NOW = Date.UTC(2026, 10, 24);
const idle = { live: 0, fullness: 0, hosts: 0, slots: [], unstartedSince: null, rows: 0 };
const quiet: Watched = {
  accounts: [idle],
  queuedSince: [],
  callbacksSince: [],
  outcomes: [],
  silent: 0,
};

const verdictOf = (watched: Partial<Watched>, name: string) => {
  const { checks, verdict } = healthOf({ ...quiet, ...watched }, NOW);
  const check = checks.find((each) => each.name === name);
  expect(verdict).toBe(check?.verdict);
  return [check?.value, check?.verdict];
};

it("is well while nothing happens", () => {
  const { verdict, checks } = healthOf(quiet, NOW);
  expect(verdict).toBe("ok");
  expect(checks.map(({ value }) => value)).toEqual(checks.map(() => 0));
});

it("judges each figure that operators watch by its own limits", () => {
  const account = (changes: object) => ({ accounts: [{ ...idle, ...changes }] });
  const ids = { accountId: "acc_1", executionId: "01890000-0000-7000-8000-000000000001" };
  const ended = (status: string, detail: string, count: number) => ({
    ...ids,
    status,
    detail,
    count,
  });
  expect(verdictOf(account({ hosts: 1_000 }), "duration")).toEqual([460_800, "warning"]);
  expect(verdictOf({ queuedSince: [NOW - 61_000] }, "queueLag")).toEqual([61, "warning"]);
  expect(verdictOf({ callbacksSince: [NOW - 600_000] }, "callbackLag")).toEqual([600, "failing"]);
  expect(verdictOf({ callbacksSince: [NOW + 600_000] }, "callbackLag")).toEqual([0, "ok"]);
  const late = account({ unstartedSince: NOW - 600_000 });
  expect(verdictOf(late, "oldestUnstarted")).toEqual([600, "failing"]);
  expect(verdictOf(account({ fullness: 1 }), "liveExecutions")).toEqual([100, "failing"]);
  expect(verdictOf(account({ rows: 10_000 }), "rows")).toEqual([10_000, "warning"]);
  const outcomes = [ended("completed", "done", 7), ended("failed", "model_error", 3)];
  expect(verdictOf({ outcomes }, "failures")).toEqual([30, "warning"]);
  const broken = [ended("completed", "done", 99), ended("failed", "internal_error", 1)];
  expect(verdictOf({ outcomes: broken }, "internalErrors")).toEqual([1, "warning"]);
  expect(verdictOf({ silent: 5 }, "silent")).toEqual([5, "failing"]);
  expect(healthOf({ ...quiet, outcomes }, NOW).errors).toEqual({ model_error: 3 });
});
