import { describe, expect, it } from "vitest";
import { NO_RULES } from "../../../../src/contract/decisions.ts";
import { expire } from "../../../../src/executions/machine/lifecycle.ts";
import { deadlineOf } from "../../../../src/executions/machine/state.ts";
import { callOf, Play } from "../../../support/execution.ts";

function wantsApproval(play: Play): void {
  play.reply([
    callOf("effect", "post", { needsApproval: true, input: { to: "a" } }),
    callOf("read", "later"),
  ]);
  expect(play.next()).toEqual({ do: "rest" });
}

describe("an approval", () => {
  it("shows the call and its input to the user before anything is done", () => {
    const play = new Play();
    wantsApproval(play);
    expect(play.state).toMatchObject({
      status: "waiting_for_input",
      statusDetail: "approval",
      question: { kind: "approval", callId: "post", tool: "http_request", input: { to: "a" } },
      message: "May I run http_request? Doing post",
    });
    expect(play.statuses().at(-1)).toBe("waiting_for_input/approval");
    expect(play.effects.size).toBe(0);
  });

  it("shows the call in the log as well, exactly as the model wrote it", () => {
    const play = new Play();
    wantsApproval(play);
    expect(play.logged("question")).toMatchObject([
      { kind: "approval", callId: "post", tool: "http_request", input: { to: "a" } },
    ]);
  });

  it("is not asked for what could not be paid: then the budget ends the execution", () => {
    const play = new Play({ heldCredits: 2 });
    play.reply([callOf("effect", "mail", { needsApproval: true, price: 2 })]);
    expect(play.next()).toEqual({ do: "rest" });
    expect(play.state).toMatchObject({ status: "stopped", statusDetail: "budget_reached" });
    expect(play.logged("question")).toEqual([]);
  });

  it("is asked before reads that stand behind the call, and after those before it", () => {
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
    play.message("m1", { text: null, approval: { callId: "b", decision: "approve" } });
    expect(play.runs()).toEqual(["b", "c", "d"]);
  });

  it("costs nothing while it waits, for days, and stops the clock of the execution", () => {
    const play = new Play({ timeoutSeconds: 60, inputTimeoutSeconds: 3 * 86_400 });
    wantsApproval(play);
    const { creditsUsed } = play.state;
    play.now += 3 * 86_400_000 - 1;
    expect(play.commit((t) => expire(t, play.seed))).toBe(false);
    expect(play.state).toMatchObject({ status: "waiting_for_input", creditsUsed });
    expect(deadlineOf(play.state, play.seed.timeoutSeconds)).toBeNull();
    play.message("m1", { text: null, approval: { callId: "post", decision: "approve" } });
    play.now += 59_999;
    expect(play.runs()).toEqual(["post"]);
    expect(deadlineOf(play.state, play.seed.timeoutSeconds)).toBe(play.now + 1);
  });

  it("fails the execution when no answer comes in time, and nothing is done", () => {
    const play = new Play({ inputTimeoutSeconds: 3 * 86_400 });
    wantsApproval(play);
    play.now += 3 * 86_400_000;
    expect(play.commit((t) => expire(t, play.seed))).toBe(true);
    expect(play.state).toMatchObject({ status: "failed", error: { code: "input_timeout" } });
    expect(play.effects.size).toBe(0);
  });

  it("runs the call once it is approved", () => {
    const play = new Play();
    wantsApproval(play);
    play.message("m1", { text: null, approval: { callId: "post", decision: "approve" } });
    expect(play.logged("log")).toMatchObject([{ message: "approved", callId: "post" }]);
    expect(play.runs()).toEqual(["post"]);
    play.returns("post");
    expect(play.runs()).toEqual(["later"]);
  });

  it("answers the call with a no once it is denied, and goes on", () => {
    const play = new Play();
    wantsApproval(play);
    play.message("m1", { text: "Never", approval: { callId: "post", decision: "deny" } });
    expect(play.answers("post")).toEqual(["denied"]);
    expect(play.refusals("post")).toEqual(["The user denied this call."]);
    expect(play.runs()).toEqual(["later"]);
    expect(play.effects.size).toBe(0);
  });

  it("keeps waiting when only a message came", () => {
    const play = new Play();
    wantsApproval(play);
    play.message("m1");
    expect(play.state.status).toBe("waiting_for_input");
    expect(play.state.inbox).toHaveLength(1);
    play.message("m2", { text: null, approval: { callId: "post", decision: "deny" } });
    play.runs();
    play.returns("later");
    play.next();
    expect(play.logged("message.applied")).toEqual([{ messageId: "m1" }]);
  });

  it("is asked anew for each call that needs it", () => {
    const play = new Play();
    play.reply([
      callOf("effect", "one", { needsApproval: true }),
      callOf("effect", "two", { needsApproval: true }),
    ]);
    play.next();
    play.message("m1", { text: null, approval: { callId: "one", decision: "approve" } });
    play.runs();
    play.returns("one");
    expect(play.next()).toEqual({ do: "rest" });
    expect(play.state.question).toMatchObject({ callId: "two" });
  });
});

describe("the approval of a start, where a limit asks for it", () => {
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
  const decide = (play: Play, decision: "approve" | "deny") =>
    play.message("m1", { text: null, approval: { callId: "start", decision, comment: "today" } });

  it("lets the model be asked once it is given, and asks no second time", () => {
    const play = asked();
    decide(play, "approve");
    expect(play.state).toMatchObject({ status: "active", statusDetail: "queued" });
    expect(play.next()).toMatchObject({ do: "ask_model" });
  });

  it("ends the execution with the comment where it is denied", () => {
    const play = asked();
    decide(play, "deny");
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
    play.message("m2", { text: null, approval: { callId: "start", decision: "approve" } });
    expect(play.next()).toMatchObject({ do: "ask_model" });
    expect(play.state.inbox).toEqual([]);
  });

  it.each([
    ["fail", "input_timeout"],
    ["deny", "denied"],
  ] as const)(
    "ends the execution when nobody answers in time: onTimeout %s",
    (onTimeout, detail) => {
      const decisions = { ...NO_RULES, onTimeout };
      const play = asked({ inputTimeoutSeconds: 60, decisions });
      play.now += 60_000;
      expect(play.commit((t) => expire(t, play.seed))).toBe(true);
      expect(play.state).toMatchObject({ status: "failed", statusDetail: detail });
    },
  );
});
