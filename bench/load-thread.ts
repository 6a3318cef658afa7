import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { errors, Pool } from "undici";
import { type Load, type LoadResult, type Shot, summarise } from "./load.ts";

/** Well below the 5 s after which workerd closes an idle connection, which would fail a request. */
const KEEP_ALIVE_MS = 1_000;

const load: Load = workerData;
parentPort?.postMessage(await (load.kind === "hammer" ? hammer(load) : roundtrip(load)));

async function hammer(load: Load & { kind: "hammer" }): Promise<LoadResult> {
  const pool = new Pool(load.origin, {
    connections: load.connections,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  const latencies: number[] = [];
  let lost = 0;
  const begun = performance.now();
  let answered = begun;
  await atOnce(load.connections, async () => {
    while (performance.now() - begun < load.durationMs) {
      const sent = performance.now();
      if (!(await sendIfHeld(pool, load.shot))) {
        lost += 1;
        continue;
      }
      answered = performance.now();
      latencies.push(answered - sent);
    }
  });
  // Until the last answer: a connection that workerd starves is given up long after the load ended.
  return finish(pool, latencies, answered - begun, lost);
}

async function roundtrip(load: Load & { kind: "roundtrip" }): Promise<LoadResult> {
  const pool = new Pool(load.origin, {
    connections: load.clients,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  const headers = { authorization: `Bearer ${load.apiKey}`, "content-type": "application/json" };
  const trigger: Shot = { method: "POST", path: "/api/v1/agent/trigger", headers, body: load.body };
  const latencies: number[] = [];
  const begun = performance.now();
  let left = load.runs;
  await atOnce(load.clients, async () => {
    while (left-- > 0) {
      const sent = performance.now();
      const { executionId } = JSON.parse(await send(pool, trigger));
      await ended(pool, headers, executionId);
      latencies.push(performance.now() - sent);
    }
  });
  return finish(pool, latencies, performance.now() - begun);
}

async function ended(pool: Pool, headers: Record<string, string>, id: string): Promise<void> {
  let version = 0;
  for (;;) {
    const path = `/api/v1/agent/trigger/${id}/status?sinceVersion=${version}&waitSeconds=30`;
    const state = JSON.parse(await send(pool, { method: "GET", path, headers, body: null }));
    if (state.finishedAt !== null) return;
    version = state.version;
  }
}

/** False when workerd closed the connection: at saturation it starves some until their time is up. */
async function sendIfHeld(pool: Pool, shot: Shot): Promise<boolean> {
  try {
    await send(pool, shot);
    return true;
  } catch (error) {
    if (error instanceof errors.SocketError || isReset(error)) return false;
    throw error;
  }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}

async function send(pool: Pool, { uniqueHeader, ...shot }: Shot): Promise<string> {
  const unique = uniqueHeader === undefined ? {} : { [uniqueHeader]: randomUUID() };
  const headers = { ...shot.headers, ...unique };
  const { statusCode, body } = await pool.request({ ...shot, headers });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${shot.method} ${shot.path}: ${statusCode} ${text}`);
  return text;
}

async function atOnce(count: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, work));
}

async function finish(
  pool: Pool,
  latencies: number[],
  tookMs: number,
  lost = 0,
): Promise<LoadResult> {
  await pool.close();
  return { rate: (latencies.length / tookMs) * 1_000, timings: summarise(latencies), lost };
}
