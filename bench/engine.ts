import { call, callsTools, finishes } from "../test/support/model-server/behaviour.ts";
import { startModelServer } from "../test/support/model-server/server.ts";
import { startBench } from "./service.ts";
import { summarise, type Timings } from "./timings.ts";

const STEPS = 25;

/**
 * The engine's own time per step: what passes, as an instant model sees it on its wall clock, between
 * its answer and the next question. That is one tool call, the step's commit and the way over loopback.
 */
export async function measureEngine(directory: string, runs: number): Promise<Timings> {
  const model = await startModelServer({ record: false });
  const { runtime, client } = await startBench(directory, { OPENAI_BASE_URL: model.baseUrl });
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
