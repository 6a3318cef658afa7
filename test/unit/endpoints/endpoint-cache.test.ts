import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { configWith, newEndpointId } from "../../support/endpoint.ts";
import { opened, World } from "../../support/endpoint-cache.ts";

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

describe("an endpoint that was read", () => {
  it("is served for two seconds without D1", async () => {
    const id = stored();
    expect(await world.version(id)).toBe(1);
    stored({ endpointId: id, version: 2 });
    world.now += 1_999;
    expect(await world.version(id)).toBe(1);
    expect(world.reads).toEqual([id]);
  });

  it("is served once more and read beside it until it is four seconds old", async () => {
    const id = stored();
    await world.version(id);
    stored({ endpointId: id, version: 2 });
    world.now += 3_999;
    expect(await world.version(id)).toBe(1);
    await world.settled();
    expect(await world.version(id)).toBe(2);
    expect(world.reads).toHaveLength(2);
  });

  it("is waited for from then on", async () => {
    const id = stored();
    await world.version(id);
    stored({ endpointId: id, version: 2 });
    world.now += 4_000;
    expect(await world.version(id)).toBe(2);
  });

  it("counts its age from when the read began", async () => {
    const id = stored();
    let open = () => {};
    world.gate = new Promise((resolve) => {
      open = resolve;
    });
    const first = world.version(id);
    world.now += 2_500;
    open();
    expect(await first).toBe(1);
    await world.version(id);
    expect(world.reads).toHaveLength(2);
  });

  it("is read once, however many ask at once", async () => {
    const id = stored({ path: "acme/orders" });
    const versions = await Promise.all(Array.from({ length: 50 }, () => world.version(id)));
    expect(new Set(versions)).toEqual(new Set([1]));
    expect(world.reads).toEqual([id]);
  });

  it("is known by its path and its id alike", async () => {
    const id = stored({ path: "acme/orders" });
    expect(await world.version("acme/orders")).toBe(1);
    expect(await world.version(id)).toBe(1);
    expect(world.reads).toEqual(["acme/orders"]);
  });

  it("is opened once for each version", async () => {
    const id = stored();
    const first = await world.find(id);
    world.now += 5_000;
    expect(await world.find(id)).toEqual(first);
    expect((await world.find(id))?.endpoint).not.toBeNull();
    const again = await world.find(id);
    if (first === null || again === null) throw new Error("it is known");
    expect(again.endpoint).toBe(first.endpoint);
  });
});

describe("a change that the isolate makes itself", () => {
  it("holds at once", async () => {
    const id = stored();
    await world.version(id);
    const config = configWith({ endpointId: id, version: 2 });
    world.cache.remember(config, opened(config));
    expect(await world.version(id)).toBe(2);
    expect(world.reads).toHaveLength(1);
  });

  it("makes an address known that was unknown a moment ago", async () => {
    const config = configWith({ path: "acme/orders" });
    expect(await world.version("acme/orders")).toBeNull();
    expect(await world.version(config.endpointId)).toBeNull();
    world.cache.remember(config, opened(config));
    expect(await world.version("acme/orders")).toBe(1);
    expect(await world.version(config.endpointId)).toBe(1);
  });

  it("is not undone by a read that began before it", async () => {
    const config = configWith({ path: "acme/orders" });
    const miss = world.find("acme/orders");
    world.cache.remember(config, opened(config));
    expect((await miss)?.endpoint?.config).toEqual(config);
    expect(await world.version("acme/orders")).toBe(1);
  });

  it("is not undone by an older version", async () => {
    const id = stored();
    const config = configWith({ endpointId: id, version: 3 });
    world.cache.remember(config, opened(config));
    const older = configWith({ endpointId: id, version: 2 });
    world.cache.remember(older, opened(older));
    world.now += 4_000;
    expect(await world.version(id)).toBe(3);
  });

  it("that deletes it gives up its path, which another endpoint may have at once", async () => {
    const config = configWith({ path: "orders", version: 1 });
    world.cache.remember(config, opened(config));
    const deleted = { ...config, version: 2, deleted: true };
    world.cache.remember(deleted, opened(deleted));
    world.rows = [configWith({ endpointId: newEndpointId(), path: "orders", version: 7 })];
    expect(await world.version("orders")).toBe(7);
    expect(await world.version(config.endpointId)).toBe(2);
  });

  it("gives up the old path, which another endpoint may have at once", async () => {
    const id = stored({ path: "acme/orders" });
    await world.version("acme/orders");
    const moved = configWith({ endpointId: id, version: 2, path: "acme/old" });
    world.cache.remember(moved, opened(moved));
    world.rows = [moved];
    expect(await world.version("acme/orders")).toBeNull();
    const next = configWith({ path: "acme/orders", version: 7 });
    world.cache.remember(next, opened(next));
    expect(await world.version("acme/orders")).toBe(7);
    expect(await world.version("acme/old")).toBe(2);
  });
});

describe("a path that was given to another endpoint elsewhere", () => {
  it("leads there after the next read", async () => {
    stored({ path: "acme/orders" });
    await world.version("acme/orders");
    world.rows = [];
    stored({ path: "acme/orders", version: 9 });
    world.now += 4_000;
    expect(await world.version("acme/orders")).toBe(9);
  });

  it("leads nowhere once nobody has it", async () => {
    const id = stored({ path: "acme/orders" });
    await world.version("acme/orders");
    world.rows = [];
    stored({ endpointId: id, version: 2 });
    world.now += 4_000;
    expect(await world.version("acme/orders")).toBeNull();
    expect(await world.version(id)).toBe(2);
  });
});

describe("an unknown address", () => {
  it("is remembered for two seconds, no longer", async () => {
    const id = newEndpointId();
    await world.find(id);
    stored({ endpointId: id });
    world.now += 1_999;
    expect(await world.version(id)).toBeNull();
    expect(world.reads).toEqual([id]);
    world.now += 1;
    expect(await world.version(id)).toBe(1);
  });

  it("is no reason to ask D1 when no endpoint could have it", async () => {
    world.possible = (address) => address.startsWith("ep_");
    expect(await world.find("../x")).toBeNull();
    expect(world.reads).toEqual([]);
    const id = stored();
    expect(await world.version(id)).toBe(1);
  });

  it("pushes no known endpoint out, however many there are", async () => {
    const id = stored({ path: "acme/orders" });
    await world.find(id);
    for (let n = 0; n < 12_000; n += 1) await world.find(`guess/${n}`);
    world.reads = [];
    expect(await world.version("acme/orders")).toBe(1);
    expect(world.reads).toEqual([]);
    await world.find("guess/11999");
    expect(world.reads).toEqual([]);
    await world.find("guess/0");
    expect(world.reads).toEqual(["guess/0"]);
  });

  it("of an endpoint that was pushed out is read again, by its path too", async () => {
    for (let n = 0; n < 2_001; n += 1) {
      const config = configWith({ path: `shop/${n}` });
      world.cache.remember(config, opened(config));
    }
    stored({ path: "shop/0" });
    expect(await world.version("shop/0")).toBe(1);
    expect(await world.version("shop/2000")).toBe(1);
    expect(world.reads).toEqual(["shop/0"]);
  });
});

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
    expect(await world.find(id)).toMatchObject({ config: { endpointId: id }, endpoint: null });
    world.now += 1_000;
    expect(await world.find(id)).toMatchObject({ config: { endpointId: id }, endpoint: null });
  });
});
