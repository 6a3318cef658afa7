import { describe, expect, it } from "vitest";
import { Schedules } from "../../../src/accounts/schedules.ts";
import { ACCOUNT_SCHEMA } from "../../../src/accounts/schema.ts";
import type { ScheduleChange, StoredSchedule } from "../../../src/contract/schedule.ts";
import { migrate } from "../../../src/durable/schema.ts";
import { slotOf } from "../../../src/lib/execution-id.ts";
import { decideRuns } from "../../../src/workflows/due.ts";
import { tableStorage } from "../../support/table-storage.ts";

const MINUTE = 60_000;
const START = 1_800_000_000_000;

function scheduleWith(changes: Partial<StoredSchedule> = {}): StoredSchedule {
  return {
    scheduleId: "sch_00000000000000000000",
    workflowId: "wf_00000000000000000000",
    inputs: {},
    timing: { everySeconds: 60, timeZone: "UTC" },
    overlap: "allow",
    catchUp: "all",
    enabled: true,
    nextAt: START + MINUTE,
    createdAt: START,
    updatedAt: START,
    ...changes,
  };
}

function open(changes: Partial<StoredSchedule> = {}) {
  const storage = tableStorage();
  migrate(storage, ACCOUNT_SCHEMA);
  const schedule = scheduleWith(changes);
  /** As a new process finds them. */
  const schedules = () => new Schedules(storage, (count) => Array.from({ length: count }, () => 7));
  schedules().handle({ do: "create", schedule }, START);
  const { scheduleId } = schedule;
  const change = (of: ScheduleChange, now: number) =>
    schedules().handle({ do: "update", scheduleId, change: of }, now).schedules[0];
  const idsAt = (now: number) =>
    schedules()
      .promise(now)
      .flatMap(({ executionIds }) => executionIds);
  return { schedule, schedules, change, idsAt };
}

describe("the runs of a schedule", () => {
  it("keep their ids through crashes until they are accepted, and come once", () => {
    const { schedule, schedules, idsAt } = open();
    expect(idsAt(START + MINUTE - 1)).toEqual([]);
    const ids = idsAt(START + MINUTE);
    expect(ids).toHaveLength(1);
    expect(idsAt(START + MINUTE)).toEqual(ids);
    expect(idsAt(START + 5 * MINUTE)).toEqual(ids);
    schedules().kept(schedule.scheduleId, START + MINUTE);
    expect(schedules().nextLook()).toBe(START + 2 * MINUTE);
    expect(idsAt(START + MINUTE)).toEqual([]);
    expect(idsAt(START + 3 * MINUTE)).toHaveLength(2);
  });

  it("are none while it is paused, and after it is removed", () => {
    const { schedule, schedules, idsAt } = open({ enabled: false });
    expect([idsAt(START + MINUTE), schedules().nextLook()]).toEqual([[], null]);
    schedules().handle({ do: "remove", scheduleId: schedule.scheduleId }, START);
    expect(schedules().handle({ do: "list" }, START).schedules).toEqual([]);
  });

  it("come once when the schedule is changed before, while and after they are due", () => {
    const { schedule, schedules, change, idsAt } = open();
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
    schedules().kept(schedule.scheduleId, START + MINUTE + 2);
    expect(idsAt(START + 2 * MINUTE)).toEqual([]);
    expect(schedules().nextLook()).toBe(START + 60 * MINUTE);
  });
});

describe("what is due at a time", () => {
  const after = { waiting: 0, isLive: false, now: START + 10 * MINUTE };
  const decided = (changes: Partial<StoredSchedule>, state: Partial<typeof after> = {}) =>
    decideRuns(scheduleWith(changes), { ...after, ...state });

  it.each([
    ["none", 1],
    ["last", 1],
    ["all", 10],
  ] as const)("after ten minutes away with catchUp %s is %i", (catchUp, starts) => {
    expect(decided({ catchUp })).toEqual({ starts, waiting: 0, nextAt: START + 11 * MINUTE });
  });

  it("leaves out what was missed without catchUp", () => {
    const timing = { at: new Date(START + MINUTE).toISOString(), timeZone: "UTC" };
    expect(decided({ timing, catchUp: "none" })).toMatchObject({ starts: 0, nextAt: null });
    expect(decided({ timing, catchUp: "last" })).toMatchObject({ starts: 1, nextAt: null });
  });

  it.each([
    ["skip", { starts: 0, waiting: 0 }],
    ["queue", { starts: 0, waiting: 10 }],
    ["allow", { starts: 10, waiting: 0 }],
  ] as const)("while an execution is live with overlap %s is %j", (overlap, runs) => {
    expect(decided({ overlap }, { isLive: true })).toMatchObject(runs);
  });

  it("starts what waits one by one", () => {
    const now = START;
    expect(decided({ overlap: "queue" }, { waiting: 2, now })).toMatchObject({
      starts: 1,
      waiting: 1,
    });
  });
});
