import { describe, expect, it } from "vitest";
import { ModelError } from "../../../../src/contract/conversation.ts";
import { asksFor, finishes, world } from "../loop/world.ts";

const FIRST = "openai/test";
const NEXT = "anthropic/test";
const LAST = "ollama/test";
const seed = { model: FIRST, fallbacks: [NEXT, LAST] };

const busy = () =>
  new ModelError("The model's server failed (503).", { retryable: true, status: 503 });
const refusedKey = () =>
  new ModelError("The model's server does not accept the API key (401).", {
    retryable: false,
    isUnusable: true,
    status: 401,
  });
const refused = () =>
  new ModelError("The model's server refused the request (400).", {
    retryable: false,
    status: 400,
  });

/** Runs an execution, and its retries when they are due. */
async function runAll({ play, run }: ReturnType<typeof world>) {
  await run();
  while (play.state.retryAt !== null) {
    play.now = play.state.retryAt;
    await run();
  }
}

describe("a list of models", () => {
  it("tries the next at once if one is unusable, and keeps the result of each call", async () => {
    const it = world({ steps: [refusedKey(), finishes()], seed });
    await it.run();
    expect(it.asked).toEqual([FIRST, NEXT]);
    expect(it.play.logged("log")).toContainEqual({
      message: `${FIRST} did not answer, so ${NEXT} is asked: The model's server does not accept the API key (401).`,
      model: NEXT,
    });
    expect(it.play.tries).toMatchObject([
      { step: 1, model: FIRST, status: 401, error: expect.stringContaining("API key") },
      { step: 1, model: NEXT, usage: { inputTokens: 1, outputTokens: 1 } },
    ]);
  });

  it("tries no other if the request was refused", async () => {
    const it = world({ steps: [refused()], seed });
    await it.run();
    expect(it.asked).toEqual([FIRST]);
    expect(it.play.state.error).toEqual({
      code: "model_error",
      message: "The model's server refused the request (400).",
    });
  });

  it("begins the next step with the model that replied, and names the model of each step", async () => {
    const browse = asksFor({ callId: "c1", tool: "browse" });
    const it = world({ steps: [refusedKey(), browse, finishes()], seed });
    await it.run();
    expect(it.asked).toEqual([FIRST, NEXT, NEXT]);
    expect(it.play.logged("step.finished").map(({ model }) => model)).toEqual([NEXT, NEXT]);
  });

  it("gives each model all of its retries, and fails with the last error", async () => {
    const it = world({
      steps: [refusedKey(), ...Array.from({ length: 4 }, busy), refusedKey()],
      seed,
    });
    await runAll(it);
    expect(it.asked).toEqual([FIRST, NEXT, NEXT, NEXT, NEXT, LAST]);
    expect(it.play.state.error?.message).toContain("(401)");
  });

  it("tries the next if a server asks for too long a wait", async () => {
    const slow = new ModelError("busy", { retryable: true, retryAfterMs: 10 ** 9 });
    const it = world({ steps: [slow, finishes()], seed });
    await it.run();
    expect(it.asked).toEqual([FIRST, NEXT]);
  });
});
