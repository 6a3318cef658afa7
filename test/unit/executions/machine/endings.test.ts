import { describe, expect, it } from "vitest";
import {
  expire,
  nextLookAt,
  stopByUser,
  supersede,
} from "../../../../src/executions/machine/lifecycle.ts";
import { countTokens } from "../../../../src/executions/machine/replies.ts";
import { deadlineOf, initialState } from "../../../../src/executions/machine/state.ts";
import {
  ASK,
  asking,
  callOf,
  END,
  Play,
  running,
  START,
  seedOf,
} from "../../../support/execution.ts";

const stop = (play: Play, reason: string | null = null) =>
  play.commit((t) => stopByUser(t, reason));

const expires = (play: Play) => play.commit((t) => expire(t, play.seed));

const post = callOf("effect", "post");

/** An execution in each of the phases in which it can be ended from outside. */
const PHASES: Record<string, () => Play> = {
  "before it began": () => new Play(),
  "while the model thinks": () => {
    const play = new Play();
    play.next();
    return play;
  },
  "while calls run": () => running([post, callOf("read", "look")]),
  "while it waits for an answer": () => asking(),
  "while it waits for an approval": () => running([{ ...post, needsApproval: true }]),
};

describe.each(Object.entries(PHASES))("stopped %s", (_, begin) => {
  it("is final at once, without an error, and aborts running calls", () => {
    const play = begin();
    stop(play, "changed my mind");
    expect(play.state).toMatchObject({
      status: "stopped",
      statusDetail: "user_request",
      finishedAt: START,
      question: null,
      activeSince: null,
      retryAt: null,
      generation: 1,
      error: null,
    });
    expect(play.state.summary).toContain("changed my mind");
    expect(play.aborts).toBe(1);
    expect(play.announced.at(-1)).toBe("stopped");
  });

  it("starts and accepts nothing more", () => {
    const play = begin();
    stop(play);
    const { state } = play;
    const events = play.events.length;
    expect(play.next()).toEqual({ do: "rest" });
    play.returns("post");
    play.returns("look");
    expect(expires(play)).toBe(false);
    expect(play.state).toEqual(state);
    expect(play.events.length).toBe(events);
    expect(() => stop(play)).toThrow("already ended");
  });

  it("drops waiting messages in the log, just before the final status", () => {
    const play = begin();
    const waits = play.state.status === "waiting_for_input" ? [] : ["m1", "m2"];
    for (const messageId of waits) play.message(messageId);
    stop(play);
    expect(play.logged("message.dropped")).toEqual(waits.map((messageId) => ({ messageId })));
    expect(play.events.at(-1)).toMatchObject({ type: "status", data: { status: "stopped" } });
    expect(play.state.inbox).toEqual([]);
  });
});

it("is stopped without an error if a later event of its case replaces it", () => {
  const play = new Play();
  play.commit((t) => supersede(t));
  expect(play.state).toMatchObject({
    status: "stopped",
    statusDetail: "superseded",
    error: null,
    summary: "A further event of the case replaced this execution.",
  });
  expect(play.aborts).toBe(1);
});

it.each([
  [null, "Stopped by request."],
  ["x".repeat(600), `Stopped by request: ${"x".repeat(600)}`],
])("shows the full reason in the result, and its beginning in the progress line", (...row) => {
  const [reason, summary] = row;
  const play = new Play();
  stop(play, reason);
  expect(play.state).toMatchObject({ summary, message: summary.slice(0, 500) });
});

describe("credits", () => {
  it("stops with budget_reached before a step that the limit does not allow", () => {
    const play = new Play({ heldCredits: 2, heldBecause: "budget" });
    play.step(callOf("read", "look"));
    expect(play.next()).toEqual({ do: "rest" });
    expect(play.state).toMatchObject({
      status: "stopped",
      statusDetail: "budget_reached",
      summary: "The limit of 2 credits was reached: 2 consumed.",
      creditsUsed: 2,
    });
  });

  it.each([
    [0.3, "The limit of $0.5 was reached: $0.6 were used."],
    [0.2, null],
  ])("ends with its price limit once two replies at $%d have reached it", (costUsd, summary) => {
    const price = { input: 1, output: 1 };
    const chosen = [{ model: "openai/test", contextWindow: 32_000, price }];
    const play = new Play({ maxCostUsd: 0.5, chosen });
    for (const _ of [1, 2]) {
      expect(play.next().do).toBe("ask_model");
      const tokens = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd };
      play.commit((t) => countTokens(t, tokens));
    }
    expect(play.next().do).toBe(summary === null ? "ask_model" : "rest");
    expect(play.state.summary).toBe(summary);
  });

  it("calls no model of unknown price under a price limit", () => {
    const play = new Play({ maxCostUsd: 0.5 });
    expect(play.next()).toEqual({ do: "rest" });
    expect(play.state).toMatchObject({ status: "stopped", statusDetail: "budget_reached" });
  });

  it("stops with credits_exhausted if the account had no more credits", () => {
    const play = running([post], { heldCredits: 1, heldBecause: "balance" });
    expect(play.state).toMatchObject({
      status: "stopped",
      statusDetail: "credits_exhausted",
      summary: "The account's credits are used up: 1 of 1 credit.",
      creditsUsed: 1,
    });
    expect(play.effects.size).toBe(0);
  });

  it("fails with credits_exhausted before any cost if nothing could be held", () => {
    const play = new Play({ heldCredits: 0, heldBecause: "balance" });
    expect(play.next()).toEqual({ do: "rest" });
    expect(play.state).toMatchObject({
      status: "failed",
      error: {
        code: "credits_exhausted",
        message: "The account has no credits left, so the execution did not start.",
      },
      creditsUsed: 0,
      startedAt: null,
    });
    expect(play.announced).toEqual(["failed"]);
  });

  it("runs only as many reads side by side as can be paid", () => {
    const play = new Play({ heldCredits: 3 });
    play.reply(["a", "b", "c"].map((callId) => callOf("read", callId)));
    expect(play.runs()).toEqual(["a", "b"]);
  });

  it("lets a single credit pay for a whole answer", () => {
    const play = running([END], { heldCredits: 1 });
    play.finish();
    expect(play.state).toMatchObject({ status: "completed", creditsUsed: 1 });
  });
});

it.each([
  [1, "1 step"],
  [2, "2 steps"],
])("fails if the last of %i allowed steps does not end the work", (maxSteps, words) => {
  const play = new Play({ maxSteps });
  for (let n = 1; n <= maxSteps; n += 1) play.step(callOf("read", `look ${n}`));
  expect(play.next()).toEqual({ do: "rest" });
  const message = `The limit of ${words} was reached before the task was done.`;
  expect(play.state).toMatchObject({
    status: "failed",
    error: { code: "step_limit", message },
    stepsCompleted: maxSteps,
  });
});

describe("the time limit", () => {
  it("fails exactly when the active time is used up", () => {
    const play = new Play({ timeoutSeconds: 60 });
    play.now = START + 59_999;
    expect(expires(play)).toBe(false);
    expect(play.next().do).toBe("ask_model");
    play.now += 1;
    expect(play.next()).toEqual({ do: "rest" });
    const error = { code: "timed_out", message: "The time limit of 60 seconds was reached." };
    expect(play.state).toMatchObject({ status: "failed", error });
    const data = { status: "failed", statusDetail: "timed_out", error };
    expect(play.events.at(-1)).toMatchObject({ type: "status", data });
  });

  it("does not count the time before its session starts", () => {
    const seed = seedOf({ createdAt: START - 3_600_000, timeoutSeconds: 60 });
    expect(deadlineOf(initialState(seed, START), 60)).toBe(START + 60_000);
  });

  it("does not count the time that it waits for the user", () => {
    const play = running([ASK], { timeoutSeconds: 60 });
    play.now = START + 20_000;
    play.ask();
    expect(deadlineOf(play.state, 60)).toBeNull();
    play.now = START + 3_600_000;
    play.message("m1");
    expect(deadlineOf(play.state, 60)).toBe(play.now + 40_000);
    play.now += 40_000;
    expect(expires(play)).toBe(true);
    expect(play.state.statusDetail).toBe("timed_out");
  });

  it("fails with input_timeout if no answer arrives in time", () => {
    const play = asking([], { inputTimeoutSeconds: 600 });
    expect(nextLookAt(play.state, play.seed)).toBe(START + 600_000);
    play.now = START + 599_999;
    expect(expires(play)).toBe(false);
    play.now = START + 600_000;
    expect(expires(play)).toBe(true);
    const message = "No answer was received within 600 seconds.";
    expect(play.state).toMatchObject({
      status: "failed",
      error: { code: "input_timeout", message },
      decision: { state: "expired" },
    });
  });

  it("survives a clock that steps back", () => {
    const play = running([ASK], { timeoutSeconds: 60 });
    play.now = START - 5_000;
    play.ask();
    expect(play.state.activeMs).toBe(0);
  });
});
