import { expect, it } from "vitest";
import { finishes, type Step, world } from "./world.ts";

/** A reply that comes in these pieces, so many milliseconds apart. */
function written(play: () => { now: number }, pieces: string[], gapMs: number): Step {
  return async (_, __, watch) => {
    play().now += 300;
    watch.answered();
    for (const piece of pieces) {
      watch.wrote(piece);
      play().now += gapMs;
    }
    return { ...finishes(), usage: { inputTokens: 10, outputTokens: 30, cachedTokens: 0 } };
  };
}

it("streams a text without the model's thoughts, and stores nothing of it", async () => {
  const commits: number[] = [];
  const it_: ReturnType<typeof world> = world({
    steps: [
      async (request, signal, watch) => {
        const before = it_.play.state.version;
        const step = written(() => it_.play, ["<thi", "nk>Hm.</think>", "The ", "answer."], 0);
        const reply = typeof step === "function" ? await step(request, signal, watch) : finishes();
        commits.push(it_.play.state.version - before);
        return reply;
      },
    ],
  });
  await it_.run();
  expect(it_.texts.join("")).toBe("The answer.");
  expect(commits).toEqual([0]);
});

it("stores the time to the first token and the speed of each call with its reply", async () => {
  const it_: ReturnType<typeof world> = world({
    steps: [written(() => it_.play, ["a", "b", "c"], 500)],
  });
  await it_.run();
  expect(it_.play.tries).toMatchObject([
    { firstTokenMs: 300, durationMs: 1_800, tokensPerSecond: 20 },
  ]);
});

it("frees its slot when its response begins, and notifies its host of the end", async () => {
  const told: string[] = [];
  const step: Step = async (_, __, watch) => {
    watch.answered();
    told.push("written");
    return finishes();
  };
  const modelCalls = {
    acquire: async () => (isOver?: boolean) => {
      told.push(isOver ? "over" : "answered");
    },
  };
  await world({ steps: [step], modelCalls }).run();
  expect(told).toEqual(["answered", "written", "over"]);
});
