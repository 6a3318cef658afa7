import { join } from "node:path";
import { buildWorker } from "../scripts/local/build.ts";
import { runWorker } from "../test/support/runtime.ts";
import { type LoadResult, runLoad, type Shot } from "./load.ts";

/** What the platform itself costs here and now, to measure the service against. */
export interface Baseline {
  route: LoadResult;
  write: LoadResult;
  /** One after another: what an object costs that did not exist before. */
  create: LoadResult;
}

const ENTRY = join(import.meta.dirname, "baseline-worker.ts");
/** Its only binding, in place of the service's. */
const WRITER = { WRITER: { className: "Writer", useSQLite: true } };

/** Measures a Hono route that does nothing, one write of a living object, and one of a new object. */
export async function measureBaseline(connections: number, durationMs: number): Promise<Baseline> {
  const worker = await buildWorker({ entry: ENTRY });
  const options = { ...worker.options, durableObjects: WRITER, queueConsumers: {} };
  const runtime = await runWorker({ ...worker, options });
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
  }
}

const WARM_UP_MS = 1_000;
