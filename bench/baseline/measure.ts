import { join } from "node:path";
import { buildWorker } from "../../scripts/local/build.ts";
import { runWorker, type TestRuntime } from "../../test/support/runtime.ts";
import type { Figures } from "../figures.ts";
import { type Load, runLoad, type Shot } from "../load.ts";
import type { Scale } from "../options.ts";

const ENTRY = join(import.meta.dirname, "worker.ts");
/** Its only bindings, in place of the service's. */
const OBJECTS = {
  WRITER: { className: "Writer", useSQLite: true },
  RUN_ACCOUNT: { className: "RunAccount", useSQLite: true },
  RUN_HOST: { className: "RunHost", useSQLite: true },
};

const GET: Shot = { method: "GET", path: "/", headers: {}, body: null };
const WRITE: Shot = { method: "POST", path: "/write", headers: {}, body: "x".repeat(500) };
const RUN: Shot = { ...WRITE, path: "/run" };

/** Starts the bare Worker. */
export async function startBaseline(): Promise<TestRuntime> {
  const worker = await buildWorker({ entry: ENTRY });
  const options = { ...worker.options, durableObjects: OBJECTS, queueConsumers: {} };
  return runWorker({ ...worker, options });
}

/** Measures what the platform itself costs here and now, to compare the service with. */
export async function measureBaseline({ connections, loadMs, warmUpMs }: Scale): Promise<Figures> {
  const runtime = await startBaseline();
  const measure = async (clients: number, shot: Shot) => {
    const load: Load =
      shot === RUN
        ? {
            kind: "roundtrip",
            origin: runtime.url,
            clients,
            durationMs: loadMs,
            shot,
            pollPath: "/run/:id",
          }
        : { kind: "hammer", origin: runtime.url, clients, durationMs: loadMs, shot };
    await runLoad({ ...load, durationMs: warmUpMs });
    return runLoad(load);
  };
  try {
    const route = await measure(connections, GET);
    const write = await measure(connections, WRITE);
    const run32 = await measure(32, RUN);
    const run = await measure(1, RUN);
    // Last: new objects leave the runtime with thousands of databases.
    const create = await measure(1, { ...WRITE, path: "/create" });
    const create32 = await measure(32, { ...WRITE, path: "/create" });
    return {
      bareRoutePerSecond: route.perSecond,
      bareWritePerSecond: write.perSecond,
      bareWriteP50Ms: write.timings.p50,
      bareRunPerSecond32: run32.perSecond,
      bareRunP50Ms: run.timings.p50,
      bareRunP99Ms: run.timings.p99,
      bareNewObjectPerSecond1: create.perSecond,
      bareNewObjectPerSecond32: create32.perSecond,
      bareNewObjectP50Ms: create.timings.p50,
      lostRequests: [route, write, run32, run, create, create32].reduce(
        (sum, { lost }) => sum + lost,
        0,
      ),
    };
  } finally {
    await runtime.close();
  }
}
