import { describe, expect, it } from "vitest";
import { expire } from "../../../../src/executions/machine/lifecycle.ts";
import { callOf, END, found, Play, running, START } from "../../../support/execution.ts";

const look = callOf("read", "look");

describe("the log", () => {
  it("names each call when it starts and when it ends, with its error if it failed", () => {
    const play = running([look, callOf("read", "miss")]);
    const error = { code: "http_404", message: "No such page" };
    play.now += 30;
    play.returns("look");
    play.returns("miss", { answer: { ok: false, error } });
    expect(play.logged("tool.started")).toEqual([
      { callId: "look", tool: "browse", description: "Doing look", step: 1, input: { of: "look" } },
      { callId: "miss", tool: "browse", description: "Doing miss", step: 1, input: { of: "miss" } },
    ]);
    const took = { durationMs: 30, credits: 1 };
    expect(play.logged("tool.finished")).toEqual([
      { callId: "look", tool: "browse", ok: true, result: "found", ...took },
      { callId: "miss", tool: "browse", ok: false, error, ...took },
    ]);
  });

  it("has the credits of a call that waited for an event, whether one came, none, or a message", () => {
    const calling = () => running([callOf("local", "wait", { tool: "wait_for_event" })]);
    const wait = (play: Play) => play.returns("wait", { ...found, waitUntil: START + 60_000 });
    const answered = calling();
    wait(answered);
    answered.message("e1", { text: null, event: { n: 1 }, answers: "wait" });
    const timedOut = calling();
    wait(timedOut);
    timedOut.now = START + 60_000;
    timedOut.commit((t) => expire(t, timedOut.seed));
    const told = calling();
    told.message("m1");
    wait(told);
    for (const play of [answered, timedOut, told]) {
      expect(play.logged("tool.finished")).toMatchObject([{ callId: "wait", credits: 1 }]);
    }
  });

  it("redacts fields named like secrets, and cuts long values", () => {
    const play = running([look, callOf("read", "long")]);
    const url = "https://a.example/x?page=2&access_token=abc-123&X-Amz-Signature=f00#top";
    const secret = { headers: [{ Authorization: "Bearer x" }], api_key: "k", tokens: 7, url };
    play.returns("look", { answer: { ok: true, content: secret } });
    play.returns("long", { answer: { ok: true, content: { text: "€".repeat(10_000) } } });
    expect(play.logged("tool.finished")).toMatchObject([
      {
        result: {
          headers: [{ Authorization: "[redacted]" }],
          api_key: "[redacted]",
          tokens: 7,
          url: "https://a.example/x?page=2&access_token=[redacted]&X-Amz-Signature=[redacted]#top",
        },
      },
      { result: `{"text":"${"€".repeat((16_384 - 10) / 3)}`, truncated: true },
    ]);
  });

  it("does not show finish or ask calls as running tools", () => {
    const play = new Play();
    play.reply([END]);
    const { version } = play.state;
    play.runs();
    expect(play.logged("tool.started")).toEqual([]);
    expect(play.statuses().at(-1)).toBe("active/planning");
    expect(play.state.version).toBe(version + 1);
  });

  it("contains the model's text beside its calls, up to 4,000 characters", () => {
    const play = new Play();
    play.reply([look], "x".repeat(4_001));
    play.runs();
    play.returns("look");
    play.reply([END]);
    expect(play.logged("log")).toEqual([{ message: "x".repeat(4_000) }]);
  });

  it("states the model's plan, and keeps it in the conversation", () => {
    const play = new Play();
    play.reply([look], "I count the rows.", ["count the rows", "x".repeat(1_001)]);
    play.runs();
    play.returns("look");
    play.reply([callOf("read", "again")]);
    expect(play.logged("plan")).toEqual([{ parts: ["count the rows", "x".repeat(1_000)] }]);
    expect(play.turns.filter((turn) => "plan" in turn)).toHaveLength(1);
    expect(play.logged("log")).toEqual([]);
  });
});
