import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import { EndpointCache, type Found } from "../../../src/endpoints/endpoint-cache.ts";
import type { Endpoint } from "../../../src/intake/types.ts";
import { configWith, newEndpointId } from "../../support/endpoint.ts";

/** An endpoint that asks for nothing, opened. */
const opened = (config: EndpointConfig): Endpoint => ({
  config,
  token: null,
  hmac: null,
  headerValues: [],
});

/** A cache over a D1 that is a list of rows, under a clock that is set by hand. */
class World {
  now = 1_000_000;
  rows: EndpointConfig[] = [];
  reads: string[] = [];
  isAway = false;
  /** Which addresses an endpoint could have. */
  possible: (address: string) => boolean = () => true;
  /** Reads wait for this, when it is set. */
  gate: Promise<void> | null = null;
  readonly locked = new Set<string>();
  readonly background: Promise<unknown>[] = [];
  readonly cache = new EndpointCache({
    now: () => this.now,
    keep: (work) => this.background.push(work),
  });

  async find(address: string): Promise<Found | null> {
    return await this.cache.find(address, {
      canExist: async (wanted) => this.possible(wanted),
      load: async (wanted) => {
        this.reads.push(wanted);
        const row = this.rows.find((each) => [each.endpointId, each.path].includes(wanted));
        const { isAway } = this;
        await this.gate;
        if (isAway) throw new Error("D1 is away");
        return row ?? null;
      },
      open: async (config) => (this.locked.has(config.endpointId) ? null : opened(config)),
    });
  }

  /** The version that is served at the address; null where nothing is. */
  async version(address: string): Promise<number | null> {
    const found = await this.find(address);
    return found?.endpoint?.config.version ?? null;
  }

  async settled(): Promise<void> {
    await Promise.all(this.background.splice(0));
  }

  /** Stores a row that D1 has; answers its id. */
  stored(changes: Partial<EndpointConfig> = {}): string {
    const config = configWith(changes);
    this.rows = [...this.rows.filter((row) => row.endpointId !== config.endpointId), config];
    return config.endpointId;
  }
}

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

describe("a cached endpoint", () => {
  it("is served for two seconds without D1, then once while it is refreshed, then read again", async () => {
    const id = stored();
    expect(await world.version(id)).toBe(1);
    stored({ endpointId: id, version: 2 });
    world.now += 1_999;
    expect(await world.version(id)).toBe(1);
    expect(world.reads).toEqual([id]);
    world.now += 2_000;
    expect(await world.version(id)).toBe(1);
    await world.settled();
    expect(await world.version(id)).toBe(2);
    expect(world.reads).toHaveLength(2);
    stored({ endpointId: id, version: 3 });
    world.now += 4_000;
    expect(await world.version(id)).toBe(3);
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

  it("is read once for concurrent requests by its path or id", async () => {
    const id = stored({ path: "acme/orders" });
    const asked = Array.from({ length: 50 }, () => world.version("acme/orders"));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([1]));
    expect(await world.version(id)).toBe(1);
    expect(world.reads).toEqual(["acme/orders"]);
  });

  it("is opened once for each version", async () => {
    const id = stored();
    const first = await world.find(id);
    world.now += 5_000;
    const again = await world.find(id);
    expect(first?.endpoint).not.toBeNull();
    expect(again?.endpoint).toBe(first?.endpoint);
  });
});

describe("a change made by the isolate itself", () => {
  it("makes a previously unknown address known", async () => {
    const config = configWith({ path: "acme/orders" });
    expect(await world.version("acme/orders")).toBeNull();
    expect(await world.version(config.endpointId)).toBeNull();
    world.cache.remember(config, opened(config));
    expect(await world.version("acme/orders")).toBe(1);
    expect(await world.version(config.endpointId)).toBe(1);
  });

  it("is not undone by an earlier read", async () => {
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

  it("that deletes it frees its path for another endpoint at once", async () => {
    const config = configWith({ path: "orders", version: 1 });
    world.cache.remember(config, opened(config));
    const deleted = { ...config, version: 2, deleted: true };
    world.cache.remember(deleted, opened(deleted));
    world.rows = [configWith({ endpointId: newEndpointId(), path: "orders", version: 7 })];
    expect(await world.version("orders")).toBe(7);
    expect(await world.version(config.endpointId)).toBe(2);
  });

  it("frees the old path for another endpoint at once", async () => {
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

it("a path reassigned elsewhere leads to its new endpoint after the next read, and nowhere once it is free", async () => {
  const id = stored({ path: "acme/orders" });
  await world.version("acme/orders");
  world.rows = [];
  stored({ path: "acme/orders", version: 9 });
  world.now += 4_000;
  expect(await world.version("acme/orders")).toBe(9);
  world.rows = [];
  stored({ endpointId: id, version: 2 });
  world.now += 4_000;
  expect(await world.version("acme/orders")).toBeNull();
  expect(await world.version(id)).toBe(2);
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

  it("does not reach D1 if no endpoint could have it", async () => {
    world.possible = (address) => address.startsWith("ep_");
    expect(await world.find("../x")).toBeNull();
    expect(world.reads).toEqual([]);
    const id = stored();
    expect(await world.version(id)).toBe(1);
  });

  it("never evicts known endpoints", async () => {
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

  it("of an evicted endpoint is read again, by its path too", async () => {
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
  it("known endpoints are served, without a query for each request", async () => {
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

  it("no request waits for it once an outage is known", async () => {
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

  it("an unknown endpoint is an error, and the next request queries it again", async () => {
    const id = stored();
    world.isAway = true;
    await expect(world.find(id)).rejects.toThrow("away");
    world.isAway = false;
    expect(await world.version(id)).toBe(1);
  });

  it("a hanging read delays a request by three seconds, and does not block others", async () => {
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

it("an endpoint whose secrets cannot be opened is locked, even if an earlier version is cached", async () => {
  const id = stored();
  await world.version(id);
  world.locked.add(id);
  stored({ endpointId: id, version: 2 });
  world.now += 4_000;
  expect(await world.find(id)).toMatchObject({ config: { endpointId: id }, endpoint: null });
  world.now += 1_000;
  expect(await world.find(id)).toMatchObject({ config: { endpointId: id }, endpoint: null });
});
