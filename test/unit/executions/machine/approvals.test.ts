import { describe, expect, it } from "vitest";
import { NO_RULES } from "../../../../src/contract/decisions.ts";
import type { ExecutionSeed } from "../../../../src/contract/session.ts";
import { expire } from "../../../../src/executions/machine/lifecycle.ts";
import { callOf, Play, running } from "../../../support/execution.ts";

/** An execution that waits for the approval of a call, with another behind it. */
const wantsApproval = (changes: Partial<ExecutionSeed> = {}) =>
  running(
    [
      callOf("effect", "post", { needsApproval: true, input: { to: "a" } }),
      callOf("read", "later"),
    ],
    changes,
  );

describe("an approval", () => {
  it("shows the exact call to the user before any effect", () => {
    const play = wantsApproval();
    const question = {
      kind: "approval",
      callId: "post",
      tool: "http_request",
      input: { to: "a" },
    };
    expect(play.state).toMatchObject({
      status: "waiting_for_input",
      statusDetail: "approval",
      question,
      message: "May I run http_request? Doing post",
    });
    expect(play.logged("question")).toMatchObject([question]);
    expect(play.statuses().at(-1)).toBe("waiting_for_input/approval");
    expect(play.effects.size).toBe(0);
  });

  it("is not requested for a call without credits: the budget ends the execution", () => {
    const mail = callOf("effect", "mail", { needsApproval: true, price: 2 });
    const play = running([mail], { heldCredits: 2 });
    expect(play.state).toMatchObject({ status: "stopped", statusDetail: "budget_reached" });
    expect(play.logged("question")).toEqual([]);
  });

  it("is requested after the reads before the call, and before those after it", () => {
    const play = new Play();
    play.reply([
      callOf("read", "a"),
      callOf("read", "b", { needsApproval: true }),
      callOf("read", "c"),
      callOf("read", "d"),
    ]);
    expect(play.runs()).toEqual(["a"]);
    expect(play.state.status).toBe("active");
    play.returns("a");
    expect(play.next()).toEqual({ do: "rest" });
    expect(play.state.question).toMatchObject({ callId: "b" });
    play.decide("b", "approve");
    expect(play.runs()).toEqual(["b", "c", "d"]);
  });

  it("keeps waiting after a message", () => {
    const play = wantsApproval();
    play.message("m1");
    expect(play.state.status).toBe("waiting_for_input");
    expect(play.state.inbox).toHaveLength(1);
    play.decide("post", "deny");
    play.runs();
    play.returns("later");
    play.next();
    expect(play.logged("message.applied")).toEqual([{ messageId: "m1" }]);
  });
});

describe("the approval of a start that a limit requires", () => {
  const limitToApprove = "The limit of 2 executions an hour of wf_1 is reached.";
  const asked = (changes = {}) => {
    const play = new Play({ limitToApprove, ...changes });
    expect(play.next()).toEqual({ do: "rest" });
    expect(play.state).toMatchObject({
      status: "waiting_for_input",
      statusDetail: "approval",
      question: { kind: "approval", text: `${limitToApprove} Start this execution anyway?` },
    });
    return play;
  };
  it("starts the model once it is given, and is requested only once", () => {
    const play = asked();
    play.decide("start", "approve");
    expect(play.state).toMatchObject({ status: "active", statusDetail: "queued" });
    expect(play.next()).toMatchObject({ do: "ask_model" });
  });

  it("ends the execution with the comment if it is denied", () => {
    const play = asked();
    play.decide("start", "deny", { comment: "today" });
    expect(play.state).toMatchObject({
      status: "failed",
      statusDetail: "denied",
      summary: "The user denied the start: today",
      creditsUsed: 0,
    });
  });

  it("is not given by a message, which is read after the start", () => {
    const play = asked();
    play.message("m1", { text: "Use the new list" });
    expect(play.state.status).toBe("waiting_for_input");
    play.decide("start", "approve");
    expect(play.next()).toMatchObject({ do: "ask_model" });
    expect(play.state.inbox).toEqual([]);
  });

  it.each([
    ["fail", "input_timeout"],
    ["deny", "denied"],
  ] as const)("ends the execution if nobody answers in time: onTimeout %s", (onTimeout, detail) => {
    const decisions = { ...NO_RULES, onTimeout };
    const play = asked({ inputTimeoutSeconds: 60, decisions });
    play.now += 60_000;
    expect(play.commit((t) => expire(t, play.seed))).toBe(true);
    expect(play.state).toMatchObject({ status: "failed", statusDetail: detail });
  });
});
