import { describe, expect, it } from "vitest";
import { Schedules } from "../../../src/accounts/schedules.ts";
import type { ScheduleChange, SkipReason, StoredSchedule } from "../../../src/contract/schedule.ts";
import { slotOf } from "../../../src/lib/execution-id.ts";
import { decideRuns } from "../../../src/workflows/due.ts";
import { accountStorage } from "../../support/table-storage.ts";

const MINUTE = 60_000;
const START = 1_800_000_000_000;

function scheduleWith(changes: Partial<StoredSchedule> = {}): StoredSchedule {
  return {
    scheduleId: "sch_00000000000000000000",
    name: null,
    workflowId: "wf_00000000000000000000",
    inputs: {},
    timing: { everySeconds: 60, timeZone: "UTC" },
    overlap: "allow",
    catchUp: "all",
    enabled: true,
    nextAt: START + MINUTE,
    lastRuns: [],
    revision: 1,
    externalId: null,
    managedBy: null,
    createdAt: START,
    updatedAt: START,
    ...changes,
  };
}

function open(changes: Partial<StoredSchedule> = {}) {
  const storage = accountStorage();
  const schedule = scheduleWith(changes);
  /** As a new process finds them. */
  const schedules = () => new Schedules(storage, (count) => Array.from({ length: count }, () => 7));
  schedules().handle({ do: "create", schedule }, START);
  const { scheduleId } = schedule;
  const change = (of: ScheduleChange, now: number) =>
    schedules().handle({ do: "update", scheduleId, change: of }, now).schedules[0];
  const runsAt = (now: number) =>
    schedules()
      .promise(now)
      .flatMap(({ runs }) => runs);
  const idsAt = (now: number) => runsAt(now).map(({ executionId }) => executionId);
  const keep = (now: number, skipped: SkipReason | null = null) =>
    schedules().kept(scheduleId, skipped, now);
  const record = () => schedules().handle({ do: "get", scheduleId }, START).schedules[0];
  /** The account accepts an execution, which is live from then on. */
  const accept = (executionId: string) =>
    storage.sql.exec(
      `INSERT INTO executions (execution_id, held, version, projected, changed_at, row)
       VALUES (?, 1, 1, 1, 0, ?)`,
      executionId,
      JSON.stringify({ status: "active" }),
    );
  /** It has ended, which its report tells. */
  const end = (executionId: string, now: number, status: "completed" | "failed" = "completed") => {
    storage.sql.exec("UPDATE executions SET used = 0 WHERE execution_id = ?", executionId);
    const metadata = { scheduleId };
    return schedules().ended({ executionId, status, metadata, origin: "schedule" }, now);
  };
  return { storage, schedule, schedules, change, runsAt, idsAt, keep, record, accept, end };
}

describe("the runs of a schedule", () => {
  it("keep their ids through crashes until accepted, and happen once", () => {
    const { keep, schedules, idsAt } = open();
    expect(idsAt(START + MINUTE - 1)).toEqual([]);
    const ids = idsAt(START + MINUTE);
    expect(ids).toHaveLength(1);
    expect(idsAt(START + MINUTE)).toEqual(ids);
    expect(idsAt(START + 5 * MINUTE)).toEqual(ids);
    keep(START + MINUTE);
    expect(schedules().nextLook()).toBe(START + 2 * MINUTE);
    expect(idsAt(START + MINUTE)).toEqual([]);
    expect(idsAt(START + 3 * MINUTE)).toHaveLength(2);
  });

  it("stop while it is paused and after it is deleted", () => {
    const { schedule, schedules, idsAt } = open({ enabled: false });
    expect([idsAt(START + MINUTE), schedules().nextLook()]).toEqual([[], null]);
    schedules().handle({ do: "remove", scheduleId: schedule.scheduleId }, START);
    expect(schedules().handle({ do: "list" }, START).schedules).toEqual([]);
  });

  it("happen once when the schedule changes before, while or after they are due", () => {
    const { keep, schedules, change, idsAt } = open();
    expect(change({ inputs: { a: 1 } }, START + MINUTE - 1)?.nextAt).toBe(START + MINUTE);
    expect(change({ enabled: false }, START + MINUTE)?.enabled).toBe(false);
    const ids = idsAt(START + MINUTE);
    expect(ids).toHaveLength(1);
    expect(ids.map(slotOf)).toEqual([7]);
    const hourly = { timing: { everySeconds: 3_600, timeZone: "UTC" } };
    expect(change({ ...hourly, enabled: true }, START + MINUTE + 1)).toMatchObject({
      ...hourly,
      inputs: { a: 1 },
      nextAt: START + 60 * MINUTE,
    });
    expect(idsAt(START + MINUTE + 1)).toEqual(ids);
    keep(START + MINUTE + 2);
    expect(idsAt(START + 2 * MINUTE)).toEqual([]);
    expect(schedules().nextLook()).toBe(START + 60 * MINUTE);
  });
});

describe("the runs that wait for the end of an earlier one", () => {
  it("start one by one as soon as it ends, for their scheduled times", () => {
    const { runsAt, keep, accept, end, schedules, record } = open({ overlap: "queue" });
    const [first] = runsAt(START + MINUTE);
    accept(first?.executionId ?? "");
    keep(START + MINUTE);
    expect(runsAt(START + 2 * MINUTE)).toEqual([]);
    expect(runsAt(START + 3 * MINUTE)).toEqual([]);
    // Nothing looks in between.
    expect(schedules().nextLook()).toBe(START + 4 * MINUTE);
    const over = START + 3 * MINUTE + 1;
    expect(end(first?.executionId ?? "", over)).toBe(true);
    expect(schedules().nextLook()).toBe(over);
    const [second] = runsAt(over);
    expect(second?.scheduledFor).toBe(START + 2 * MINUTE);
    accept(second?.executionId ?? "");
    keep(over);
    expect(schedules().nextLook()).toBe(START + 4 * MINUTE);
    expect(end(second?.executionId ?? "", over + 1)).toBe(true);
    expect(runsAt(over + 1)).toMatchObject([{ scheduledFor: START + 3 * MINUTE }]);
    expect(record()?.lastRuns.map(({ scheduledFor }) => (scheduledFor - START) / MINUTE)).toEqual([
      3, 2, 1,
    ]);
  });

  it("start even if it ends before its acceptance is noted", () => {
    const { runsAt, keep, accept, end, schedules } = open({ overlap: "queue", catchUp: "all" });
    const [first] = runsAt(START + 2 * MINUTE);
    accept(first?.executionId ?? "");
    end(first?.executionId ?? "", START + 2 * MINUTE);
    keep(START + 2 * MINUTE + 1);
    expect(schedules().nextLook()).toBe(START + 2 * MINUTE + 1);
    expect(runsAt(START + 2 * MINUTE + 1)).toMatchObject([{ scheduledFor: START + 2 * MINUTE }]);
  });

  it("do not start at the end of another execution", () => {
    const { runsAt, keep, accept, end } = open({ overlap: "queue" });
    const [first] = runsAt(START + MINUTE);
    accept(first?.executionId ?? "");
    keep(START + MINUTE);
    runsAt(START + 2 * MINUTE);
    expect(end(crypto.randomUUID(), START + 2 * MINUTE)).toBe(false);
  });

  it("keep their count where older code stored no times", () => {
    const { runsAt, storage, schedules } = open({ overlap: "queue", nextAt: null });
    storage.sql.exec("UPDATE schedules SET waiting = 2, look_at = ?", START);
    expect(runsAt(START)).toMatchObject([{ scheduledFor: START }]);
    expect(schedules().handle({ do: "list" }, START).schedules).toHaveLength(1);
  });
});

describe("the last runs of a schedule", () => {
  it("have the time, the execution and its status", () => {
    const { runsAt, keep, accept, end, record } = open({ overlap: "skip" });
    const [run] = runsAt(START + MINUTE);
    const executionId = run?.executionId ?? "";
    const first = { scheduledFor: START + MINUTE, executionId, skipped: null };
    expect(record()?.lastRuns).toEqual([{ ...first, status: null }]);
    accept(executionId);
    keep(START + MINUTE);
    expect(record()?.lastRuns).toEqual([{ ...first, status: "active" }]);
    runsAt(START + 2 * MINUTE);
    const overlap = { executionId: null, status: null, skipped: "overlap" };
    const second = { ...overlap, scheduledFor: START + 2 * MINUTE };
    expect(record()?.lastRuns).toEqual([second, { ...first, status: "active" }]);
    end(executionId, START + 2 * MINUTE, "failed");
    expect(record()?.lastRuns).toEqual([second, { ...first, status: "failed" }]);
  });

  it("are ten, the newest first", () => {
    const { runsAt, record } = open();
    runsAt(START + 12 * MINUTE);
    expect(record()?.lastRuns.map(({ scheduledFor }) => (scheduledFor - START) / MINUTE)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
    ]);
  });

  it.each(["suspended", "workflow_deleted"] as const)(
    "give the reason for a skipped run: %s",
    (why) => {
      const { runsAt, keep, record, idsAt } = open();
      runsAt(START + MINUTE);
      keep(START + MINUTE, why);
      expect(record()?.lastRuns).toEqual([
        { scheduledFor: START + MINUTE, executionId: null, status: null, skipped: why },
      ]);
      expect(idsAt(START + MINUTE)).toEqual([]);
    },
  );
});

describe("the runs due at a time", () => {
  const after = { waiting: [] as number[], isLive: false, now: START + 10 * MINUTE };
  const minutes = (times: readonly number[]) => times.map((at) => (at - START) / MINUTE);
  const decided = (changes: Partial<StoredSchedule>, state: Partial<typeof after> = {}) =>
    decideRuns(scheduleWith(changes), { ...after, ...state });

  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

  it.each([
    ["none", [10], upTo(9)],
    ["last", [10], upTo(9)],
    ["all", upTo(10), []],
  ] as const)("after ten minutes of downtime with catchUp %s are %j", (catchUp, starts, missed) => {
    const due = decided({ catchUp });
    expect(minutes(due.starts)).toEqual(starts);
    expect(minutes(due.skipped.map(({ at }) => at))).toEqual(missed);
    expect(due.skipped.every(({ why }) => why === "missed")).toBe(true);
    expect(due).toMatchObject({ waiting: [], nextAt: START + 11 * MINUTE });
  });

  it.each([
    ["none", [], ["missed"]],
    ["last", [START + MINUTE], []],
  ] as const)("of a single time with catchUp %s are %j", (catchUp, starts, skipped) => {
    const timing = { at: new Date(START + MINUTE).toISOString(), timeZone: "UTC" };
    const due = decided({ timing, catchUp });
    expect(due).toMatchObject({ starts, nextAt: null });
    expect(due.skipped.map(({ why }) => why)).toEqual(skipped);
  });

  it.each([
    ["skip", [], []],
    ["queue", [], upTo(10)],
    ["allow", upTo(10), []],
  ] as const)("while an execution is live with overlap %s are %j", (overlap, starts, waiting) => {
    const due = decided({ overlap }, { isLive: true });
    expect([minutes(due.starts), minutes(due.waiting)]).toEqual([starts, waiting]);
    expect(due.skipped).toHaveLength(overlap === "skip" ? 10 : 0);
  });

  it("are the newest of several with overlap skip, since the others would overlap", () => {
    const due = decided({ overlap: "skip" });
    expect(minutes(due.starts)).toEqual([10]);
    expect(due.skipped.map(({ why }) => why)).toEqual(Array(9).fill("overlap"));
  });

  it("start one by one, oldest first", () => {
    const waiting = [START - 2, START - 1];
    expect(decided({ overlap: "queue" }, { waiting, now: START })).toMatchObject({
      starts: [START - 2],
      waiting: [START - 1],
    });
  });

  it("wait in a queue of at most a hundred, which skips newer ones", () => {
    const waiting = Array.from({ length: 98 }, (_, at) => START - 98 + at);
    const due = decided({ overlap: "queue" }, { waiting, isLive: true });
    expect(due.waiting.slice(0, 98)).toEqual(waiting);
    expect(minutes(due.waiting.slice(98))).toEqual([1, 2]);
    expect(due.skipped.map(({ at, why }) => [(at - START) / MINUTE, why])).toEqual(
      upTo(10)
        .slice(2)
        .map((minute) => [minute, "queue_full"]),
    );
  });
});
