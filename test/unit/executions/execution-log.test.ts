import { afterEach, expect, it, vi } from "vitest";
import { ModelError } from "../../../src/contract/conversation.ts";
import { logChange } from "../../../src/executions/execution-log.ts";
import { stopByUser } from "../../../src/executions/machine/lifecycle.ts";
import { finish, modelFailed } from "../../../src/executions/machine/replies.ts";
import { Transition } from "../../../src/executions/machine/transition.ts";
import { callOf, NO_CHECKS, Play } from "../../support/execution.ts";

const written = vi.spyOn(console, "info").mockImplementation(() => {});
afterEach(() => written.mockClear());

const lines = () => written.mock.calls.map(([line]) => JSON.parse(String(line)));

/** An execution whose every change is told to its log, as the session does. */
class Told extends Play {
  override readonly commit = <T>(change: (t: Transition) => T): T => {
    const before = this.state;
    const t = new Transition(before, this.now);
    const value = change(t);
    this.state = t.close();
    logChange(this.seed, { before, after: this.state, facts: t.facts, now: this.now });
    return value;
  };

  end(): void {
    const call = callOf("control", "end");
    this.reply([call]);
    this.runs();
    this.commit((t) => finish(t, "end", { status: "completed", summary: "Done." }, NO_CHECKS));
  }
}

it("tells of each step what it took, and of the end what all of it took", () => {
  const play = new Told();
  play.now += 20;
  play.reply([callOf("read", "a"), callOf("read", "b")]);
  play.now += 100;
  play.runs();
  play.now += 1_000;
  play.returns("a");
  play.returns("b");
  play.end();
  const common = { level: "info", model: "openai/test", executionId: play.seed.executionId };
  expect(lines()).toEqual([
    {
      ...common,
      accountId: "acc_1",
      event: "step",
      step: 1,
      toolCalls: 2,
      credits: 3,
      durationMs: 1_100,
      outcome: "finished",
    },
    {
      ...common,
      accountId: "acc_1",
      event: "step",
      step: 2,
      toolCalls: 0,
      credits: 1,
      durationMs: 0,
      outcome: "finished",
    },
    {
      ...common,
      accountId: "acc_1",
      event: "execution",
      origin: "api",
      workflowId: null,
      status: "completed",
      statusDetail: "done",
      steps: 2,
      toolCalls: 2,
      credits: 4,
      inputTokens: 20,
      outputTokens: 10,
      durationMs: 1_120,
      activeMs: 1_120,
    },
  ]);
});

it("does not count the time for which a person was waited for", () => {
  const play = new Told();
  play.reply([callOf("effect", "post", { needsApproval: true })]);
  play.next();
  play.now += 3_600_000;
  play.message("m1", { approval: { callId: "post", decision: "approve" } });
  play.runs();
  play.now += 50;
  play.returns("post");
  play.next();
  expect(lines()).toMatchObject([{ event: "step", durationMs: 50, outcome: "finished" }]);
});

it("tells of each try of the model that failed", () => {
  const play = new Told();
  play.next();
  const busy = new ModelError("busy", { retryable: true });
  for (let tries = 1; tries <= 4; tries += 1)
    play.commit((t) => modelFailed(t, busy, play.seed, 0));
  expect(lines()).toMatchObject([
    { event: "step", step: 1, outcome: "retrying" },
    { event: "step", step: 1, outcome: "retrying" },
    { event: "step", step: 1, outcome: "retrying" },
    { event: "step", step: 1, outcome: "given_up" },
    { event: "execution", status: "failed", statusDetail: "model_error", steps: 0 },
  ]);
});

it("tells of a step that was given up in the midst of it", () => {
  const play = new Told();
  play.reply([callOf("read", "a")]);
  play.runs();
  play.commit((t) => stopByUser(t, null));
  expect(lines()).toMatchObject([
    { event: "step", step: 1, toolCalls: 1, credits: 1, outcome: "given_up" },
    { event: "execution", status: "stopped", statusDetail: "user_request" },
  ]);
});

it("tells what a step took by the state alone, whichever process saw its beginning", () => {
  const play = new Told();
  play.reply([callOf("read", "a")]);
  play.runs();
  play.now += 70;
  play.returns("a");
  play.next();
  expect(lines()).toHaveLength(1);
  const took = { credits: 2, durationMs: 70 };
  expect(lines()[0]).toMatchObject({ event: "step", step: 1, outcome: "finished", ...took });
});

it("tells of no step when it ends before the first", () => {
  const play = new Told({ heldCredits: 0 });
  play.next();
  expect(lines()).toMatchObject([{ event: "execution", statusDetail: "credits_exhausted" }]);
});
