import { describe, expect, it } from "vitest";
import type { Answerer } from "../../../../src/contract/decisions.ts";
import { NO_RULES } from "../../../../src/contract/decisions.ts";
import type { ExecutionSeed } from "../../../../src/contract/session.ts";
import { expire, nextLookAt, stopByUser } from "../../../../src/executions/machine/lifecycle.ts";
import { madeInput } from "../../../../src/executions/machine/next.ts";
import { recover } from "../../../../src/executions/machine/recovery.ts";
import { ASK, callOf, END, Play, running, START } from "../../../support/execution.ts";

const ada: Answerer = {
  by: { kind: "member", id: "mem_1", name: "Ada" },
  via: "dashboard",
  requestId: "req_1",
};
const INPUT = { to: "ann", amount: 5 };

function asked(changes: Partial<ExecutionSeed> = {}): Play {
  const inputSchema = { type: "object" };
  const pay = callOf("effect", "pay", { needsApproval: true, input: INPUT, inputSchema });
  return running([pay], changes);
}

/** The agent ends its task as one that it could not do. */
function givesUp(play: Play): void {
  play.reply([END]);
  play.runs();
  play.finish({ status: "failed", reason: "cannot_do", summary: "Nothing was paid." });
}

describe("a decision", () => {
  it("opens with the exact call, its schema, the requester and the deadline", () => {
    const play = asked({ inputTimeoutSeconds: 60 });
    const question = { kind: "approval", callId: "pay", tool: "http_request", input: INPUT };
    expect(play.state).toMatchObject({
      status: "waiting_for_input",
      statusDetail: "approval",
      question,
      message: "May I run http_request? Doing pay",
    });
    expect(play.logged("question")).toMatchObject([question]);
    expect(play.effects.size).toBe(0);
    const { decision, unreported } = play.state;
    expect(decision).toMatchObject({
      decisionId: expect.stringMatching(/^dec_01890000000070008000000000000001_\d+$/),
      kind: "approval",
      title: "Doing pay",
      promptPreview: "Do it",
      tool: "http_request",
      input: INPUT,
      inputSchema: { type: "object" },
      requestedAt: new Date(START).toISOString(),
      expiresAt: new Date(START + 60_000).toISOString(),
      state: "open",
    });
    expect(unreported).toEqual([decision]);
  });

  it("records who approved it, by which channel, when and with which comment", () => {
    const play = asked();
    play.now += 5_000;
    play.decide("pay", "approve", { comment: "Just this once", answerer: ada });
    expect(play.state.decision).toMatchObject({
      state: "answered",
      decision: "approve",
      comment: "Just this once",
      ...ada,
      answeredAt: new Date(START + 5_000).toISOString(),
    });
    expect(play.logged("log")).toMatchObject([{ message: "approved", callId: "pay" }]);
    play.runs();
    play.returns("pay");
    const told = play.turns.at(-1);
    expect(told).toMatchObject({ note: expect.stringContaining("Just this once") });
  });

  it("runs the call with the changed input, and keeps both for the ledger and the model", () => {
    const play = asked();
    const input = { to: "ann", amount: 3 };
    const edited = {
      kind: "effect",
      price: 2,
      target: "ann",
      description: "Pay 3",
      input,
    } as const;
    play.decide("pay", "approve", { edited, answerer: ada });
    expect(play.state.decision).toMatchObject({ input, askedInput: INPUT });
    const action = play.next();
    const [call] = action.do === "run_calls" ? action.calls : [];
    expect(call).toMatchObject({ price: 2, target: "ann", description: "Pay 3" });
    expect(call && madeInput(call, () => INPUT)).toEqual(input);
    expect(play.logged("tool.started")).toMatchObject([{ input }]);
    play.returns("pay");
    expect(play.turns.at(-1)).toMatchObject({ note: expect.stringContaining('"amount":3') });
  });

  it("ends the execution as denied, with the comment, if the agent finds no other way", () => {
    const play = asked();
    play.decide("pay", "deny", { comment: "Too much", answerer: ada });
    expect(play.refusals("pay")).toEqual(["The user denied this call: Too much"]);
    givesUp(play);
    expect(play.state).toMatchObject({
      status: "failed",
      statusDetail: "denied",
      summary: "Ada denied http_request: Too much. Nothing was paid.",
    });
  });

  it("does not end the execution as denied once the agent found another way", () => {
    const play = asked();
    play.decide("pay", "deny", { answerer: ada });
    play.step(callOf("effect", "other"));
    givesUp(play);
    expect(play.state.statusDetail).toBe("cannot_do");
  });

  it("denies the call on a timeout, if that is its rule", () => {
    const decisions = { ...NO_RULES, onTimeout: "deny" } as const;
    const play = asked({ inputTimeoutSeconds: 60, decisions });
    play.now += 60_000;
    expect(play.commit((t) => expire(t, play.seed))).toBe(false);
    expect(play.state).toMatchObject({ status: "active", decision: { state: "expired" } });
    givesUp(play);
    expect(play.state).toMatchObject({
      statusDetail: "denied",
      summary: "Nobody approved http_request in time. Nothing was paid.",
    });
  });

  it("is withdrawn when the execution is stopped", () => {
    const play = asked();
    play.commit((t) => stopByUser(t, null));
    expect(play.state.decision).toMatchObject({ state: "withdrawn" });
  });

  it("sends one reminder, at its time", () => {
    const decisions = { ...NO_RULES, remindAfterSeconds: 30 };
    const play = asked({ inputTimeoutSeconds: 60, decisions });
    expect(nextLookAt(play.state, play.seed)).toBe(START + 30_000);
    play.now += 30_000;
    play.commit((t) => expire(t, play.seed));
    expect(play.state.decision?.remindedAt).toBe(new Date(START + 30_000).toISOString());
    expect(nextLookAt(play.state, play.seed)).toBe(START + 60_000);
  });

  it("holds the question of an agent with its suggested answers, and the answer", () => {
    const play = running([ASK]);
    const question = { question: "Which?", choices: ["Red", "Blue"] };
    play.ask(question);
    expect(play.state.decision).toMatchObject({ kind: "question", title: "Which?", ...question });
    play.message("m1", { text: "Red", answerer: ada });
    expect(play.state.decision).toMatchObject({ state: "answered", answer: "Red", by: ada.by });
  });

  it("is created for a question that older code asked", () => {
    const play = asked();
    play.state = { ...play.state, decision: null, unreported: [] };
    play.commit((t) => recover(t, play.seed, () => 0));
    expect(play.state.decision).toMatchObject({ state: "open", input: INPUT, callId: "pay" });
  });
});

describe("an approval", () => {
  const post = callOf("effect", "post", { needsApproval: true });

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
    const play = running([post, callOf("read", "later")]);
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
  const asksToStart = (changes = {}) => {
    const play = new Play({ limitToApprove, ...changes });
    expect(play.next()).toEqual({ do: "rest" });
    expect(play.state).toMatchObject({
      status: "waiting_for_input",
      statusDetail: "approval",
      question: { kind: "approval", text: `${limitToApprove} Start this execution anyway?` },
    });
    return play;
  };

  it("ends the execution with the comment if it is denied", () => {
    const play = asksToStart();
    play.decide("start", "deny", { comment: "today" });
    expect(play.state).toMatchObject({
      status: "failed",
      statusDetail: "denied",
      summary: "The user denied the start: today.",
      creditsUsed: 0,
    });
  });

  it("is requested once, and not given by a message, which is read after the start", () => {
    const play = asksToStart();
    play.message("m1", { text: "Use the new list" });
    expect(play.state.status).toBe("waiting_for_input");
    play.decide("start", "approve");
    expect(play.state).toMatchObject({ status: "active", statusDetail: "queued" });
    expect(play.next()).toMatchObject({ do: "ask_model" });
    expect(play.state.inbox).toEqual([]);
  });

  it.each([
    ["fail", "input_timeout"],
    ["deny", "denied"],
  ] as const)("ends the execution if nobody answers in time: onTimeout %s", (onTimeout, detail) => {
    const decisions = { ...NO_RULES, onTimeout };
    const play = asksToStart({ inputTimeoutSeconds: 60, decisions });
    play.now += 60_000;
    expect(play.commit((t) => expire(t, play.seed))).toBe(true);
    expect(play.state).toMatchObject({ status: "failed", statusDetail: detail });
  });
});
