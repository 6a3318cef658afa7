import { describe, expect, it } from "vitest";
import { type WakeupStorage, Wakeups } from "../../../src/durable/wakeups.ts";

/** An object's storage in memory, with the alarm that the platform would keep. */
class Storage implements WakeupStorage {
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

  async deleteAlarm() {
    this.alarmWrites += 1;
    this.alarm = null;
  }
}

const NAMES = ["step", "outbox", "retention"] as const;
const wakeupsOf = (storage: Storage) => new Wakeups(storage, NAMES);

describe("many wake-ups over one alarm", () => {
  it("points the alarm at the next of them", () => {
    const storage = new Storage();
    const wakeups = wakeupsOf(storage);
    wakeups.set("retention", 900);
    wakeups.set("step", 300);
    wakeups.arm();
    expect(storage.alarm).toBe(300);
    wakeups.cancel("step");
    wakeups.arm();
    expect(storage.alarm).toBe(900);
    wakeups.cancel("retention");
    wakeups.arm();
    expect(storage.alarm).toBeNull();
  });

  it("names what is due, the longest overdue first, and nothing that is still to come", () => {
    const wakeups = wakeupsOf(new Storage());
    wakeups.set("step", 200);
    wakeups.set("outbox", 100);
    wakeups.set("retention", 301);
    expect(wakeups.due(300)).toEqual(["outbox", "step"]);
    expect(wakeups.due(301)).toEqual(["outbox", "step", "retention"]);
    expect(wakeups.due(99)).toEqual([]);
  });

  it("keeps a name due until it is cancelled or set anew", () => {
    const wakeups = wakeupsOf(new Storage());
    wakeups.set("step", 100);
    expect(wakeups.due(100)).toEqual(["step"]);
    expect(wakeups.due(100)).toEqual(["step"]);
    wakeups.set("step", 200);
    expect(wakeups.due(100)).toEqual([]);
  });

  it("moves a wake-up only forward in time when asked for sooner", () => {
    const wakeups = wakeupsOf(new Storage());
    wakeups.setSooner("step", 200);
    wakeups.setSooner("step", 300);
    expect(wakeups.at("step")).toBe(200);
    wakeups.setSooner("step", 100);
    expect(wakeups.at("step")).toBe(100);
    expect(wakeups.next()).toBe(100);
  });

  it("tells that nothing is planned", () => {
    const wakeups = wakeupsOf(new Storage());
    expect(wakeups.next()).toBeNull();
    expect(wakeups.at("step")).toBeNull();
  });
});

describe("what it writes", () => {
  it("is nothing while nothing changes", () => {
    const storage = new Storage();
    const wakeups = wakeupsOf(storage);
    wakeups.set("step", 100);
    wakeups.arm();
    wakeups.set("step", 100);
    wakeups.cancel("outbox");
    wakeups.arm();
    expect(storage).toMatchObject({ alarmWrites: 1, valueWrites: 1 });
  });

  it("is no alarm for a wake-up that is not the next", () => {
    const storage = new Storage();
    const wakeups = wakeupsOf(storage);
    wakeups.set("step", 100);
    wakeups.arm();
    wakeups.set("retention", 900);
    wakeups.arm();
    expect(storage.alarmWrites).toBe(1);
  });
});

describe("an alarm that fired", () => {
  it("is not written again while its own wake-up is being worked on", () => {
    const storage = new Storage();
    const wakeups = wakeupsOf(storage);
    wakeups.set("step", 100);
    wakeups.arm();
    storage.alarm = null;
    wakeups.fired();
    wakeups.set("retention", 900);
    wakeups.arm();
    expect(storage.alarm).toBeNull();
  });

  it("is armed for what is still to come when the handler ends", () => {
    const storage = new Storage();
    const wakeups = wakeupsOf(storage);
    wakeups.set("step", 100);
    wakeups.set("outbox", 100);
    wakeups.arm();
    storage.alarm = null;
    wakeups.fired();
    wakeups.cancel("step");
    wakeups.rearm();
    expect(storage.alarm).toBe(100);
  });

  it("is armed once, at the handler's end, for all that came up meanwhile", () => {
    const storage = new Storage();
    const wakeups = wakeupsOf(storage);
    wakeups.set("step", 100);
    wakeups.arm();
    storage.alarm = null;
    wakeups.fired();
    wakeups.set("outbox", 50);
    wakeups.arm();
    expect(storage.alarm).toBeNull();
    wakeups.rearm();
    expect(storage).toMatchObject({ alarm: 50, alarmWrites: 2 });
    wakeups.set("outbox", 20);
    wakeups.arm();
    expect(storage.alarm).toBe(20);
  });

  it("is not armed when all was done", () => {
    const storage = new Storage();
    const wakeups = wakeupsOf(storage);
    wakeups.set("step", 100);
    wakeups.arm();
    storage.alarm = null;
    wakeups.fired();
    wakeups.cancel("step");
    wakeups.rearm();
    expect(storage.alarm).toBeNull();
  });
});

describe("a handler that failed", () => {
  it("is not called again at once for what is still due, but for what comes later in its time", () => {
    const storage = new Storage();
    const wakeups = wakeupsOf(storage);
    wakeups.set("step", 100);
    wakeups.fired();
    wakeups.rearm(500);
    expect(storage.alarm).toBe(500);
    wakeups.fired();
    wakeups.set("step", 900);
    wakeups.rearm(500);
    expect(storage.alarm).toBe(900);
  });
});

describe("an object that has nothing left", () => {
  it("forgets all its wake-ups, and that it had any", () => {
    const storage = new Storage();
    const wakeups = wakeupsOf(storage);
    wakeups.set("step", 100);
    wakeups.set("retention", 900);
    wakeups.arm();
    wakeups.clear();
    wakeups.arm();
    expect(wakeups.next()).toBeNull();
    expect(storage.alarm).toBeNull();
    expect(storage.kv.get("wakeups")).toBeUndefined();
  });
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

  it("knows its wake-ups again", () => {
    const wakeups = wakeupsOf(crashed());
    expect(wakeups.due(1_000)).toEqual(["step", "retention"]);
  });

  it("arms an alarm that was lost", async () => {
    const storage = crashed();
    storage.alarm = null;
    await wakeupsOf(storage).recover();
    expect(storage.alarm).toBe(100);
  });

  it("arms an alarm that would come too late", async () => {
    const storage = crashed();
    storage.alarm = 900;
    await wakeupsOf(storage).recover();
    expect(storage.alarm).toBe(100);
  });

  it("leaves a good alarm alone", async () => {
    const storage = crashed();
    const writes = storage.alarmWrites;
    await wakeupsOf(storage).recover();
    expect(storage).toMatchObject({ alarm: 100, alarmWrites: writes });
  });

  it("forgets names that newer code no longer has", () => {
    const wakeups = new Wakeups(crashed(), ["retention"]);
    expect(wakeups.due(1_000)).toEqual(["retention"]);
  });

  it("starts without wake-ups when what was stored cannot be read", () => {
    const storage = new Storage();
    storage.kv.put("wakeups", "spoilt");
    expect(wakeupsOf(storage).next()).toBeNull();
  });
});
