import { expect, it, vi } from "vitest";
import { logEnd } from "../../../src/executions/status-reporter.ts";
import { callOf, END, running } from "../../support/execution.ts";

it("reports the duration of an execution without the time of waiting for a person", () => {
  const written = vi.spyOn(console, "info").mockImplementation(() => {});
  const play = running([callOf("effect", "post", { needsApproval: true })]);
  play.now += 3_600_000;
  play.decide("post", "approve");
  play.runs();
  play.now += 100;
  play.returns("post");
  play.reply([END]);
  play.runs();
  play.finish();
  logEnd(play.seed, play.state, play.now);
  const [line] = written.mock.calls.map(([text]) => JSON.parse(String(text)));
  expect(line).toMatchObject({ event: "execution", durationMs: 3_600_100, activeMs: 100 });
});
