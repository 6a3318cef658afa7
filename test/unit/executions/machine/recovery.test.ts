import { describe, expect, it } from "vitest";
import { ModelError } from "../../../../src/contract/conversation.ts";
import { recover, stepFailed } from "../../../../src/executions/machine/recovery.ts";
import { modelFailed } from "../../../../src/executions/machine/replies.ts";
import { machineState } from "../../../../src/executions/machine/state.ts";
import { backoffMs } from "../../../../src/lib/async.ts";
import { callOf, Play, running } from "../../../support/execution.ts";

const BUSY = new ModelError("The model is busy.", { retryable: true });
const look = callOf("read", "look");
const post = callOf("effect", "post");

const recovers = (play: Play, pauseAfterLoss = backoffMs) =>
  play.commit((t) => recover(t, play.seed, pauseAfterLoss));

/** Lets the pause of the execution pass, if it makes one. */
function waits(play: Play): void {
  play.now = Math.max(play.now, play.state.retryAt ?? 0);
}

/** Asks the model, whose answer is lost with the process; so many times. */
function losesTheModel(play: Play, times: number): void {
  waits(play);
  for (let n = 0; n < times; n += 1) {
    expect(play.next().do).toBe("ask_model");
    recovers(play);
    waits(play);
  }
}

/** The model answers, and the step is done. */
function getsOn(play: Play): void {
  play.step(callOf("read", `look${play.state.version}`));
  play.commit((t) => t.finishStep());
}

describe("recovery", () => {
  it("repeats reads without an answer, and fences off their earlier results", () => {
    const play = running([callOf("read", "a"), callOf("read", "b")]);
    play.returns("a");
    const { generation } = play.state;
    recovers(play);
    const { executionId } = play.seed;
    expect(play.logged("log")).toEqual([
      { message: "Resumed after an interruption of the service.", executionId },
    ]);
    expect(play.state.generation).toBeGreaterThan(generation);
    expect(play.runs()).toEqual(["b"]);
    expect(play.answers("a")).toEqual(["ok"]);
  });

  it("logs the start of a step lost during its model call only once", () => {
    const play = new Play();
    losesTheModel(play, 1);
    expect(play.next().do).toBe("ask_model");
    expect(play.logged("step.started")).toEqual([{ step: 1 }]);
  });

  it("reads a state stored before the starts of steps were kept and counted", () => {
    const { stepsStarted: _, asked: __, ...older } = new Play().state;
    expect(machineState.parse(older)).toEqual({ ...older, stepsStarted: 0, asked: 0 });
    const play = running([look]);
    play.state = { ...play.state, stepStart: null };
    play.returns("look");
    play.next();
    const { model } = play.seed;
    expect(play.logged("step.finished")).toEqual([{ step: 1, model, creditsConsumed: 2 }]);
  });

  it("changes nothing if nothing was in flight", () => {
    const replied = new Play();
    replied.reply([look]);
    const waiting = running([{ ...post, needsApproval: true }]);
    for (const play of [new Play(), waiting, replied]) {
      const { state, events } = play;
      const logged = events.length;
      recovers(play);
      expect(play.state).toEqual(state);
      expect(events).toHaveLength(logged);
    }
  });

  it("gives up a call after the process was lost with it eight times, and charges nothing for it", () => {
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

  it("ends a step for free after the process was lost eight times during its model call", () => {
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
    ["an internal error", (play: Play) => play.commit(stepFailed)],
    ["an interrupt", (play: Play) => play.message("m", { mode: "interrupt" })],
  ])("restarts the count of losses of a model call after %s", (_, comesBack) => {
    const play = new Play();
    losesTheModel(play, 7);
    comesBack(play);
    losesTheModel(play, 7);
    expect(play.state.status).toBe("active");
  });

  it("pauses before a step that was lost again, and no longer when it is loaded again", () => {
    const play = new Play();
    losesTheModel(play, 1);
    expect(play.state.retryAt).toBeNull();
    play.next();
    recovers(play, (losses) => losses * 1_000);
    const { retryAt, version } = play.state;
    expect(play.state).toMatchObject({ status: "active", statusDetail: "retrying" });
    expect(retryAt).toBe(play.now + 2_000);
    recovers(play);
    expect(play.state).toMatchObject({ retryAt, version });
  });

  it("pauses for the call that was lost most often", () => {
    const play = running([callOf("read", "often"), callOf("read", "once")]);
    play.commit((t) => {
      const [often] = t.state.phase.kind === "tools" ? t.state.phase.calls : [];
      if (often === undefined) throw new Error("The call is missing.");
      often.losses = 2;
      t.touch();
    });
    recovers(play, (losses) => losses * 1_000);
    expect(play.state).toMatchObject({ statusDetail: "retrying", retryAt: play.now + 3_000 });
  });
});
