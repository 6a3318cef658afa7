import { call } from "../test/support/model-server/behaviour.ts";
import type { Figures } from "./figures.ts";
import { summarise } from "./load.ts";
import { FINISH, MODEL, startModel } from "./model-server.ts";
import type { Scale } from "./options.ts";
import { startBench, until } from "./service.ts";

/** As many as an execution may have. */
const STEPS = 1_000;
const WARM_UP_STEPS = 50;
/** Steps on either side that count with a step. */
const WINDOW = 8;

/**
 * Measures what a step costs early and late in one execution: the time, on the clock of an instant
 * model, between its reply and the next request. That is one small tool call, the step's commit, the
 * making of a prompt of all steps before it (until the model's window is full), and the way over loopback.
 */
export async function measureSteps({ longRuns }: Scale): Promise<Figures> {
  let gaps: number[] = [];
  let left = 0;
  let answeredAt: number | null = null;
  const model = await startModel((arrivedAt) => {
    if (answeredAt !== null) gaps.push(arrivedAt - answeredAt);
    left -= 1;
    answeredAt = left > 0 ? performance.now() : null;
    return left > 0 ? COUNT_ITEMS : FINISH;
  });
  const { runtime, client } = await startBench({ variables: model.variables });
  const run = async (length: number): Promise<number[]> => {
    gaps = [];
    left = length;
    const limits = { maxSteps: length, maxCredits: 10_000, timeoutSeconds: 3_600 };
    const id = await client.trigger({ prompt: "Count", model: MODEL, ...limits });
    // Not by long polls: each step would answer one, and be slower for it.
    await until("the last step", () => left === 0);
    const { status } = await client.ended(id);
    if (status !== "completed") throw new Error(`The long execution is ${status}.`);
    return gaps;
  };
  try {
    await run(WARM_UP_STEPS);
    const runs: number[][] = [];
    for (let count = 0; count < longRuns; count += 1) runs.push(await run(STEPS));
    // The first gap lies before the request of step 2. After the last step there are none.
    const around = (step: number) =>
      summarise(runs.flatMap((all) => all.slice(step - 2 - WINDOW, step - 1 + WINDOW))).p50;
    const at10 = around(10);
    const at300 = around(300);
    const at1000 = around(STEPS);
    return {
      stepMs10: at10,
      stepMs300: at300,
      stepMs1000: at1000,
      stepCostRatio300: at300 / at10,
      stepCostRatio1000: at1000 / at10,
    };
  } finally {
    await runtime.close();
    await model.close();
  }
}

const COUNT_ITEMS = call("process_data", {
  sources: [{ data: "- a\n- b\n- c", format: "text" }],
  extract: { kind: "lists" },
  operations: [{ op: "aggregate", aggregates: [{ fn: "count" }] }],
});
