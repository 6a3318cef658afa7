import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  AlarmScheduler,
  type Due,
  EarliestFirst,
  keyValueStore,
} from "../../../src/durable/alarm-scheduler.ts";

const NAMES = ["first", "second", "prune"] as const;
type Name = (typeof NAMES)[number];
/** The session of a host whose wake-ups the test drives, and one that only has its own. */
const SESSIONS = ["driven", "neighbour"] as const;

type Command =
  | { do: "set"; name: Name; delay: number | null }
  | { do: "setSooner"; name: Name; delay: number }
  | { do: "run"; name: Name }
  /** A running task ends: it returns this, throws, or has set its time itself. */
  | { do: "end"; name: Name; how: "returns" | "throws" | "sets"; delay: number | null }
  | { do: "pass"; ms: number }
  | { do: "crash" };

const name = fc.constantFrom(...NAMES);
const delay = fc.integer({ min: -20, max: 200 });
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constant("set" as const), name, delay: fc.option(delay) }),
  fc.record({ do: fc.constant("setSooner" as const), name, delay }),
  fc.record({ do: fc.constant("run" as const), name }),
  fc.record({
    do: fc.constant("end" as const),
    name,
    how: fc.constantFrom("returns" as const, "throws" as const, "sets" as const),
    delay: fc.option(delay),
  }),
  fc.record({
    do: fc.constant("pass" as const),
    ms: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constant(150_000)),
  }),
  fc.record({ do: fc.constant("crash" as const) }),
);

/** What outlives a process: stored values, and the alarm, which fires again until its handler has ended. */
class Platform {
  readonly values = new Map<string, unknown>();
  #alarm: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  handle: () => Promise<void> = async () => {};
  #handling: symbol | null = null;

  get alarm() {
    return this.#alarm;
  }

  setAlarm(at: number) {
    this.#alarm = at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#fire(), Math.max(0, at - Date.now()));
  }

  crash() {
    if (this.#handling !== null) this.setAlarm(Date.now());
    this.#handling = null;
  }

  async #fire() {
    const handling = Symbol("alarm");
    this.#handling = handling;
    this.#alarm = null;
    await this.handle();
    if (this.#handling === handling) this.#handling = null;
  }
}

/** The scheduler that a process has. What a dead process does reaches nothing. */
interface Process {
  scheduler: AlarmScheduler<Name>;
  /** Ends what every turn ends with. */
  arm(): void;
}
type Run = (name: Name) => Promise<Due>;
type Boot = (platform: Platform, run: Run, isAlive: () => boolean) => Promise<Process>;

function alarmOf(platform: Platform, isAlive: () => boolean) {
  return {
    getAlarm: async () => platform.alarm,
    setAlarm: async (at: number) => {
      if (isAlive()) platform.setAlarm(at);
    },
  };
}

/** The scheduler of an inbox, which stores all times, or of an account, which stores some. */
function alone(stored: readonly Name[]): Boot {
  return async (platform, run, isAlive) => {
    const { values } = platform;
    const kv = {
      get: (key: string) => structuredClone(values.get(key)),
      put: (key: string, value: unknown) => {
        if (isAlive()) values.set(key, structuredClone(value));
      },
      delete: (key: string) => isAlive() && values.delete(key),
    };
    const scheduler = new AlarmScheduler<Name>({
      alarm: alarmOf(platform, isAlive),
      store: keyValueStore(kv, stored),
      run,
      order: NAMES,
    });
    scheduler.load();
    platform.handle = () => scheduler.handleAlarm();
    await scheduler.recover();
    return { scheduler, arm: () => scheduler.arm() };
  };
}

/** The scheduler of a session, whose host wakes it by the one over all its sessions. */
const hosted: Boot = async (platform, run, isAlive) => {
  const stored = (id: string) => {
    const times = platform.values.get(id);
    return times instanceof Map ? [...times] : [];
  };
  const nextOf = (id: string) => Math.min(...stored(id).map(([, at]) => at));
  const sessions = new Map<string, AlarmScheduler<Name>>();
  const host = new AlarmScheduler<string>({
    alarm: alarmOf(platform, isAlive),
    store: {
      load: () => SESSIONS.filter((id) => stored(id).length > 0).map((id) => [id, nextOf(id)]),
      save: () => {},
    },
    run: async (id) => {
      await session(id).handleAlarm();
      return undefined;
    },
  });
  function session(id: string) {
    const known = sessions.get(id);
    if (known !== undefined) return known;
    const made = new AlarmScheduler<Name>({
      store: {
        load: () => stored(id),
        save: (times) => {
          if (isAlive()) platform.values.set(id, new Map(times));
          host.set(id, times.size === 0 ? null : Math.min(...times.values()));
          host.arm();
        },
      },
      run: id === "driven" ? run : async () => Date.now() + 7_000,
      order: NAMES,
    });
    made.load();
    sessions.set(id, made);
    return made;
  }
  host.load();
  platform.handle = () => host.handleAlarm();
  await host.recover();
  if (stored("neighbour").length === 0) session("neighbour").set("first", Date.now());
  return { scheduler: session("driven"), arm: () => host.arm() };
};

/** What is known of a wake-up: when it has to start at the latest, in this process and after a crash. */
interface Owed {
  now: number;
  afterCrash: number;
  /** Whether it has to start at once, in this process. */
  atOnce: boolean;
  end: PromiseWithResolvers<Due> | null;
}

const NEVER = Number.POSITIVE_INFINITY;
const NOTHING: Owed = { now: NEVER, afterCrash: NEVER, atOnce: false, end: null };

class World {
  readonly #boot: Boot;
  readonly #stored: readonly Name[];
  readonly #platform = new Platform();
  readonly #owed = new Map<Name, Owed>();
  /** A scheduler survives a task that throws, so what a task finds wrong is kept. */
  readonly #faults: string[] = [];
  #process: Process | null = null;
  #alive = Symbol("process");

  constructor(boot: Boot, stored: readonly Name[]) {
    this.#boot = boot;
    this.#stored = stored;
    for (const each of NAMES) this.#owed.set(each, { ...NOTHING });
  }

  async start() {
    const alive = Symbol("process");
    this.#alive = alive;
    const isAlive = () => this.#alive === alive;
    const run: Run = (each) => (isAlive() ? this.#begin(each) : new Promise(() => {}));
    this.#process = await this.#boot(this.#platform, run, isAlive);
    this.#process.arm();
  }

  #of(each: Name): Owed {
    const owed = this.#owed.get(each);
    if (owed === undefined) throw new Error("no such wake-up");
    return owed;
  }

  #begin(each: Name): Promise<Due> {
    const owed = this.#of(each);
    if (owed.end !== null) this.#faults.push(`${each} runs already`);
    if (!owed.atOnce && owed.now > Date.now()) this.#faults.push(`${each} started for nothing`);
    owed.atOnce = false;
    owed.now = NEVER;
    owed.end = Promise.withResolvers();
    return owed.end.promise;
  }

  async apply(step: Command) {
    if (this.#process === null) throw new Error("nothing runs");
    const { scheduler, arm } = this.#process;
    const now = Date.now();
    switch (step.do) {
      case "set": {
        const at = step.delay === null ? null : now + step.delay;
        const owed = this.#of(step.name);
        owed.now = owed.afterCrash = at ?? NEVER;
        scheduler.set(step.name, at);
        break;
      }
      case "setSooner": {
        const owed = this.#of(step.name);
        owed.now = Math.min(owed.now, now + step.delay);
        owed.afterCrash = Math.min(owed.afterCrash, now + step.delay);
        scheduler.setSooner(step.name, now + step.delay);
        break;
      }
      case "run": {
        this.#of(step.name).atOnce = true;
        void scheduler.run(step.name);
        break;
      }
      case "end":
        this.#end(step);
        break;
      case "pass":
        await vi.advanceTimersByTimeAsync(step.ms);
        break;
      case "crash":
        this.#platform.crash();
        for (const [each, owed] of this.#owed) {
          const after = this.#stored.includes(each) ? owed.afterCrash : NEVER;
          this.#owed.set(each, { ...NOTHING, now: after, afterCrash: after });
        }
        await this.start();
    }
    arm();
    // Let alarms fire that are due, and tasks end that were told to.
    await vi.advanceTimersByTimeAsync(1);
    this.#check();
  }

  #end({ name: each, how, delay: after }: Extract<Command, { do: "end" }>) {
    const owed = this.#of(each);
    const { end } = owed;
    if (end === null) return;
    owed.end = null;
    const at = after === null ? null : Date.now() + after;
    if (how === "throws") {
      owed.now = Math.min(owed.now, Date.now() + 10_000);
      end.reject(new Error("failed"));
    } else if (how === "sets" && at !== null) {
      owed.now = at;
      this.#process?.scheduler.set(each, at);
      end.resolve(undefined);
    } else {
      owed.now = Math.min(owed.now, at ?? NEVER);
      end.resolve(at);
    }
    owed.afterCrash = owed.now;
  }

  #check() {
    for (const [each, { now, atOnce, end }] of this.#owed) {
      const isLate = atOnce || now < Date.now();
      if (end === null && isLate) this.#faults.push(`${each} did not start`);
    }
    expect(this.#faults).toEqual([]);
  }

  /** Lets all tasks end, and the time pass until nothing is owed. */
  async rest() {
    for (let round = 0; round < 20; round += 1) {
      for (const each of NAMES) {
        await this.apply({ do: "end", name: each, how: "returns", delay: null });
      }
      await this.apply({ do: "pass", ms: 1_000 });
    }
    for (const { now, end } of this.#owed.values()) {
      expect({ now, end }).toEqual({ now: NEVER, end: null });
    }
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.spyOn(console, "error").mockReturnValue();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const schedulers = [
  { of: "an inbox", boot: alone(NAMES), stored: NAMES },
  { of: "an account", boot: alone(["prune"]), stored: ["prune"] as const },
  { of: "a session and its host", boot: hosted, stored: NAMES },
];

describe.each(schedulers)("the scheduler of $of", ({ boot, stored }) => {
  it("starts each wake-up at its time, whatever runs or crashes meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
        const world = new World(boot, stored);
        await world.start();
        for (const each of commands) await world.apply(each);
        await world.rest();
        vi.clearAllTimers();
      }),
    );
  });
});

it("knows the earliest time after any changes in any order", () => {
  const change = fc.tuple(
    fc.constantFrom("a", "b", "c", "d"),
    fc.option(fc.integer({ min: 0, max: 20 })),
  );
  fc.assert(
    fc.property(fc.array(change), fc.integer({ min: 0, max: 20 }), (changes, now) => {
      const wakeups = new EarliestFirst<string>();
      const known = new Map<string, number>();
      for (const [name, at] of changes) {
        wakeups.set(name, at);
        if (at === null) known.delete(name);
        else known.set(name, at);
        expect(wakeups.earliest).toBe(Math.min(Number.POSITIVE_INFINITY, ...known.values()));
      }
      expect(wakeups.all).toEqual(known);
      expect(wakeups.at("a")).toBe(known.get("a") ?? Number.POSITIVE_INFINITY);
      const due = [...known].filter(([, at]) => at <= now).map(([name]) => name);
      expect(wakeups.upTo(now).toSorted()).toEqual(due.toSorted());
      const later = [...known.values()].filter((at) => at > now);
      expect(wakeups.after(now)).toBe(Math.min(Number.POSITIVE_INFINITY, ...later));
    }),
  );
});
