import { setTimeout as sleep } from "node:timers/promises";
import { finishes } from "../test/support/model-server/behaviour.ts";
import { startModelServer } from "../test/support/model-server/server.ts";
import { settled, startBench } from "./service.ts";
import { summarise, type Timings } from "./timings.ts";

/** How the service fares with many sessions waiting for their model at once. */
export interface Waiting {
  sessions: number;
  /** Bytes of the workerd process, idle and while all wait. */
  memoryBefore: number;
  memoryWaiting: number;
  /** Status requests meanwhile. */
  status: Timings;
}

const PATIENCE_MS = 30_000;

/** Starts `sessions` executions on a model that thinks longer than it takes to start them all. */
export async function measureWaiting(directory: string, sessions: number): Promise<Waiting> {
  const model = await startModelServer({ delayMs: PATIENCE_MS });
  const { runtime, client } = await startBench(directory, { OPENAI_BASE_URL: model.baseUrl });
  model.script("slow", () => finishes("done"));
  try {
    const memoryBefore = await runtime.memory();
    const ids: string[] = [];
    for (let started = 0; started < sessions; started += BATCH) {
      const trigger = () => client.trigger({ prompt: "Wait", model: "openai/slow", maxCredits: 5 });
      ids.push(...(await Promise.all(Array.from({ length: BATCH }, trigger))));
    }
    while (model.requests.length < sessions) await sleep(10);
    const memoryWaiting = await runtime.memory();
    const latencies: number[] = [];
    for (const id of ids.slice(0, 200)) {
      const sent = performance.now();
      await client.status(id);
      latencies.push(performance.now() - sent);
    }
    await settled(client);
    return { sessions, memoryBefore, memoryWaiting, status: summarise(latencies) };
  } finally {
    await runtime.close();
    await model.close();
  }
}

const BATCH = 20;
