import { describe, expect, it } from "vitest";
import { finish } from "../../../../src/agent/machine/replies.ts";
import { callOf, found, Play, START } from "../../../support/execution.ts";

/** The model's `finish`, as the loop hands it on. */
function finishes(play: Play, summary = "All done"): void {
  expect(play.runs()).toEqual(["end"]);
  play.commit((t) => finish(t, "end", { status: "completed", summary }, []));
}

const end = callOf("control", "end");

describe("an execution that goes well", () => {
  it("opens its log with the status and its conversation with the prompt", () => {
    const play = new Play({ prompt: "Find the price" });
    expect(play.events).toEqual([
      { type: "status", version: 1, data: { status: "active", statusDetail: "queued" } },
    ]);
    expect(play.turns).toEqual([{ role: "user", text: "Find the price" }]);
  });

  it("plans, runs calls, thinks again and completes", () => {
    const play = new Play();
    play.reply([callOf("read", "look")], "I will look first");
    expect(play.runs()).toEqual(["look"]);
    play.returns("look");
    play.reply([end]);
    finishes(play);
    expect(play.statuses()).toEqual([
      "active/queued",
      "active/planning",
      "active/running",
      "completed/done",
    ]);
    expect(play.turns.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(play.state).toMatchObject({ summary: "All done", stepsCompleted: 2, creditsUsed: 3 });
    expect(play.next()).toEqual({ do: "rest" });
  });

  it("starts and ends each step once in the log", () => {
    const play = new Play();
    play.reply([callOf("read", "look")]);
    play.runs();
    play.returns("look");
    play.reply([end]);
    finishes(play);
    expect(play.logged("step.started")).toEqual([{ step: 1 }, { step: 2 }]);
    expect(play.logged("step.finished")).toEqual([
      { step: 1, creditsConsumed: 2 },
      { step: 2, creditsConsumed: 3 },
    ]);
  });

  it("raises the version by one with each stored change, and with nothing else", () => {
    const play = new Play();
    const versions = [play.state.version];
    play.reply([callOf("read", "look")]);
    versions.push(play.state.version);
    play.runs();
    versions.push(play.state.version);
    play.next();
    versions.push(play.state.version);
    expect(versions).toEqual([1, 3, 4, 4]);
  });

  it("starts its clock of work with the first question to the model", () => {
    const play = new Play();
    play.now = START + 5_000;
    play.next();
    expect(play.state.startedAt).toBe(START + 5_000);
    expect(play.state.message).not.toBe("Waiting to start");
  });

  it("hands the result's data on", () => {
    const play = new Play();
    play.reply([end]);
    play.runs();
    play.commit((t) => finish(t, "end", { status: "completed", summary: "ok", data: [1] }, []));
    expect(play.state).toMatchObject({ status: "completed", data: [1] });
  });

  it("fails when the model says that it could not do it", () => {
    const play = new Play();
    play.reply([end]);
    play.runs();
    play.commit((t) => finish(t, "end", { status: "failed", summary: "no such page" }, []));
    expect(play.state).toMatchObject({
      status: "failed",
      error: { code: "model_error", message: "no such page" },
    });
  });
});

describe("the order of calls", () => {
  const reads = (count: number) => Array.from({ length: count }, (_, n) => callOf("read", `r${n}`));

  it("runs up to six reads side by side", () => {
    const play = new Play();
    play.reply(reads(8));
    expect(play.runs()).toEqual(["r0", "r1", "r2", "r3", "r4", "r5"]);
  });

  it("waits for the whole batch before the next", () => {
    const play = new Play();
    play.reply(reads(7));
    const batch = play.runs();
    for (const callId of batch.slice(1)) play.returns(callId);
    expect(play.next()).toEqual({ do: "rest" });
    play.returns("r0");
    expect(play.runs()).toEqual(["r6"]);
  });

  it("takes results in any order", () => {
    const play = new Play();
    play.reply(reads(3));
    for (const callId of play.runs().reverse()) play.returns(callId);
    expect(play.next().do).toBe("ask_model");
    expect(["r0", "r1", "r2"].flatMap((callId) => play.answers(callId))).toEqual([
      "ok",
      "ok",
      "ok",
    ]);
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
    const batches: string[][] = [];
    for (let n = 0; n < 5; n += 1) {
      const batch = play.runs();
      batches.push(batch);
      for (const callId of batch) play.returns(callId);
    }
    expect(batches).toEqual([["a"], ["b", "c"], ["d"], ["e"], ["f"]]);
  });

  it("does not run a read beside one that needs approval", () => {
    const play = new Play();
    play.reply([callOf("read", "a"), callOf("read", "b", { needsApproval: true })]);
    expect(play.runs()).toEqual(["a"]);
  });

  it("answers refused calls without running them, and runs the others", () => {
    const refused = { ok: false as const, error: { code: "unknown_tool", message: "no" } };
    const play = new Play();
    play.reply([{ callId: "x", tool: "dance", refused }, callOf("read", "look")]);
    expect(play.answers("x")).toEqual(["unknown_tool"]);
    expect(play.runs()).toEqual(["look"]);
    play.returns("look");
    expect(play.state.creditsUsed).toBe(2);
  });

  it("goes back to the model when all calls were refused", () => {
    const refused = { ok: false as const, error: { code: "unknown_tool", message: "no" } };
    const play = new Play();
    play.reply([{ callId: "x", tool: "dance", refused }]);
    expect(play.next().do).toBe("ask_model");
    expect(play.state.stepsCompleted).toBe(1);
  });

  it("ignores a second result of one call", () => {
    const play = new Play();
    play.reply([callOf("read", "look")]);
    play.runs();
    play.returns("look");
    play.returns("look", { answer: { ok: true, content: "again" } });
    expect(play.answers("look")).toEqual(["ok"]);
    expect(play.state).toMatchObject({ creditsUsed: 2, usage: { toolCalls: 1 } });
  });
});

describe("an end that was asked for beside an action", () => {
  const end = callOf("control", "end");
  const failure = { answer: { ok: false as const, error: { code: "uncertain", message: "?" } } };

  function finishesAfter(result: typeof failure | typeof found, status: "completed" | "failed") {
    const play = new Play();
    play.reply([callOf("effect", "post"), end]);
    play.runs();
    play.returns("post", result);
    play.runs();
    play.commit((t) => finish(t, "end", { status, summary: "It is sent." }, []));
    return play;
  }

  it("is not taken when the action was not done for certain: the model reads that first", () => {
    const play = finishesAfter(failure, "completed");
    expect(play.answers("end")).toEqual(["unread_answer"]);
    expect(play.next().do).toBe("ask_model");
  });

  it("is not taken when another call was refused or failed, so that no result claims what is not there", () => {
    const refused = { ok: false as const, error: { code: "invalid_input", message: "no to" } };
    const play = new Play();
    play.reply([{ callId: "mail", tool: "send_email", refused }, end]);
    play.runs();
    play.commit((t) => finish(t, "end", { status: "completed", summary: "It is sent." }, []));
    expect(play.answers("end")).toEqual(["unread_answer"]);
  });

  it("is taken when it was done, or when the model gives up anyway", () => {
    expect(finishesAfter(found, "completed").state.status).toBe("completed");
    expect(finishesAfter(failure, "failed").state.status).toBe("failed");
  });
});

describe("the ledger of effects", () => {
  it("counts an effect as possibly done from before it is tried", () => {
    const play = new Play();
    play.reply([callOf("effect", "post")]);
    play.runs();
    expect([...play.effects]).toEqual([["post", "uncertain"]]);
    play.returns("post");
    expect([...play.effects]).toEqual([["post", "confirmed"]]);
  });

  it("notes an effect that failed", () => {
    const play = new Play();
    play.reply([callOf("effect", "post")]);
    play.runs();
    play.returns("post", { answer: { ok: false, error: { code: "http_400", message: "no" } } });
    expect(play.effects.get("post")).toBe("failed");
  });

  it("leaves an effect uncertain of which the tool does not know the outcome", () => {
    const play = new Play();
    play.reply([callOf("effect", "post")]);
    play.runs();
    play.returns("post", { answer: { ok: false, error: { code: "uncertain", message: "?" } } });
    expect(play.effects.get("post")).toBe("uncertain");
  });

  it("keeps no entry for reads", () => {
    const play = new Play();
    play.reply([callOf("read", "look")]);
    play.runs();
    play.returns("look");
    expect(play.effects.size).toBe(0);
  });
});

describe("usage", () => {
  it("adds up tokens, model steps and tool calls", () => {
    const play = new Play();
    play.reply([callOf("read", "a"), callOf("local", "b")]);
    for (const callId of play.runs()) play.returns(callId);
    for (const callId of play.runs()) play.returns(callId, found);
    play.reply([end]);
    expect(play.state.usage).toEqual({
      inputTokens: 20,
      outputTokens: 10,
      cachedTokens: 4,
      modelSteps: 2,
      toolCalls: 2,
    });
  });

  it("charges a call's own price", () => {
    const play = new Play();
    play.reply([callOf("local", "code", { price: 2 })]);
    play.runs();
    play.returns("code");
    expect(play.state.creditsUsed).toBe(3);
  });
});
