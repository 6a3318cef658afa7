import { describe, expect, it } from "vitest";
import { ModelError } from "../../../../src/contract/conversation.ts";
import { recover, stepFailed } from "../../../../src/executions/machine/recovery.ts";
import { modelFailed } from "../../../../src/executions/machine/replies.ts";
import { machineState } from "../../../../src/executions/machine/state.ts";
import { backoffMs } from "../../../../src/lib/async.ts";
import { callOf, Play } from "../../../support/execution.ts";

const BUSY = new ModelError("The model is busy.", { retryable: true });

/** Asks the model, whose answer is lost with the process; so many times. */
function losesTheModel(play: Play, times: number): void {
  waits(play);
  for (let n = 0; n < times; n += 1) {
    expect(play.next().do).toBe("ask_model");
    play.commit((t) => recover(t, play.seed, backoffMs));
    waits(play);
  }
}

/** Lets the pause of the execution pass, if it makes one. */
function waits(play: Play): void {
  play.now = Math.max(play.now, play.state.retryAt ?? 0);
}

/** The model answers, and the step is done. */
function getsOn(play: Play): void {
  const callId = `look${play.state.version}`;
  play.reply([callOf("read", callId)]);
  play.runs();
  play.returns(callId);
  play.commit((t) => t.finishStep());
}

describe("recovery", () => {
  const recovers = (play: Play) => play.commit((t) => recover(t, play.seed, backoffMs));

  it("runs reads and local calls again", () => {
    const play = new Play();
    play.reply([callOf("read", "a"), callOf("read", "b")]);
    play.runs();
    play.returns("a");
    recovers(play);
    const { executionId } = play.seed;
    expect(play.logged("log")).toEqual([
      { message: "Resumed after an interruption of the service.", executionId },
    ]);
    expect(play.runs()).toEqual(["b"]);
    expect(play.answers("a")).toEqual(["ok"]);
  });

  it("tells of an effect that was under way, and never repeats it", () => {
    const play = new Play();
    play.reply([callOf("effect", "post"), callOf("read", "look")]);
    play.runs();
    recovers(play);
    expect(play.answers("post")).toEqual(["uncertain"]);
    expect(play.refusals("post")).toEqual([expect.stringContaining("may have taken effect")]);
    expect(play.effects.get("post")).toBe("uncertain");
    expect(play.runs()).toEqual(["look"]);
    play.returns("post");
    expect(play.answers("post")).toEqual(["uncertain"]);
  });

  it("leaves a confirmed effect alone", () => {
    const play = new Play();
    play.reply([callOf("effect", "post"), callOf("read", "look")]);
    play.runs();
    play.returns("post");
    play.runs();
    recovers(play);
    expect(play.effects.get("post")).toBe("confirmed");
    expect(play.runs()).toEqual(["look"]);
  });

  it("begins the step that was lost while the model was asked only once in the log", () => {
    const play = new Play();
    play.next();
    recovers(play);
    expect(play.next().do).toBe("ask_model");
    expect(play.logged("step.started")).toEqual([{ step: 1 }]);
  });

  it("reads a state that was stored before the beginnings of steps were kept and counted", () => {
    const { stepsStarted: _, asked: __, ...older } = new Play().state;
    expect(machineState.parse(older)).toEqual({ ...older, stepsStarted: 0, asked: 0 });
  });

  it("changes nothing where nothing was under way", () => {
    for (const play of [new Play(), waiting(), replied()]) {
      const { state, events } = play;
      const logged = events.length;
      recovers(play);
      expect(play.state).toEqual(state);
      expect(events).toHaveLength(logged);
    }
  });

  it("gives a call up that the process was lost with eight times, and charges nothing for it", () => {
    const play = new Play();
    play.reply([callOf("local", "code"), callOf("local", "next")]);
    for (let n = 0; n < 8; n += 1) {
      expect(play.runs()).toEqual(["code"]);
      recovers(play);
      waits(play);
    }
    expect(play.answers("code")).toEqual(["interrupted"]);
    expect(play.refusals("code")).toEqual([expect.stringMatching(/8 times.*does not run again/)]);
    expect(play.runs()).toEqual(["next"]);
    expect(play.state.creditsUsed).toBe(1);
  });

  it("ends a step that the process was lost with eight times while the model was asked, for free", () => {
    const play = new Play();
    losesTheModel(play, 8);
    expect(play.next()).toEqual({ do: "rest" });
    expect(play.state).toMatchObject({
      status: "failed",
      error: {
        code: "internal_error",
        message: expect.stringContaining("8 times during the model call of step 1"),
      },
      creditsUsed: 0,
    });
  });

  it.each([
    ["a reply", getsOn],
    [
      "a failure of the model",
      (play: Play) => play.commit((t) => modelFailed(t, BUSY, play.seed, 0)),
    ],
    ["a fault of our own", (play: Play) => play.commit(stepFailed)],
    ["an interrupt", (play: Play) => play.message("m", { mode: "interrupt" })],
  ])("counts losses of the model's turn anew after %s", (_, comesBack) => {
    const play = new Play();
    losesTheModel(play, 7);
    comesBack(play);
    losesTheModel(play, 7);
    expect(play.state.status).toBe("active");
  });

  it("does not count the losses of an execution that gets on between them", () => {
    const play = new Play();
    for (let step = 0; step < 20; step += 1) {
      losesTheModel(play, 2);
      getsOn(play);
    }
    expect(play.state).toMatchObject({ status: "active", stepsCompleted: 20 });
  });

  it("pauses before a step that was lost again, for as long as it is told", () => {
    const play = new Play();
    losesTheModel(play, 1);
    expect(play.state.retryAt).toBeNull();
    play.next();
    play.commit((t) => recover(t, play.seed, (losses) => losses * 1_000));
    expect(play.state).toMatchObject({
      status: "active",
      statusDetail: "retrying",
      retryAt: play.now + 2_000,
    });
  });

  it("pauses for the call that was lost most often", () => {
    const play = new Play();
    const loses = () => play.commit((t) => recover(t, play.seed, (losses) => losses * 1_000));
    play.reply([callOf("read", "often"), callOf("read", "once")]);
    play.next();
    play.commit((t) => {
      if (t.state.phase.kind !== "tools") throw new Error(t.state.phase.kind);
      const [often, once] = t.state.phase.calls;
      if (often === undefined || once === undefined) throw new Error("calls are missing");
      often.losses = 2;
      for (const call of [often, once]) call.state = "started";
      t.touch();
    });
    loses();
    expect(play.state).toMatchObject({ statusDetail: "retrying", retryAt: play.now + 3_000 });
  });

  it("does not pause longer when an execution that pauses is loaded again", () => {
    const play = new Play();
    losesTheModel(play, 1);
    play.next();
    recovers(play);
    const { retryAt, version } = play.state;
    recovers(play);
    expect(play.state).toMatchObject({ retryAt, version });
  });

  it("fences results from before it", () => {
    const play = new Play();
    play.reply([callOf("read", "a")]);
    play.runs();
    const { generation } = play.state;
    recovers(play);
    expect(play.state.generation).toBeGreaterThan(generation);
  });

  function replied(): Play {
    const play = new Play();
    play.reply([callOf("read", "look")]);
    return play;
  }

  function waiting(): Play {
    const play = new Play();
    play.reply([callOf("effect", "post", { needsApproval: true })]);
    play.next();
    return play;
  }
});
