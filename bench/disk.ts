import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../test/support/client.ts";
import { startTestRuntime } from "../test/support/runtime.ts";
import type { Figures } from "./figures.ts";
import type { Scale } from "./options.ts";
import { type Bench, ONE_STEP, settled, startBench } from "./service.ts";

const CLIENTS = 16;
/** Executions before the first measurement, which create what all share. */
const FIRST = 100;
/** What follows an end, such as its row, is over after this. */
const REST_MS = 3_000;

/**
 * Measures the bytes that finished executions of one step leave behind, in objects and in D1: the growth of
 * the stopped service's databases, each with its write-ahead log merged.
 */
export async function measureDisk({ stored }: Scale): Promise<Figures> {
  const state = await mkdtemp(join(tmpdir(), "prompthook-bench-"));
  try {
    const bench = await startBench({ state });
    await finish(bench, FIRST);
    const before = await storedBytes(state);
    const runtime = await startTestRuntime({ state });
    const { accountId, apiKey } = bench.client;
    await finish({ runtime, client: connect(runtime.url, accountId, apiKey) }, stored);
    return { diskBytesPerExecution: ((await storedBytes(state)) - before) / stored };
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

/** Lets so many executions end, then stops the service. */
async function finish(bench: Bench, count: number): Promise<void> {
  const { client, runtime } = bench;
  try {
    let left = count;
    const work = async () => {
      while (left-- > 0) await client.ended(await client.trigger(ONE_STEP));
    };
    await Promise.all(Array.from({ length: CLIENTS }, work));
    await settled(bench);
    await sleep(REST_MS);
  } finally {
    await runtime.close();
  }
}

async function storedBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  let bytes = 0;
  for (const { parentPath, name } of files.filter((file) => file.name.endsWith(".sqlite"))) {
    const path = join(parentPath, name);
    const database = new DatabaseSync(path);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    bytes += (await stat(path)).size;
  }
  return bytes;
}
