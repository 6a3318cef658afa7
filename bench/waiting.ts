import type { TriggerInput } from "../test/support/client.ts";
import { call } from "../test/support/model-server/behaviour.ts";
import { startBaseline } from "./baseline/measure.ts";
import type { Figures } from "./figures.ts";
import { summarise, type Timings } from "./load.ts";
import { MODEL, startHeldModel, startModel } from "./model-server.ts";
import type { Scale } from "./options.ts";
import { type Bench, startBench, until } from "./service.ts";

/** Sessions that wait before the others, and make the process grow by what all share. */
const FIRST = 1_000;
/** Triggers that are under way at once. */
const BATCH = 20;
const STATUS_REQUESTS = 200;

/**
 * Measures the memory of sessions that wait, and the status requests that the service answers meanwhile.
 * Memory is the growth of the whole workerd process, so it includes garbage that is not collected yet,
 * and here also the Worker through which the local runtime sends requests out: a bare request that waits
 * for its answer is measured beside.
 */
export async function measureWaiting(scale: Scale): Promise<Figures> {
  const { bytes, status } = await waitForModel(scale);
  return {
    waitingSessions: scale.sessions,
    bytesPerWaitingSession: bytes,
    bytesPerSessionWaitingForInput: await waitForInput(scale),
    bareBytesPerWaitingFetch: await waitWithoutSession(scale),
    statusP50Ms: status.p50,
    statusP99Ms: status.p99,
  };
}

/** While their model call is under way. */
async function waitForModel({ sessions }: Scale): Promise<{ bytes: number; status: Timings }> {
  const model = await startHeldModel();
  const bench = await startBench({ variables: model.variables });
  const open = async (count: number): Promise<string[]> => {
    const wanted = model.asked() + count;
    const ids = await triggerAll(bench, count, { prompt: "Wait", model: MODEL });
    await until("the sessions to ask their model", () => model.asked() >= wanted);
    return ids;
  };
  try {
    await open(FIRST);
    const before = await bench.runtime.memory();
    const ids = await open(sessions);
    const bytes = ((await bench.runtime.memory()) - before) / sessions;
    const latencies: number[] = [];
    for (const id of ids.slice(0, STATUS_REQUESTS)) {
      const sent = performance.now();
      await bench.client.status(id);
      latencies.push(performance.now() - sent);
    }
    return { bytes, status: summarise(latencies) };
  } finally {
    await bench.runtime.close();
    await model.close();
  }
}

/** While they have asked their user a question, as many as are in memory when the last one has. */
async function waitForInput({ sessions }: Scale): Promise<number> {
  const question = call("ask_user", { question: "Which one?" });
  const model = await startModel(() => question);
  const bench = await startBench({ variables: model.variables });
  const open = async (count: number): Promise<void> => {
    const input = { prompt: "Ask", model: MODEL, interactive: true };
    for (const id of await triggerAll(bench, count, input)) {
      let state = await bench.client.status(id);
      while (state.status !== "waiting_for_input") {
        const query = `?sinceVersion=${state.version}&waitSeconds=30`;
        state = await bench.client.status(id, query);
      }
    }
  };
  try {
    await open(FIRST);
    const before = await bench.runtime.memory();
    await open(sessions);
    return ((await bench.runtime.memory()) - before) / sessions;
  } finally {
    await bench.runtime.close();
    await model.close();
  }
}

/** A bare object's request under way, without anything of a session. */
async function waitWithoutSession({ sessions }: Scale): Promise<number> {
  const model = await startHeldModel();
  const runtime = await startBaseline();
  const url = `${model.variables.OPENAI_BASE_URL}/chat/completions`;
  const open = async (count: number): Promise<void> => {
    const wanted = model.asked() + count;
    for (let opened = 0; opened < count; opened += BATCH) {
      const ask = () => fetch(`${runtime.url}/ask`, { method: "POST", body: url });
      await Promise.all(Array.from({ length: Math.min(BATCH, count - opened) }, ask));
    }
    await until("the requests to arrive", () => model.asked() >= wanted);
  };
  try {
    await open(FIRST);
    const before = await runtime.memory();
    await open(sessions);
    return ((await runtime.memory()) - before) / sessions;
  } finally {
    await runtime.close();
    await model.close();
  }
}

async function triggerAll(
  { client }: Bench,
  count: number,
  input: TriggerInput,
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const size = Math.min(BATCH, count - ids.length);
    const trigger = () => client.trigger({ ...input, maxCredits: 5, timeoutSeconds: 3_600 });
    ids.push(...(await Promise.all(Array.from({ length: size }, trigger))));
  }
  return ids;
}
