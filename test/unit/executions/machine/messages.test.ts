import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/contract/json.ts";
import { queueMessage } from "../../../../src/executions/machine/inbox.ts";
import { ASK, asking, callOf, END, Play, running } from "../../../support/execution.ts";

const look = callOf("read", "look");
const later = callOf("read", "later");
const post = callOf("effect", "post");

const interrupt = (play: Play) => play.message("m1", { mode: "interrupt" });

describe("a message for the next step", () => {
  it("is read in order, right before the next model call", () => {
    const play = running([look]);
    play.message("m1");
    play.message("m2");
    expect(play.logged("message.queued")).toEqual([
      { messageId: "m1", mode: "next_step", text: "text of m1" },
      { messageId: "m2", mode: "next_step", text: "text of m2" },
    ]);
    expect(play.logged("message.applied")).toEqual([]);
    play.returns("look");
    expect(play.next().do).toBe("ask_model");
    expect(play.logged("message.applied")).toEqual([{ messageId: "m1" }, { messageId: "m2" }]);
    expect(play.turns.slice(-2)).toEqual([
      { role: "user", text: "text of m1" },
      { role: "user", text: "text of m2" },
    ]);
  });

  it("keeps the execution from completing: the model reads it first", () => {
    const play = running([END]);
    play.message("m1");
    play.finish();
    expect(play.state.status).toBe("active");
    expect(play.answers("end")).toEqual(["new_messages"]);
    expect(play.refusals("end")).toEqual([expect.stringContaining("new message")]);
    expect(play.next().do).toBe("ask_model");
    expect(play.logged("message.applied")).toEqual([{ messageId: "m1" }]);
  });

  it("answers a pending question in advance", () => {
    const play = running([ASK]);
    play.message("m1");
    play.ask();
    expect(play.state.status).toBe("active");
    expect(play.answers("ask")).toEqual(["new_messages"]);
  });
});

describe("an interrupting message", () => {
  it("aborts the model's call in flight and is read next, in the same step of the log", () => {
    const play = new Play();
    play.next();
    interrupt(play);
    expect(play.aborts).toBe(1);
    expect(play.state.generation).toBe(1);
    expect(play.next()).toMatchObject({ do: "ask_model", generation: 1 });
    expect(play.turns.at(-1)).toEqual({ role: "user", text: "text of m1" });
    expect(play.logged("step.started")).toEqual([{ step: 1 }]);
    expect(play.state.creditsUsed).toBe(0);
  });

  it("answers every open call of the step, and the finished ones keep their answers", () => {
    const play = running([look, later, callOf("local", "note")]);
    play.returns("look");
    interrupt(play);
    expect(["look", "later", "note"].flatMap((callId) => play.answers(callId))).toEqual([
      "ok",
      "interrupted",
      "interrupted",
    ]);
    expect(play.next()).toMatchObject({ do: "ask_model", generation: 1 });
    expect(play.state).toMatchObject({ stepsCompleted: 1, creditsUsed: 2 });
  });

  it("leaves an effect in flight uncertain, and tells the model", () => {
    const play = running([post]);
    interrupt(play);
    expect(play.effects.get("post")).toBe("uncertain");
    expect(play.refusals("post")).toEqual([expect.stringContaining("may have taken effect")]);
    play.returns("post");
    expect(play.answers("post")).toEqual(["uncertain"]);
  });

  it("reports that an effect which had not started did not run", () => {
    const play = running([look, post]);
    interrupt(play);
    expect(play.answers("post")).toEqual(["interrupted"]);
    expect(play.refusals("post")).toEqual(["The user interrupted this call before it finished."]);
    expect(play.effects.size).toBe(0);
  });

  it("ends the wait before a retry", () => {
    const play = new Play();
    play.next();
    play.commit((t) => {
      t.state.failures = 2;
      t.state.retryAt = t.now + 60_000;
      t.touch();
    });
    interrupt(play);
    expect(play.state).toMatchObject({ failures: 0, retryAt: null });
    expect(play.next().do).toBe("ask_model");
  });

  it("ends a question and the calls after it", () => {
    const play = asking([later]);
    interrupt(play);
    expect(play.answers("ask")).toEqual(["ok"]);
    expect(play.answers("later")).toEqual(["interrupted"]);
    expect(play.next().do).toBe("ask_model");
  });

  it("denies the call that waits for approval", () => {
    const play = running([{ ...post, needsApproval: true }, later]);
    interrupt(play);
    expect(play.answers("post")).toEqual(["denied"]);
    expect(play.answers("later")).toEqual(["interrupted"]);
    expect(play.effects.size).toBe(0);
  });
});

describe("a question", () => {
  it("waits for the user, and is logged and announced", () => {
    const play = asking();
    expect(play.state).toMatchObject({
      status: "waiting_for_input",
      statusDetail: "question",
      question: { kind: "question", text: "Which one?" },
    });
    expect(play.logged("question")).toEqual([{ kind: "question", text: "Which one?" }]);
    expect(play.statuses().at(-1)).toBe("waiting_for_input/question");
    expect(play.announced).toEqual(["waiting_for_input"]);
    expect(play.next()).toEqual({ do: "rest" });
  });

  it("continues the rest of the step once answered, then shows the answer to the model", () => {
    const play = asking([later]);
    play.message("m1", { text: "The red one" });
    expect(play.state).toMatchObject({ status: "active", question: null });
    expect(play.runs()).toEqual(["later"]);
    play.returns("later");
    expect(play.next().do).toBe("ask_model");
    expect(play.turns.at(-1)).toEqual({ role: "user", text: "The red one" });
    const content = { answered: true, note: "The answer is the user's next message." };
    expect(play.turns).toContainEqual({
      role: "tool",
      callId: "ask",
      tool: "ask_user",
      answer: { ok: true, content },
    });
  });
});

describe("an event sent to an execution", () => {
  const tell = (play: Play, event: Json) =>
    play.commit((t) =>
      queueMessage(t, { messageId: "e1", text: null, event, mode: "next_step", approval: null }),
    );

  it("is read before the next step, as data", () => {
    const play = new Play();
    tell(play, { action: "closed" });
    play.next();
    expect(play.turns.at(-1)).toMatchObject({ role: "user", event: '{"action":"closed"}' });
  });

  it("answers no question", () => {
    const play = asking();
    tell(play, "yes");
    expect(play.state.status).toBe("waiting_for_input");
    expect(play.state.inbox).toHaveLength(1);
  });

  it("is cut if it is longer than the state can keep", () => {
    const play = new Play();
    tell(play, "x".repeat(100_000));
    expect(JSON.parse(play.state.inbox[0]?.event ?? "")).toMatchObject({ truncated: true });
    expect(play.state.inbox[0]?.event?.length).toBeLessThan(32_000);
    play.next();
    expect(play.evidence).toMatchObject([{ callId: "e1", cut: "16000 characters" }]);
  });
});
