import { rm } from "node:fs/promises";
import { join } from "node:path";
import { build, startRuntime } from "../test/support/runtime.ts";
import { type LoadResult, runLoad, type Shot } from "./load.ts";

/** What the platform itself costs here and now, to measure the service against. */
export interface Baseline {
  route: LoadResult;
  write: LoadResult;
  /** One after another: what an object costs that did not exist before. */
  create: LoadResult;
}

const CONFIG = join(import.meta.dirname, "baseline/wrangler.toml");

/** Measures a Hono route that does nothing, one write of a living object, and one of a new object. */
export async function measureBaseline(connections: number, durationMs: number): Promise<Baseline> {
  const directory = await build(CONFIG);
  const runtime = await startRuntime({ directory, config: CONFIG });
  const hammer = (shot: Shot, ms = durationMs, lines = connections) =>
    runLoad({ kind: "hammer", origin: runtime.url, connections: lines, durationMs: ms, shot });
  try {
    const get: Shot = { method: "GET", path: "/", headers: {}, body: null };
    const post: Shot = { method: "POST", path: "/write", headers: {}, body: "x".repeat(500) };
    await hammer(get, WARM_UP_MS);
    await hammer(post, WARM_UP_MS);
    const route = await hammer(get);
    const write = await hammer(post);
    return { route, write, create: await hammer({ ...post, path: "/create" }, durationMs, 1) };
  } finally {
    await runtime.close();
    await rm(directory, { recursive: true });
  }
}

const WARM_UP_MS = 1_000;
