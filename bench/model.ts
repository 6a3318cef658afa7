import { setTimeout as sleep } from "node:timers/promises";
import { call, callsTools, finishes } from "../test/support/model-server/behaviour.ts";
import { startModelServer } from "../test/support/model-server/server.ts";
import { summarise, type Timings } from "./load.ts";
import { settled, startBench } from "./service.ts";

const STEPS = 25;

/**
 * The engine's own time per step: what passes, as an instant model sees it on its wall clock, between
 * its answer and the next question. That is one tool call, the step's commit and the way over loopback.
 */
export async function measureEngine(runs: number): Promise<Timings> {
  const model = await startModelServer({ record: false });
  const { runtime, client } = await startBench({
    variables: { OPENAI_BASE_URL: model.baseUrl },
  });
  const gaps: number[] = [];
  let answeredAt: number | null = null;
  model.script("instant", ({ messages }) => {
    const now = performance.now();
    if (answeredAt !== null) gaps.push(now - answeredAt);
    const step = messages.filter(({ role }) => role === "assistant").length;
    const last = step === STEPS;
    answeredAt = last ? null : now;
    return last ? finishes("done") : callsTools(call("process_data", COUNT_LINES));
  });
  try {
    for (let run = 0; run < runs; run += 1) {
      const id = await client.trigger({
        prompt: "Count",
        model: "openai/instant",
        maxSteps: 100,
        maxCredits: 100,
      });
      const { status } = await client.ended(id);
      if (status !== "completed") throw new Error(`the run ended ${status}`);
    }
    return summarise(gaps);
  } finally {
    await runtime.close();
    await model.close();
  }
}

const COUNT_LINES = {
  sources: [{ data: "a\nb\nc", format: "text" }],
  extract: { kind: "lines" },
  operations: [{ op: "aggregate", aggregates: [{ fn: "count" }] }],
};

/** The memory and the response times of the service while many sessions wait for their model. */
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
export async function measureWaiting(sessions: number): Promise<Waiting> {
  const model = await startModelServer({ delayMs: PATIENCE_MS });
  const { runtime, client } = await startBench({
    variables: { OPENAI_BASE_URL: model.baseUrl },
  });
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
