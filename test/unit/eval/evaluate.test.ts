import { expect, it } from "vitest";
import { createModel } from "../../../src/agent/models/registry.ts";
import { parseSettings } from "../../../src/env.ts";
import { evaluate } from "../../eval/evaluate.ts";
import { formatComparison, formatReport, isSuccess } from "../../eval/report.ts";
import { startScriptedServer } from "../../eval/scripted.ts";
import { TASKS } from "../../eval/tasks/all.ts";
import { says, slowDown } from "../../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../../support/model-server/server.ts";

const ALL = Object.values(TASKS).flat();

/** Evaluates the model `openai/scripted` of a server, then closes it; answers the outcomes and waits. */
async function outcomesOf(server: ModelServer, tasks = TASKS) {
  const settings = parseSettings({ OPENAI_BASE_URL: server.baseUrl });
  const waits: number[] = [];
  const outcomes = await evaluate({
    tasks,
    model: (id) => createModel("openai/scripted", { settings, bindings: {} }, id),
    modelTimeoutMs: 60_000,
    sleep: async (ms) => void waits.push(ms),
    onOutcome: () => {},
  });
  await server.close();
  return { outcomes, waits };
}

it("has 32 tasks, all solvable with the tools", async () => {
  const server = await startScriptedServer(ALL);
  const { outcomes } = await outcomesOf(server);
  expect(outcomes).toHaveLength(32);
  expect(outcomes.filter((outcome) => !isSuccess(outcome)).map(({ task }) => task.id)).toEqual([]);
  const erring = outcomes.filter(({ spent }) => spent.failedCalls > 0);
  expect(erring.map(({ task }) => task.id)).toEqual(["honest-dead", "wait-denied"]);

  const report = formatReport(outcomes, { input: 10, cached: 1, output: 100 }).split("\n");
  expect(report.at(-1)).toBe("Success: 32 of 32 tasks (100.0 %)");
  const steps = ALL.reduce((sum, { solution }) => sum + solution.length, 0);
  // The scripted server counts 100 tokens of input and 20 of output for each reply.
  const cost = ((steps * 100 * 10 + steps * 20 * 100) / 1_000_000).toFixed(4);
  const [name, tasks, right, , , , allSteps, , input, , output, , dollars] =
    report.at(-3)?.split(/\s+/) ?? [];
  expect({ name, tasks, right, allSteps, input, output, dollars }).toEqual({
    name: "all",
    tasks: "32",
    right: "32",
    allSteps: String(steps),
    input: String(steps * 100),
    output: String(steps * 20),
    dollars: `$${cost}`,
  });
});

it("prints a row that compares with other models, and measures streamed replies", async () => {
  const fallback = TASKS.fallback ?? [];
  const server = await startScriptedServer(fallback);
  const { outcomes } = await outcomesOf(server, { fallback });
  const provenance = { model: "openai/x", version: "0.2.0+abc", date: new Date(0) };
  expect(formatComparison(outcomes, provenance, 4_400).split("\n")).toEqual([
    "| model | version | date | fallback | all | steps | errors | tokens in | tokens out | tokens of instructions and tools |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    "| openai/x | 0.2.0+abc | 1970-01-01 | 2/2 | 2/2 | 2 | 0 | 200 | 40 | 4400 |",
  ]);
  expect(outcomes.map(({ pace }) => pace.streamed)).toEqual([1, 1]);
});

it("does not count a claim of a model as done", async () => {
  const server = await startModelServer({ record: false });
  server.script("scripted", () => says("All done."));
  const { outcomes } = await outcomesOf(server);
  expect(outcomes.filter(isSuccess)).toEqual([]);
});

it("waits as long as a provider asks before it retries", async () => {
  const server = await startModelServer();
  server.script("scripted", [slowDown(7), says("The Zenith Club.")]);
  const reading = TASKS.reading?.filter(({ id }) => id === "read-cards") ?? [];
  const { outcomes, waits } = await outcomesOf(server, { reading });
  expect(waits).toEqual([7_000]);
  expect(outcomes.map(isSuccess)).toEqual([true]);
});
