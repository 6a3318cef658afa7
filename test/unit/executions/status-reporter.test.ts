import { expect, it, vi } from "vitest";
import { logEnd } from "../../../src/executions/status-reporter.ts";
import { callOf, END, Play } from "../../support/execution.ts";

it("reports the duration of an execution without the time of waiting for a person", () => {
  const written = vi.spyOn(console, "info").mockImplementation(() => {});
  const play = new Play();
  play.now += 20;
  play.reply([callOf("read", "a"), callOf("effect", "post", { needsApproval: true })]);
  play.runs();
  play.now += 1_000;
  play.returns("a");
  play.next();
  play.now += 3_600_000;
  play.decide("post", "approve");
  play.runs();
  play.now += 100;
  play.returns("post");
  play.reply([END]);
  play.runs();
  play.finish();
  logEnd(play.seed, play.state, play.now);
  expect(written.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
    {
      level: "info",
      event: "execution",
      executionId: play.seed.executionId,
      accountId: "acc_1",
      origin: "api",
      workflowId: null,
      model: "openai/test",
      status: "completed",
      statusDetail: "done",
      steps: 2,
      toolCalls: 2,
      credits: 4,
      inputTokens: 20,
      outputTokens: 10,
      durationMs: 3_601_120,
      activeMs: 1_120,
    },
  ]);
});
