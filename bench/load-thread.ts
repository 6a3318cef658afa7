import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { errors, Pool } from "undici";
import { type Load, type LoadResult, type Shot, summarise } from "./load.ts";

/** Well below the 5 s after which workerd closes an idle connection, which would fail a request. */
const KEEP_ALIVE_MS = 1_000;
/** After this, an execution counts as lost: its client goes on. */
const PATIENCE_MS = 60_000;

const load: Load = workerData;
parentPort?.postMessage(await run(load));

async function run(load: Load): Promise<LoadResult> {
  const pool = new Pool(load.origin, {
    connections: load.clients,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  const latencies: number[] = [];
  let lost = 0;
  const begun = performance.now();
  let answered = begun;
  let left = load.shots ?? Number.POSITIVE_INFINITY;
  const work = async () => {
    while (performance.now() - begun < load.durationMs && left > 0) {
      left -= 1;
      const sent = performance.now();
      const first = await send(pool, load.shot);
      const isDone = first !== null && (load.kind === "hammer" || (await ended(pool, load, first)));
      if (!isDone) {
        lost += 1;
        continue;
      }
      answered = performance.now();
      latencies.push(answered - sent);
    }
  };
  await Promise.all(Array.from({ length: load.clients }, work));
  await pool.close();
  // Until the last answer: a connection that workerd starves is given up long after the load ended.
  const seconds = (answered - begun) / 1_000;
  const { length: count } = latencies;
  return { count, perSecond: count / seconds, timings: summarise(latencies), lost };
}

/** Whether the execution ended in time. A poll that is lost is repeated. */
async function ended(
  pool: Pool,
  { shot: { headers }, pollPath }: Load & { kind: "roundtrip" },
  accepted: string,
): Promise<boolean> {
  const { executionId } = JSON.parse(accepted);
  const deadline = performance.now() + PATIENCE_MS;
  for (let version = 0; performance.now() < deadline; ) {
    const path = pollPath.replace(":id", executionId).replace(":version", String(version));
    const text = await send(pool, { method: "GET", path, headers, body: null });
    if (text === null) continue;
    const state = JSON.parse(text);
    if (state.finishedAt !== null) return true;
    version = state.version;
  }
  return false;
}

/** Returns the body, or null for a lost request: at saturation workerd starves some connections. */
async function send(pool: Pool, { uniqueHeader, ...shot }: Shot): Promise<string | null> {
  const unique = uniqueHeader === undefined ? {} : { [uniqueHeader]: randomUUID() };
  try {
    const headers = { ...shot.headers, ...unique };
    const { statusCode, body } = await pool.request({ ...shot, headers });
    const text = await body.text();
    if (statusCode < 300) return text;
    if (statusCode >= 500) return null;
    throw new Error(`${shot.method} ${shot.path}: ${statusCode} ${text}`);
  } catch (error) {
    if (isConnectionLoss(error)) return null;
    throw error;
  }
}

function isConnectionLoss(error: unknown): boolean {
  if (error instanceof errors.SocketError) return true;
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}
