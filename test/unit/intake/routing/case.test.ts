import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CaseRule } from "../../../../src/contract/webhooks/routing.ts";
import { MAX_GATHERED, nextStep } from "../../../../src/intake/routing/case.ts";
import { CaseWorld, type Death } from "../../../support/case-world.ts";

type Move =
  | { do: "arrive"; key: string }
  | { do: "deliver" }
  | { do: "finish"; place: number }
  | { do: "tick"; seconds: number };

const KEYS = ["a", "b"];

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KEYS).map((key) => ({ do: "arrive" as const, key })) },
  { weight: 3, arbitrary: fc.constant({ do: "deliver" as const }) },
  { weight: 2, arbitrary: fc.nat(3).map((place) => ({ do: "finish" as const, place })) },
  { weight: 2, arbitrary: fc.nat(20).map((seconds) => ({ do: "tick" as const, seconds })) },
);
const death: fc.Arbitrary<Death> = fc.constantFrom("none", "none", "before commit", "after commit");
const history = fc.array(fc.tuple(move, death), { maxLength: 40 });

async function play(onEvent: CaseRule["onEvent"], moves: readonly (readonly [Move, Death])[]) {
  const world = new CaseWorld({ onEvent });
  for (const [each, how] of moves) {
    world.die(how);
    if (each.do === "arrive") world.arrive(each.key);
    if (each.do === "deliver") world.deliver();
    if (each.do === "finish") world.finish(each.place);
    if (each.do === "tick") await world.tick(each.seconds);
  }
  world.die("none");
  await world.settle();
  return world;
}

const eventsOf = (world: CaseWorld, key: string) =>
  world.arrived.filter((each) => each.key === key).map(({ seq }) => seq);

it.each(["queue", "message", "collect", "replace"] as const)(
  "for any order of arrivals, ends and crashes %s: at most one per key is live, and each runs once and in order",
  async (onEvent) => {
    await fc.assert(
      fc.asyncProperty(history, async (moves) => {
        const world = await play(onEvent, moves);
        expect(world.faults).toEqual([]);
        const given = new Set(world.replaced());
        for (const key of KEYS) {
          const kept = eventsOf(world, key).filter((seq) => !given.has(seq));
          expect(world.executionsOf(key).flat()).toEqual(kept);
        }
        if (onEvent !== "replace") expect([...given]).toEqual([]);
        expect([...world.sessions.values()].some(({ status }) => status === "active")).toBe(false);
      }),
      { numRuns: 40 },
    );
  },
);

describe("a burst of one key", () => {
  async function burst(onEvent: CaseRule["onEvent"], gap = 1) {
    const world = new CaseWorld({ onEvent, quietSeconds: 10, maxWaitSeconds: 25 });
    world.arrive("a");
    world.deliver();
    for (let sent = 0; sent < 3; sent += 1) {
      await world.tick(gap);
      world.arrive("a");
    }
    return world;
  }

  it("reaches the live execution by `message`", async () => {
    const world = await burst("message");
    await world.tick();
    expect(world.executionsOf("a")).toEqual([[1, 2, 3, 4]]);
  });

  it("is gathered into one execution by `collect`, which starts after a quiet period", async () => {
    const world = await burst("collect");
    await world.tick(9);
    world.deliver();
    expect(world.sessions.size).toBe(0);
    await world.tick(1);
    world.deliver();
    expect(world.executionsOf("a")).toEqual([[1, 2, 3, 4]]);
  });

  it("waits for a quiet period no longer than `maxWaitSeconds`", async () => {
    const world = await burst("collect", 9);
    world.deliver();
    expect(world.executionsOf("a")).toEqual([[1, 2, 3]]);
  });

  it("keeps the newest by `replace`, and stops the others", async () => {
    const world = await burst("replace");
    for (let round = 0; round < 3; round += 1) {
      world.deliver();
      await world.tick(2);
    }
    world.deliver();
    const statuses = [...world.sessions.values()].map(({ status }) => status);
    expect(statuses.at(-1)).toBe("active");
    expect(statuses.slice(0, -1).every((status) => status === "stopped")).toBe(true);
    expect(world.executionsOf("a").at(-1)).toEqual([4]);
  });
});

const RULE: CaseRule = { onEvent: "collect", quietSeconds: 10, maxWaitSeconds: 60 };
const MEGABYTE = 1_048_576;

/** What a case does a second after its last event, which all arrived at once. */
const stepAfter = (sizes: readonly number[]) => {
  const waiting = sizes.map((bytes, at) => ({ startId: at + 1, at: 0, bytes, toldTo: null }));
  return nextStep({ rule: RULE, live: null, waiting }, 1_000);
};

describe("events that are collected", () => {
  it("wait for a quiet period while one execution can take them all", () => {
    const step = { do: "wait", until: 10_000 };
    expect(stepAfter([2 * MEGABYTE, 2 * MEGABYTE])).toEqual(step);
    expect(stepAfter(Array(MAX_GATHERED - 1).fill(1))).toEqual(step);
  });

  it("start at once when an execution can take no more of them", () => {
    const start = (startIds: number[]) => ({ do: "start", startIds });
    expect(stepAfter([2 * MEGABYTE, 2 * MEGABYTE, 1])).toEqual(start([1, 2]));
    expect(stepAfter([3 * MEGABYTE, 2 * MEGABYTE, 1])).toEqual(start([1]));
    const most = Array.from({ length: MAX_GATHERED }, (_, at) => at + 1);
    expect(stepAfter(Array(MAX_GATHERED).fill(1))).toEqual(start(most));
  });

  it("start alone if one exceeds what an execution takes of several", () => {
    expect(stepAfter([5 * MEGABYTE, 1])).toEqual({ do: "start", startIds: [1] });
    expect(stepAfter([5 * MEGABYTE])).toEqual({ do: "wait", until: 10_000 });
  });
});
