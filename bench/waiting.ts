import type { TriggerInput } from "../test/support/client.ts";
import { call } from "../test/support/model-server/behaviour.ts";
import type { Figures } from "./figures.ts";
import { runLoad, summarise, type Timings } from "./load.ts";
import { MODEL, startHeldModel, startModel } from "./model-server.ts";
import type { Scale } from "./options.ts";
import { type Bench, settled, startBench, triggerLoad, until } from "./service.ts";

/** Triggers that are under way at once. */
const BATCH = 20;
const STATUS_REQUESTS = 200;

/**
 * Measures the memory of sessions that wait, and the status requests that the service answers meanwhile.
 * Memory is that of the whole workerd process, so it includes garbage that is not collected yet.
 */
export async function measureWaiting(scale: Scale): Promise<Figures> {
  const { bytes, status } = await waitForModel(scale);
  return {
    waitingSessions: scale.sessions,
    bytesPerWaitingSession: bytes,
    bytesPerSessionWaitingForInput: await waitForInput(scale),
    statusP50Ms: status.p50,
    statusP99Ms: status.p99,
  };
}

/** While their model call is under way. */
async function waitForModel(scale: Scale): Promise<{ bytes: number; status: Timings }> {
  const model = await startHeldModel();
  const bench = await startBench({ variables: model.variables });
  try {
    const before = await warmMemory(bench, scale);
    const ids = await triggerAll(bench, scale.sessions, { prompt: "Wait", model: MODEL });
    await until("the sessions to ask their model", () => model.asked() >= scale.sessions);
    const bytes = ((await bench.runtime.memory()) - before) / scale.sessions;
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
async function waitForInput(scale: Scale): Promise<number> {
  const question = call("ask_user", { question: "Which one?" });
  const model = await startModel(() => question);
  const bench = await startBench({ variables: model.variables });
  try {
    const before = await warmMemory(bench, scale);
    const input = { prompt: "Ask", model: MODEL, interactive: true };
    const ids = await triggerAll(bench, scale.sessions, input);
    for (const id of ids) {
      let state = await bench.client.status(id);
      while (state.status !== "waiting_for_input") {
        const query = `?sinceVersion=${state.version}&waitSeconds=30`;
        state = await bench.client.status(id, query);
      }
    }
    return ((await bench.runtime.memory()) - before) / scale.sessions;
  } finally {
    await bench.runtime.close();
    await model.close();
  }
}

/** Returns the memory of a service that has worked and rests. */
async function warmMemory(bench: Bench, { warmUpMs }: Scale): Promise<number> {
  await runLoad(triggerLoad(bench, "roundtrip", 4, warmUpMs));
  await settled(bench);
  return bench.runtime.memory();
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
