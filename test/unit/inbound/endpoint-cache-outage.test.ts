import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { World } from "../../support/endpoint-cache.ts";

let world: World;
beforeEach(() => {
  world = new World();
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const stored: World["stored"] = (changes) => world.stored(changes);

describe("while D1 is away", () => {
  it("what is known is served, without asking for each request", async () => {
    const id = stored();
    await world.version(id);
    world.isAway = true;
    for (const ms of [4_000, 999, 1, 60_000]) {
      world.now += ms;
      expect(await world.version(id)).toBe(1);
      await world.settled();
    }
    expect(world.reads).toHaveLength(4);
  });

  it("no request waits for it once it is known to be away", async () => {
    const id = stored();
    await world.version(id);
    world.isAway = true;
    world.now += 4_000;
    await world.version(id);
    vi.useFakeTimers();
    world.gate = new Promise(() => {});
    world.now += 1_000;
    expect(await world.version(id)).toBe(1);
  });

  it("what is not known is an error, and is asked for again by the next", async () => {
    const id = stored();
    world.isAway = true;
    await expect(world.find(id)).rejects.toThrow("away");
    world.isAway = false;
    expect(await world.version(id)).toBe(1);
  });

  it("a read without an end holds a request up for three seconds, and no other for good", async () => {
    vi.useFakeTimers();
    const id = stored();
    await world.version(id);
    stored({ endpointId: id, version: 2 });
    world.gate = new Promise(() => {});
    world.now += 4_000;
    const waiting = world.version(id);
    await vi.advanceTimersByTimeAsync(3_000);
    world.now += 3_000;
    expect(await waiting).toBe(1);
    world.gate = null;
    world.now += 10_000;
    expect(await world.version(id)).toBe(2);
  });
});

describe("an endpoint whose secrets cannot be opened", () => {
  it("is locked, also when an earlier version is known", async () => {
    const id = stored();
    await world.version(id);
    world.locked.add(id);
    stored({ endpointId: id, version: 2 });
    world.now += 4_000;
    expect(await world.find(id)).toEqual({ kind: "locked", endpointId: id });
    world.now += 1_000;
    expect(await world.find(id)).toEqual({ kind: "locked", endpointId: id });
  });
});
