import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ModelError } from "../../../src/contract/conversation.ts";
import type { Json } from "../../../src/contract/json.ts";
import { found } from "../../support/execution.ts";
import { asksFor, finishes, type Step, type Tool, usage, world } from "./loop/world.ts";

describe("the loop", () => {
  it("does not repeat an effect from before its account was restored, or one of unknown fate", async () => {
    let ran = 0;
    const http_request: Tool = async () => {
      ran += 1;
      return found;
    };
    const at = "2026-11-24T09:12:00.000Z";
    const { play, run } = world({
      steps: [
        asksFor({ callId: "again", tool: "http_request" }),
        asksFor({ callId: "other", tool: "http_request" }),
        finishes(),
      ],
      tools: { http_request },
      earlierEffect: async ({ callId, tool, target }) => {
        if (callId === "other") throw new Error("D1 is away.");
        const { executionId } = play.seed;
        const cause = executionId;
        return { executionId, cause, effectId: "first", tool, target, state: "confirmed", at };
      },
    });
    vi.spyOn(console, "warn").mockImplementation(() => {});
    await run();
    expect(ran).toBe(0);
    expect(Object.fromEntries(play.effects)).toEqual({
      again: "failed",
      first: "confirmed",
      other: "failed",
    });
    const answers = play.turns.flatMap((turn) => (turn.role === "tool" ? [turn.answer] : []));
    expect(answers).toMatchObject([
      { ok: false, error: { code: "done_before", message: expect.stringContaining(at) } },
      { ok: false, error: { code: "unavailable" } },
    ]);
    expect(play.state).toMatchObject({ status: "completed" });
  });

  it("runs reads side by side", async () => {
    let running = 0;
    let most = 0;
    const browse: Tool = async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return found;
    };
    const calls = Array.from({ length: 8 }, (_, n) => ({ callId: `r${n}`, tool: "browse" }));
    const { play, run } = world({ steps: [asksFor(...calls), finishes()], tools: { browse } });
    await run();
    expect(most).toBe(6);
    expect(play.state.usage.toolCalls).toBe(8);
  });

  it("does not run a call that newer code would run differently from its approval", async () => {
    const sent: Json[] = [];
    const http_request: Tool = async (input) => {
      sent.push(input);
      return found;
    };
    const call = { callId: "pay", tool: "http_request" };
    const { play, tools, run } = world({
      steps: [asksFor(call), finishes()],
      tools: { http_request },
      seed: { approvals: ["http_request"] },
    });
    await run();
    play.message("m1", { text: null, approval: { callId: "pay", decision: "approve" } });
    const { check } = tools;
    tools.check = (name, input) => ({ ...check(name, input), target: "another account" });
    await run();
    expect([sent, play.answers("pay")]).toEqual([[], ["tool_changed"]]);
    expect(play.effects.get("pay")).toBe("failed");
    expect(play.state).toMatchObject({ status: "completed", creditsUsed: 2 });
  });

  it("retries a model that times out", async () => {
    const hangs: Step = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const { play, run } = world({ steps: [hangs], modelTimeoutMs: 5 });
    await run();
    expect(play.state.statusDetail).toBe("retrying");
    expect(play.state.message).toContain("did not reply");
  });

  it("starts the timeout of a model call once the host has a slot for it", async () => {
    const reply = finishes();
    const prompt: Step = async (_, signal) => {
      signal.throwIfAborted();
      return reply;
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const modelCalls = {
      acquire: async () => {
        vi.advanceTimersByTime(20);
        return () => {};
      },
    };
    const { play, run } = world({ steps: [prompt], modelTimeoutMs: 5, modelCalls });
    await run();
    expect(play.state.status).toBe("completed");
  });

  it("logs the progress of a call periodically, and restarts its timeout with each report", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const browse: Tool = async (_, { onProgress, signal }) => {
      for (const page of [1, 2, 3]) {
        vi.advanceTimersByTime(100_000);
        play.now += page * 2_000;
        onProgress(`Page ${page}`);
      }
      const waits = signal.aborted;
      vi.advanceTimersByTime(120_000);
      return { answer: { ok: true, content: [waits, signal.aborted] } };
    };
    const { play, run } = world({
      steps: [asksFor({ callId: "a", tool: "browse" }), finishes()],
      tools: { browse },
    });
    await run();
    expect(play.logged("log")).toEqual([
      { message: "Page 1", callId: "a" },
      { message: "Page 3", callId: "a" },
    ]);
    expect(play.turns).toContainEqual(
      expect.objectContaining({ answer: { ok: true, content: [false, true] } }),
    );
  });

  it("retries an empty reply at once with a note, at no charge", async () => {
    const { play, requests, run } = world({ steps: [{ text: "", calls: [], usage }, finishes()] });
    await run();
    expect(requests[1]?.turns.at(-1)).toMatchObject({
      role: "assistant",
      fault: expect.stringContaining("was empty"),
    });
    expect(play.state).toMatchObject({
      status: "completed",
      creditsUsed: 1,
      stepsCompleted: 1,
      usage: {
        inputTokens: 2 * usage.inputTokens,
        outputTokens: 2 * usage.outputTokens,
        modelSteps: 1,
      },
    });
  });

  it("fails after four unusable replies in a row, with the reason and what was written", async () => {
    const cut = { text: "half", calls: [], usage, fault: "Cut off." };
    const { play, run } = world({ steps: [cut, cut, cut, cut] });
    await run();
    expect(play.state).toMatchObject({
      status: "failed",
      error: { code: "model_error", message: expect.stringContaining("Cut off.") },
      creditsUsed: 0,
      usage: { inputTokens: 4 * usage.inputTokens },
    });
    expect(play.made).toEqual([
      expect.objectContaining({ label: "Answer", type: "text", value: "half", truncated: true }),
    ]);
  });

  it("outputs nothing of replies that were empty", async () => {
    const empty = { text: "", calls: [], usage };
    const { play, run } = world({ steps: [empty, empty, empty, empty] });
    await run();
    expect(play.state.status).toBe("failed");
    expect(play.outputs).toEqual([]);
  });

  it("counts the tokens of a reply that the provider refused to complete", async () => {
    const refusal = new ModelError("The model refused to continue.", { retryable: false, usage });
    const { play, run } = world({ steps: [refusal] });
    await run();
    expect(play.state).toMatchObject({
      status: "failed",
      usage: { inputTokens: usage.inputTokens },
    });
  });

  it("rethrows an internal error of a tool", async () => {
    const browse: Tool = () => Promise.reject(new Error("a bug"));
    const { run } = world({ steps: [asksFor({ callId: "a", tool: "browse" })], tools: { browse } });
    await expect(run()).rejects.toThrow("a bug");
  });

  it("ends between two steps when its time limit is reached", async () => {
    const slow: Step = async () => {
      play.now += 1_000;
      return asksFor({ callId: "a", tool: "browse" });
    };
    const { play, run } = world({ steps: [slow] });
    await run(play.now + 500);
    expect(play.state.phase).toMatchObject({ kind: "tools", calls: [{ state: "pending" }] });
  });
});

it("returns data that violates the output schema to the model, and completes with valid data", async () => {
  const finishesWith = (data: Json) => finishes({ summary: "done", data });
  const { play, requests, run } = world({
    steps: [finishesWith({}), finishesWith({ total: 3 })],
    seed: { outputSchema: { type: "object", required: ["total"] } },
  });
  await run();
  expect(play.state).toMatchObject({ status: "completed", data: { total: 3 } });
  expect(requests).toHaveLength(2);
});

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
