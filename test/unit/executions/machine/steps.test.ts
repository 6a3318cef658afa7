import { describe, expect, it } from "vitest";
import type { NewOutput } from "../../../../src/agent/tools/tool.ts";
import type { ExecutionSeed } from "../../../../src/contract/session.ts";
import { askUser, finish, modelReplied } from "../../../../src/executions/machine/replies.ts";
import { machineState } from "../../../../src/executions/machine/state.ts";
import { callOf, found, NO_CHECKS, Play, replyOf, START } from "../../../support/execution.ts";

/** The model's `finish`, as the loop hands it on. */
function finishes(play: Play, summary = "All done"): void {
  expect(play.runs()).toEqual(["end"]);
  play.commit((t) => finish(t, "end", { status: "completed", summary }, NO_CHECKS));
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

  it("tells the model the time and what is left, and keeps that with its reply", () => {
    const play = new Play({ maxSteps: 5, heldCredits: 20, timeoutSeconds: 600 });
    const left = { step: 1, stepsLeft: 5, creditsLeft: 20, secondsLeft: 600 };
    expect(play.next()).toMatchObject({ start: { at: START, ...left } });
    play.reply([callOf("read", "look")]);
    expect(play.turns.at(-1)).toMatchObject({ role: "assistant", start: left });
    play.runs();
    play.now += 60_500;
    play.returns("look");
    expect(play.next()).toMatchObject({
      start: { at: START + 60_500, step: 2, stepsLeft: 4, creditsLeft: 18, secondsLeft: 539 },
    });
  });

  it("has outputs of 8 MiB, and refuses a call that would add to them", () => {
    const output = (megabytes: number): NewOutput => ({
      label: `${megabytes} MB`,
      nodeType: "TEXT",
      type: "text",
      mediaType: "text/plain",
      value: "x".repeat(megabytes * 1_000_000),
    });
    const answer = { ok: true, content: null } as const;
    const play = new Play();
    play.reply(["a", "b", "c"].map((callId) => callOf("read", callId)));
    play.runs();
    play.returns("a", { answer, outputs: [output(5)] });
    play.returns("b", { answer, outputs: [output(1), output(3)] });
    play.returns("c", { answer, outputs: [output(2)] });
    expect(play.outputs).toEqual(["5 MB", "2 MB"]);
    expect(play.answers("b")).toEqual(["invalid_input"]);
    expect(play.state.outputs).toBe(2);
  });

  it("starts and ends each step once in the log", () => {
    const play = new Play();
    play.reply([callOf("read", "look")]);
    play.runs();
    play.now += 40;
    play.returns("look");
    play.reply([end]);
    finishes(play);
    expect(play.logged("step.started")).toEqual([{ step: 1 }, { step: 2 }]);
    const usage = {
      inputTokens: 10,
      outputTokens: 5,
      cachedTokens: 2,
      modelSteps: 1,
      toolCalls: 1,
    };
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
    expect(play.state).toMatchObject({ startedAt: null, message: "Waiting to start" });
    play.now = START + 5_000;
    play.next();
    expect(play.state).toMatchObject({
      startedAt: START + 5_000,
      message: "Deciding what to do next",
    });
  });

  it("stores each start of a model call, so that a lost one counts", () => {
    const play = new Play();
    play.next();
    const { version } = play.state;
    play.next();
    expect(play.state).toMatchObject({ version: version + 1, asked: 2 });
  });

  it("counts as running once a call runs, not while the model's own call is decided", () => {
    const play = new Play();
    play.reply([end]);
    play.runs();
    expect(play.statuses().at(-1)).toBe("active/planning");
    const other = new Play();
    other.reply([callOf("read", "look")]);
    other.runs();
    expect(other.statuses().at(-1)).toBe("active/running");
  });

  it("shows in its progress line what the model says, cut to 500 characters, or else the call", () => {
    const play = new Play();
    play.reply([callOf("read", "look")], "x".repeat(501));
    expect(play.state.message).toBe("x".repeat(500));
    play.runs();
    expect(play.state.message).toBe("Doing look");
    play.returns("look");
    play.reply([end]);
    expect(play.state.message).toBe("Deciding what to do next");
  });

  it("hands the result's data on", () => {
    const play = new Play();
    play.reply([end]);
    play.runs();
    play.commit((t) =>
      finish(t, "end", { status: "completed", summary: "ok", data: [1] }, NO_CHECKS),
    );
    expect(play.state).toMatchObject({ status: "completed", data: [1] });
  });

  it.each([
    ["cannot_do", "cannot_do"],
    ["source_unavailable", "source_unavailable"],
    [undefined, "cannot_do"],
  ] as const)("fails for the reason %s that the model gives as %s", (reason, code) => {
    const play = new Play();
    play.reply([end]);
    play.runs();
    const input = { status: "failed", summary: "no such page", ...(reason && { reason }) } as const;
    play.commit((t) => finish(t, "end", input, NO_CHECKS));
    expect(play.state).toMatchObject({
      status: "failed",
      statusDetail: code,
      error: { code, message: "no such page" },
    });
    expect(play.outputs).toEqual([]);
  });

  it("has its answer as an output when it completes without another", () => {
    const play = new Play();
    play.reply([end]);
    finishes(play);
    expect(play.outputs).toEqual(["Answer"]);
    expect(play.events.at(-1)).toMatchObject({ type: "status", data: { status: "completed" } });
  });

  it("has no second output when a tool created one", () => {
    const play = new Play();
    play.reply([callOf("local", "emit")]);
    play.runs();
    const table = { label: "Prices", nodeType: "TEXT", type: "text", mediaType: "text/plain" };
    play.returns("emit", { ...found, outputs: [{ ...table, value: "1" } as NewOutput] });
    play.reply([end]);
    finishes(play);
    expect(play.outputs).toEqual(["Prices"]);
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
    play.runs();
    play.returns("r2");
    expect([play.answers("r0"), play.answers("r2")]).toEqual([[], ["ok"]]);
    for (const callId of ["r1", "r0"]) play.returns(callId);
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
    play.reply([{ ...callOf("local", "x", { tool: "dance" }), refused }, callOf("read", "look")]);
    expect(play.answers("x")).toEqual(["unknown_tool"]);
    expect(machineState.parse(play.state)).toEqual(play.state);
    expect(play.runs()).toEqual(["look"]);
    play.returns("look");
    expect(play.state.creditsUsed).toBe(2);
  });

  it("goes back to the model when all calls were refused", () => {
    const refused = { ok: false as const, error: { code: "unknown_tool", message: "no" } };
    const play = new Play();
    play.reply([{ ...callOf("local", "x", { tool: "dance" }), refused }]);
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
    play.commit((t) => finish(t, "end", { status, summary: "It is sent." }, NO_CHECKS));
    return play;
  }

  it("waits for the other calls of its reply, wherever it stands among them", () => {
    const play = new Play();
    play.reply([end, callOf("effect", "post"), callOf("read", "look")]);
    expect(play.runs()).toEqual(["post"]);
    play.returns("post");
    expect(play.runs()).toEqual(["look"]);
    play.returns("look");
    finishes(play);
    expect(play.state.status).toBe("completed");
    expect(play.effects.get("post")).toBe("confirmed");
  });

  it("is not taken when the action was not done for certain: the model reads that first", () => {
    const play = finishesAfter(failure, "completed");
    expect(play.answers("end")).toEqual(["unread_answer"]);
    expect(play.refusals("end")).toEqual([expect.stringMatching(/failed\. Read its answer/)]);
    expect(play.next().do).toBe("ask_model");
  });

  it("is not taken when another call was refused or failed, so that no result claims what is not there", () => {
    const refused = { ok: false as const, error: { code: "invalid_input", message: "no to" } };
    const play = new Play();
    play.reply([{ ...callOf("local", "mail", { tool: "send_email" }), refused }, end]);
    play.runs();
    play.commit((t) =>
      finish(t, "end", { status: "completed", summary: "It is sent." }, NO_CHECKS),
    );
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

  it.each([
    ["the call's own price", undefined, 3],
    ["less when the tool did less", 1, 2],
    ["never more than was announced", 9, 3],
  ])("charges %s", (_, price, total) => {
    const play = new Play();
    play.reply([callOf("local", "code", { price: 2 })]);
    play.runs();
    play.returns("code", price === undefined ? found : { ...found, price });
    expect(play.state.creditsUsed).toBe(total);
  });
});

describe("the price of a model step", () => {
  const replied = (
    usage: { inputTokens: number; outputTokens: number; cachedTokens: number },
    seed: Partial<ExecutionSeed> = {},
  ) => {
    const play = new Play(seed);
    const what = play.next();
    if (what.do !== "ask_model") throw new Error("the model is not asked");
    const reply = { ...replyOf([end]), usage, start: what.start };
    play.commit((t) => modelReplied(t, reply, [end]));
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
  ])(
    "is, for %i tokens read, %i of them cached, and %i written: %i",
    (inputTokens, cachedTokens, outputTokens, credits) => {
      const { state } = replied({ inputTokens, cachedTokens, outputTokens });
      expect(state.creditsUsed).toBe(credits);
    },
  );

  it("never exceeds what is held, and the reply counts all the same", () => {
    const play = replied(
      { inputTokens: 90_000, cachedTokens: 0, outputTokens: 0 },
      { heldCredits: 4 },
    );
    expect(play.state.creditsUsed).toBe(4);
    finishes(play);
    expect(play.state).toMatchObject({ status: "completed", creditsUsed: 4 });
  });

  it("is the estimate of the next one", () => {
    const play = replied({ inputTokens: 90_000, cachedTokens: 0, outputTokens: 0 });
    play.runs();
    play.commit((t) =>
      finish(
        t,
        "end",
        { status: "completed", summary: "?" },
        {
          ...NO_CHECKS,
          violations: [{ path: "", rule: "type", message: "wrong" }],
        },
      ),
    );
    expect(play.next()).toMatchObject({ start: { stepPrice: 9 } });
  });
});

describe("a call that was refused before it did anything", () => {
  it.each(["address_refused", "recipient_not_allowed", "unknown_call", "tool_changed"])(
    "is free: %s",
    (code) => {
      const play = new Play();
      play.reply([callOf("read", "look")]);
      play.runs();
      play.returns("look", { answer: { ok: false, error: { code, message: "no" } } });
      expect(play.state).toMatchObject({ creditsUsed: 1, usage: { toolCalls: 0 } });
      expect(play.logged("tool.finished")).toMatchObject([{ credits: 0 }]);
    },
  );

  it("is not one that failed: a page that answers with an error was asked", () => {
    const play = new Play();
    play.reply([callOf("read", "look")]);
    play.runs();
    play.returns("look", { answer: { ok: false, error: { code: "http_error", message: "404" } } });
    expect(play.state).toMatchObject({ creditsUsed: 2, usage: { toolCalls: 1 } });
  });
});

describe("the evidence of an answer", () => {
  it("is stored with its address and the calls that it is based on", () => {
    const play = new Play();
    play.reply([callOf("read", "look"), callOf("read", "sum")]);
    play.runs();
    const url = "https://example.com/prices";
    play.returns("look", { ...found, url });
    play.returns("sum", { ...found, basedOn: ["look"] });
    expect(play.evidence).toEqual([
      { kind: "evidence", callId: "look", url, basedOn: [] },
      { kind: "evidence", callId: "sum", url: null, basedOn: ["look"] },
    ]);
  });
});

describe("an answer whose source was cut", () => {
  it("says so in the log, to the model and in the evidence", () => {
    const play = new Play();
    play.reply([callOf("read", "look"), callOf("read", "sum"), callOf("read", "whole")]);
    play.runs();
    play.returns("look", { ...found, cut: "2 MiB", cuts: ["2 MiB"] });
    play.returns("sum", { ...found, basedOn: ["look"], cuts: ["2 MiB"] });
    play.returns("whole", { ...found, cut: null });
    expect(play.logged("tool.finished").map(({ cuts }) => cuts)).toEqual([
      ["2 MiB"],
      ["2 MiB"],
      undefined,
    ]);
    const notes = play.turns.flatMap((turn) => (turn.role === "tool" ? [turn.note] : []));
    expect(notes).toEqual([
      expect.stringContaining("cut at 2 MiB"),
      expect.stringContaining("cut at 2 MiB"),
      undefined,
    ]);
    expect(play.evidence.map(({ cut }) => cut)).toEqual(["2 MiB", undefined, null]);
  });

  it("marks the effect that sent it, unless nothing was sent", () => {
    const play = new Play();
    play.reply([callOf("effect", "mail"), callOf("effect", "lost")]);
    play.runs();
    play.returns("mail", { ...found, isSentCut: true });
    play.runs();
    const error = { code: "not_sent", message: "No." };
    play.returns("lost", { answer: { ok: false, error }, isSentCut: true });
    expect(play.sentCut).toEqual(["mail"]);
  });
});

describe("a result of a call that no longer runs", () => {
  it.each([
    [
      "a question",
      (play: Play) => play.commit((t) => askUser(t, play.seed, "end", { question: "Which one?" })),
    ],
    [
      "a finish",
      (play: Play) =>
        play.commit((t) => finish(t, "end", { status: "completed", summary: "Late" }, NO_CHECKS)),
    ],
    ["an answer", (play: Play) => play.returns("end")],
  ])("is dropped: %s", (_, comesLate) => {
    const play = new Play();
    play.reply([end, callOf("read", "look")]);
    const { state } = play;
    comesLate(play);
    expect(play.state).toEqual(state);
    expect(play.answers("end")).toEqual([]);
  });
});
