import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AlarmScheduler, keyValueStore, type Tasks } from "../../../src/durable/alarm-scheduler.ts";

/** An object's storage in memory, with the alarm that the platform would keep. */
class Storage {
  readonly #values = new Map<string, unknown>();
  alarm: number | null = null;
  /** How often the alarm was written: each time costs money. */
  alarmWrites = 0;
  valueWrites = 0;

  kv = {
    get: (key: string) => structuredClone(this.#values.get(key)),
    put: (key: string, value: unknown) => {
      this.valueWrites += 1;
      this.#values.set(key, structuredClone(value));
    },
    delete: (key: string) => this.#values.delete(key),
  };

  async getAlarm() {
    return this.alarm;
  }

  async setAlarm(at: number) {
    this.alarmWrites += 1;
    this.alarm = at;
  }
}

const NAMES = ["step", "outbox", "retention"] as const;
type Name = (typeof NAMES)[number];

/** The scheduler of an object whose tasks, but for these, have nothing to do. */
function wakeupsOf(storage: Storage, tasks: Partial<Tasks<Name>> = {}): AlarmScheduler<Name> {
  const wakeups = new AlarmScheduler<Name>({
    alarm: storage,
    store: keyValueStore(storage.kv, NAMES),
    run: (name, until) => tasks[name]?.(until) ?? null,
    order: NAMES,
  });
  wakeups.load();
  return wakeups;
}

describe("the writes of many wake-ups over one alarm", () => {
  it("keeps an early alarm, which points at the next task once it fires", async () => {
    const storage = new Storage();
    const wakeups = wakeupsOf(storage);
    wakeups.set("retention", 9_000);
    wakeups.set("step", 300);
    wakeups.arm();
    wakeups.set("step", null);
    wakeups.arm();
    expect(storage).toMatchObject({ alarm: 300, alarmWrites: 1 });
    await clock(storage).fire(wakeups);
    expect(storage).toMatchObject({ alarm: 9_000, alarmWrites: 2 });
  });

  it("is nothing without a change, and no alarm for a wake-up that is not the next", () => {
    const storage = new Storage();
    const wakeups = wakeupsOf(storage);
    wakeups.set("step", 100);
    wakeups.arm();
    wakeups.set("step", 100);
    wakeups.set("outbox", null);
    wakeups.arm();
    expect(storage).toMatchObject({ alarmWrites: 1, valueWrites: 1 });
    wakeups.set("retention", 900);
    wakeups.arm();
    expect(storage).toMatchObject({ alarmWrites: 1, valueWrites: 2 });
  });
});

/** Time that only the test moves, and an alarm that it lets fire. */
function clock(storage: Storage, at = 1_000) {
  vi.useFakeTimers({ now: at });
  onTestFinished(() => void vi.useRealTimers());
  return {
    fire: (wakeups: AlarmScheduler<Name>) => {
      storage.alarm = null;
      return wakeups.handleAlarm();
    },
  };
}

/** A task that runs until it is told to end, and the number of times that it began. */
function longTask() {
  const task = { begun: 0, end: Promise.withResolvers<number | null>() };
  const run = () => {
    task.begun += 1;
    return task.end.promise;
  };
  return { task, run };
}

/** A long task that an alarm began. */
function fired() {
  const storage = new Storage();
  const { task, run } = longTask();
  const wakeups = wakeupsOf(storage, { step: run });
  wakeups.set("step", 100);
  const { fire } = clock(storage);
  return { storage, task, wakeups, fire, handled: fire(wakeups) };
}

describe("an alarm that fired", () => {
  it("runs the due tasks in their order, and no others", async () => {
    const storage = new Storage();
    const ran: string[] = [];
    const note = (name: string) => () => {
      ran.push(name);
      return null;
    };
    const tasks = { step: note("step"), outbox: note("outbox"), retention: note("retention") };
    const wakeups = wakeupsOf(storage, tasks);
    wakeups.set("outbox", 100);
    wakeups.set("step", 200);
    wakeups.set("retention", 9_000);
    await clock(storage).fire(wakeups);
    expect(ran).toEqual(["step", "outbox"]);
    expect(storage.alarm).toBe(9_000);
  });

  it("is armed once at the end of the handler, for all changes during it", async () => {
    const { storage, task, wakeups, handled } = fired();
    wakeups.set("outbox", 3_000);
    wakeups.arm();
    expect(storage.alarm).toBeNull();
    task.end.resolve(8_000);
    await handled;
    expect(storage).toMatchObject({ alarm: 3_000, alarmWrites: 1 });
    wakeups.set("outbox", 2_000);
    wakeups.arm();
    expect(storage.alarm).toBe(2_000);
  });

  it("ends in time, and fires again at once for a running task", async () => {
    const { storage, task, wakeups, fire, handled } = fired();
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    await handled;
    expect(storage.alarm).toBe(100);
    const again = fire(wakeups);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(task.begun).toBe(1);
    task.end.resolve(null);
    await again;
    expect(storage.alarm).toBeNull();
  });
});

describe("a task outside an alarm", () => {
  it("runs once more if requested while it runs, and that caller waits for it", async () => {
    const { task, run } = longTask();
    const wakeups = wakeupsOf(new Storage(), { step: run });
    const first = wakeups.run("step");
    const second = wakeups.run("step");
    const { end } = task;
    task.end = Promise.withResolvers();
    end.resolve(null);
    await first;
    expect(task.begun).toBe(2);
    task.end.resolve(null);
    await second;
    expect(task.begun).toBe(2);
    expect(wakeups.isBusy).toBe(false);
  });

  it("restarts only after it ended or was abandoned, and ignores the abandoned result", async () => {
    const storage = new Storage();
    const { task, run } = longTask();
    const wakeups = wakeupsOf(storage, { step: run });
    const first = wakeups.run("step");
    expect(task.begun).toBe(1);
    wakeups.abandon("step");
    const second = task;
    const { end } = second;
    task.end = Promise.withResolvers();
    const again = wakeups.run("step");
    expect(task.begun).toBe(2);
    end.resolve(5_000);
    await first;
    expect(wakeups.at("step")).toBeNull();
    task.end.resolve(8_000);
    await again;
    expect(wakeups.at("step")).toBe(8_000);
  });
});

it("an emptied object deletes all its wake-ups and their record", () => {
  const storage = new Storage();
  const wakeups = wakeupsOf(storage);
  wakeups.set("step", 100);
  wakeups.set("retention", 900);
  wakeups.clear();
  wakeups.arm();
  expect(wakeups.at("step")).toBeNull();
  expect(storage.alarm).toBeNull();
  expect(storage.kv.get("wakeups")).toBeUndefined();
});

describe("after a restart", () => {
  function crashed(): Storage {
    const storage = new Storage();
    const wakeups = wakeupsOf(storage);
    wakeups.set("step", 100);
    wakeups.set("retention", 900);
    wakeups.arm();
    return storage;
  }

  it.each([
    ["was lost", null, 100, 1],
    ["would come too late", 900, 100, 1],
    ["is good", 100, 100, 0],
  ])("arms an alarm only if needed: it %s", async (_, alarm, armed, writes) => {
    const storage = crashed();
    const before = storage.alarmWrites;
    storage.alarm = alarm;
    await wakeupsOf(storage).recover();
    expect(storage).toMatchObject({ alarm: armed, alarmWrites: before + writes });
  });

  it("forgets names that newer code no longer uses", () => {
    const storage = crashed();
    const wakeups = new AlarmScheduler({
      alarm: storage,
      store: keyValueStore(storage.kv, ["retention"]),
      run: () => null,
    });
    wakeups.load();
    wakeups.arm();
    expect(storage.alarm).toBe(900);
  });

  it("starts without wake-ups if the stored ones are unreadable", () => {
    const storage = new Storage();
    storage.kv.put("wakeups", "spoilt");
    wakeupsOf(storage).arm();
    expect(storage.alarm).toBeNull();
  });
});
