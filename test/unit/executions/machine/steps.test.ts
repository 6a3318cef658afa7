import { describe, expect, it } from "vitest";
import type { NewOutput } from "../../../../src/agent/tools/tool.ts";
import type { ExecutionSeed } from "../../../../src/contract/session.ts";
import { modelReplied } from "../../../../src/executions/machine/replies.ts";
import { machineState } from "../../../../src/executions/machine/state.ts";
import {
  ASK,
  callOf,
  END,
  found,
  Play,
  replyOf,
  running,
  START,
} from "../../../support/execution.ts";

const look = callOf("read", "look");
const failure = (code: string) => ({
  answer: { ok: false as const, error: { code, message: "no" } },
});
/** What `http_request` returns for an answer of this status. */
const answered = (status: number) => {
  const head = { url: "https://shop.example/", mediaType: "", headers: {}, cut: false };
  return { answer: { ok: true as const, content: { ...head, status } } };
};
const outputOf = (label: string, value: string): NewOutput => ({
  label,
  nodeType: "TEXT",
  type: "text",
  mediaType: "text/plain",
  value,
});

describe("a successful execution", () => {
  it("plans, runs calls, thinks again and completes with its answer as the output", () => {
    const play = new Play();
    play.reply([look], "I will look first");
    expect(play.runs()).toEqual(["look"]);
    play.returns("look");
    play.reply([END]);
    expect(play.runs()).toEqual(["end"]);
    play.finish();
    expect(play.statuses()).toEqual([
      "active/queued",
      "active/planning",
      "active/running",
      "completed/done",
    ]);
    expect(play.turns.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(play.state).toMatchObject({ summary: "All done", stepsCompleted: 2, creditsUsed: 3 });
    expect(play.outputs).toEqual(["Answer"]);
    expect(play.events.at(-1)).toMatchObject({ type: "status", data: { status: "completed" } });
    expect(play.next()).toEqual({ do: "rest" });
  });

  it("tells the model the time and the remaining budget, and keeps that with its reply", () => {
    const play = new Play({ maxSteps: 5, heldCredits: 20, timeoutSeconds: 600 });
    const left = { step: 1, stepsLeft: 5, creditsLeft: 20, secondsLeft: 600 };
    expect(play.next()).toMatchObject({ start: { at: START, ...left } });
    play.reply([look]);
    expect(play.turns.at(-1)).toMatchObject({ role: "assistant", start: left });
    play.runs();
    play.now += 60_500;
    play.returns("look");
    expect(play.next()).toMatchObject({
      start: { at: START + 60_500, step: 2, stepsLeft: 4, creditsLeft: 18, secondsLeft: 539 },
    });
  });

  it("has outputs of 8 MiB, and refuses a call that would add to them", () => {
    const output = (megabytes: number) =>
      outputOf(`${megabytes} MB`, "x".repeat(megabytes * 1_000_000));
    const play = running(["a", "b", "c"].map((callId) => callOf("read", callId)));
    play.returns("a", { ...found, outputs: [output(5)] });
    play.returns("b", { ...found, outputs: [output(1), output(3)] });
    play.returns("c", { ...found, outputs: [output(2)] });
    expect(play.outputs).toEqual(["5 MB", "2 MB"]);
    expect(play.answers("b")).toEqual(["invalid_input"]);
    expect(play.state.outputs).toBe(2);
  });

  it("starts and ends each step once in the log", () => {
    const play = running([look]);
    play.now += 40;
    play.returns("look");
    play.reply([END]);
    play.runs();
    play.finish();
    expect(play.logged("step.started")).toEqual([{ step: 1 }, { step: 2 }]);
    const tokens = { inputTokens: 10, outputTokens: 5, cachedTokens: 2 };
    const usage = { ...tokens, modelSteps: 1, toolCalls: 1 };
    const { model } = play.seed;
    expect(play.logged("step.finished")).toEqual([
      { step: 1, model, creditsConsumed: 2, durationMs: 40, credits: 2, usage },
      {
        step: 2,
        model,
        creditsConsumed: 3,
        durationMs: 0,
        credits: 1,
        usage: { ...usage, toolCalls: 0 },
      },
    ]);
  });

  it("starts its clock with the first model call, and counts each call", () => {
    const play = new Play();
    expect(play.state).toMatchObject({ startedAt: null, message: "Waiting to start" });
    play.now = START + 5_000;
    play.next();
    const { version } = play.state;
    expect(play.state).toMatchObject({
      startedAt: START + 5_000,
      message: "Deciding what to do next",
      asked: 1,
    });
    play.next();
    expect(play.state).toMatchObject({ version: version + 1, asked: 2 });
  });

  it("shows the model's text, cut to 500 characters, or else the call in its progress line", () => {
    const play = new Play();
    play.reply([look], "x".repeat(501));
    expect(play.state.message).toBe("x".repeat(500));
    play.runs();
    expect(play.state.message).toBe("Doing look");
    play.returns("look");
    play.reply([END]);
    expect(play.state.message).toBe("Deciding what to do next");
  });

  it.each([
    ["cannot_do", "cannot_do"],
    ["source_unavailable", "source_unavailable"],
    [undefined, "cannot_do"],
  ] as const)("fails for the reason %s that the model gives as %s", (reason, code) => {
    const play = running([END]);
    play.finish({ status: "failed", summary: "no such page", ...(reason && { reason }) });
    expect(play.state).toMatchObject({
      status: "failed",
      statusDetail: code,
      error: { code, message: "no such page" },
    });
    expect(play.outputs).toEqual([]);
  });

  it("has no second output when a tool created one", () => {
    const play = running([callOf("local", "emit"), END]);
    play.returns("emit", { ...found, outputs: [outputOf("Prices", "1")] });
    play.runs();
    play.finish();
    expect(play.outputs).toEqual(["Prices"]);
  });
});

describe("the order of calls", () => {
  const unknown = {
    ...callOf("local", "x", { tool: "dance" }),
    refused: failure("unknown_tool").answer,
  };

  it("runs up to six reads side by side, in any order, and waits for all of them", () => {
    const play = new Play();
    play.reply(Array.from({ length: 8 }, (_, n) => callOf("read", `r${n}`)));
    expect(play.runs()).toEqual(["r0", "r1", "r2", "r3", "r4", "r5"]);
    for (const callId of ["r5", "r4", "r3", "r2", "r1"]) play.returns(callId);
    expect([play.answers("r0"), play.answers("r5")]).toEqual([[], ["ok"]]);
    expect(play.next()).toEqual({ do: "rest" });
    play.returns("r0");
    expect(play.runs()).toEqual(["r6", "r7"]);
  });

  it("runs local calls and effects one by one, in their order", () => {
    const play = new Play();
    play.reply([
      callOf("local", "a"),
      callOf("read", "b"),
      callOf("read", "c"),
      callOf("effect", "d"),
      callOf("effect", "e"),
      callOf("read", "f"),
    ]);
    const batches = Array.from({ length: 5 }, () => {
      const batch = play.runs();
      for (const callId of batch) play.returns(callId);
      return batch;
    });
    expect(batches).toEqual([["a"], ["b", "c"], ["d"], ["e"], ["f"]]);
  });

  it("answers refused calls without running them, and runs the rest", () => {
    const play = new Play();
    play.reply([unknown, look]);
    expect(play.answers("x")).toEqual(["unknown_tool"]);
    expect(machineState.parse(play.state)).toEqual(play.state);
    expect(play.runs()).toEqual(["look"]);
    play.returns("look");
    expect(play.state.creditsUsed).toBe(2);
  });

  it("returns to the model if all calls were refused", () => {
    const play = new Play();
    play.reply([unknown]);
    expect(play.next().do).toBe("ask_model");
    expect(play.state.stepsCompleted).toBe(1);
  });

  it("ignores a second result of one call", () => {
    const play = running([look]);
    play.returns("look");
    play.returns("look", { answer: { ok: true, content: "again" } });
    expect(play.answers("look")).toEqual(["ok"]);
    expect(play.state).toMatchObject({ creditsUsed: 2, usage: { toolCalls: 1 } });
  });
});

describe("a finish call beside an action", () => {
  function finishesAfter(result: typeof found, status: "completed" | "failed") {
    const play = running([callOf("effect", "post"), END]);
    play.returns("post", result);
    play.runs();
    play.finish({ status, summary: "It is sent." });
    return play;
  }

  it("waits for the other calls of its reply, in any position", () => {
    const play = new Play();
    play.reply([END, callOf("effect", "post"), look]);
    for (const callId of ["post", "look"]) {
      expect(play.runs()).toEqual([callId]);
      play.returns(callId);
    }
    expect(play.runs()).toEqual(["end"]);
    play.finish();
    expect(play.state.status).toBe("completed");
    expect(play.effects.get("post")).toBe("confirmed");
  });

  it("is ignored if the action is not certain: the model reads that first", () => {
    const play = finishesAfter(failure("uncertain"), "completed");
    expect(play.answers("end")).toEqual(["unread_answer"]);
    expect(play.refusals("end")).toEqual([expect.stringMatching(/failed\. Read its answer/)]);
    expect(play.next().do).toBe("ask_model");
  });

  it("is ignored if another call was refused, so that no result claims missing work", () => {
    const refused = failure("invalid_input").answer;
    const play = running([{ ...callOf("local", "mail", { tool: "send_email" }), refused }, END]);
    play.finish();
    expect(play.answers("end")).toEqual(["unread_answer"]);
  });

  it("is ignored if the action was answered with an HTTP error", () => {
    const play = finishesAfter(answered(422), "completed");
    expect(play.answers("end")).toEqual(["unread_answer"]);
    expect(finishesAfter(answered(201), "completed").state.status).toBe("completed");
  });

  it("is accepted if the action is done, or if the model gives up anyway", () => {
    expect(finishesAfter(found, "completed").state.status).toBe("completed");
    expect(finishesAfter(failure("uncertain"), "failed").state.status).toBe("failed");
  });
});

describe("the ledger of effects", () => {
  it.each([
    ["confirmed", found],
    ["failed", failure("http_400")],
    ["uncertain", failure("uncertain")],
    ["confirmed", answered(303)],
    ["failed", answered(308)],
    ["failed", answered(422)],
    ["uncertain", answered(503)],
  ])("lists an effect as possibly done before it is tried, then as %s", (state, result) => {
    const play = running([callOf("effect", "post"), look]);
    expect([...play.effects]).toEqual([["post", "uncertain"]]);
    play.returns("post", result);
    play.runs();
    play.returns("look");
    expect([...play.effects]).toEqual([["post", state]]);
  });
});

describe("usage", () => {
  it("adds up tokens, model steps and tool calls", () => {
    const play = new Play();
    play.step(callOf("read", "a"), callOf("local", "b"));
    play.reply([END]);
    expect(play.state.usage).toEqual({
      inputTokens: 20,
      outputTokens: 10,
      cachedTokens: 4,
      modelSteps: 2,
      toolCalls: 2,
    });
  });

  it.each([
    ["the call's own price", found, 3],
    ["less when the tool did less", { ...found, price: 1 }, 2],
    ["never more than was announced", { ...found, price: 9 }, 3],
  ])("charges %s", (_, result, total) => {
    const play = running([callOf("local", "code", { price: 2 })]);
    play.returns("code", result);
    expect(play.state.creditsUsed).toBe(total);
  });

  it.each(["address_refused", "recipient_not_allowed", "unknown_call", "tool_changed"])(
    "charges nothing for a call refused before it ran: %s",
    (code) => {
      const play = running([look]);
      play.returns("look", failure(code));
      expect(play.state).toMatchObject({ creditsUsed: 1, usage: { toolCalls: 0 } });
      expect(play.logged("tool.finished")).toMatchObject([{ credits: 0 }]);
    },
  );

  it("charges for a failed call that reached its page", () => {
    const play = running([look]);
    play.returns("look", failure("http_error"));
    expect(play.state).toMatchObject({ creditsUsed: 2, usage: { toolCalls: 1 } });
  });
});

describe("the price of a model step", () => {
  const replied = (
    [inputTokens, cachedTokens, outputTokens]: [number, number, number],
    seed: Partial<ExecutionSeed> = {},
  ) => {
    const play = new Play(seed);
    const what = play.next();
    if (what.do !== "ask_model") throw new Error("the model is not asked");
    const usage = { inputTokens, cachedTokens, outputTokens };
    const reply = { ...replyOf([END]), usage, start: what.start };
    play.commit((t) => modelReplied(t, reply, [END]));
    play.runs();
    return play;
  };

  it.each([
    [0, 0, 0, 1],
    [10_000, 0, 0, 1],
    [10_001, 0, 0, 2],
    [0, 0, 2_500, 1],
    [0, 0, 2_501, 2],
    [100_000, 100_000, 0, 1],
    [100_010, 100_000, 0, 2],
    [60_000, 50_000, 5_000, 4],
  ])("is, for %i tokens read, %i of them cached, and %i written: %i", (...row) => {
    const [read, cached, written, credits] = row;
    expect(replied([read, cached, written]).state.creditsUsed).toBe(credits);
  });

  it("never exceeds the held credits, and the reply still counts", () => {
    const play = replied([90_000, 0, 0], { heldCredits: 4 });
    expect(play.state.creditsUsed).toBe(4);
    play.finish();
    expect(play.state).toMatchObject({ status: "completed", creditsUsed: 4 });
  });

  it("is the estimate of the next step", () => {
    const play = replied([90_000, 0, 0]);
    play.finish(undefined, { violations: [{ path: "", rule: "type", message: "wrong" }] });
    expect(play.next()).toMatchObject({ start: { stepPrice: 9 } });
  });
});

describe("the evidence of an answer", () => {
  const sum = callOf("read", "sum");

  it("has its address and the calls that it is based on", () => {
    const play = running([look, sum]);
    const url = "https://example.com/prices";
    play.returns("look", { ...found, url });
    play.returns("sum", { ...found, basedOn: ["look"] });
    expect(play.evidence).toEqual([
      { kind: "evidence", callId: "look", url, basedOn: [] },
      { kind: "evidence", callId: "sum", url: null, basedOn: ["look"] },
    ]);
  });

  it("notes a cut source, in the log and for the model too", () => {
    const play = running([look, sum, callOf("read", "whole")]);
    play.returns("look", { ...found, cut: "2 MiB", cuts: ["2 MiB"] });
    play.returns("sum", { ...found, basedOn: ["look"], cuts: ["2 MiB"] });
    play.returns("whole", { ...found, cut: null });
    const cuts = play.logged("tool.finished").map((each) => each.cuts);
    expect(cuts).toEqual([["2 MiB"], ["2 MiB"], undefined]);
    const notes = play.turns.flatMap((turn) => (turn.role === "tool" ? [turn.note] : []));
    const cutNote = expect.stringContaining("cut at 2 MiB");
    expect(notes).toEqual([cutNote, cutNote, undefined]);
    expect(play.evidence.map(({ cut }) => cut)).toEqual(["2 MiB", undefined, null]);
  });

  it("marks an effect that sent cut data, unless it sent nothing", () => {
    const play = running([callOf("effect", "mail"), callOf("effect", "lost")]);
    play.returns("mail", { ...found, isSentCut: true });
    play.runs();
    play.returns("lost", { ...failure("not_sent"), isSentCut: true });
    expect(play.sentCut).toEqual(["mail"]);
  });
});

describe("a result of a call that no longer runs", () => {
  it.each([
    ["a question", (play: Play) => play.ask()],
    ["a finish", (play: Play) => play.finish()],
    ["an answer", (play: Play) => play.returns("end")],
  ])("is dropped: %s", (_, comesLate) => {
    const play = new Play();
    play.reply([look, ASK, END]);
    const { state } = play;
    comesLate(play);
    expect(play.state).toEqual(state);
    expect([...play.answers("ask"), ...play.answers("end")]).toEqual([]);
  });
});
