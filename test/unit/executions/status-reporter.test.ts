import { expect, it, vi } from "vitest";
import { logEnd, requestLogSubscriber } from "../../../src/executions/status-reporter.ts";
import { callOf, END, Play, running } from "../../support/execution.ts";

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

it("tells the log of a webhook of a start later than of an end, so that a short run has one report", () => {
  const { delay } = requestLogSubscriber({} as CloudflareEnv);
  const play = new Play({ inbound: { endpointId: "ep_1", requestId: "r1", eventId: null } });
  const accepted = play.state;
  play.reply([END]);
  const started = play.state;
  expect(delay(play.seed, accepted, started)).toBe(250);
  play.runs();
  play.finish();
  expect(delay(play.seed, started, play.state)).toBe(0);
});

it("tells the log of a webhook of an execution that waits for a person before it starts, and of its start", () => {
  const { delay } = requestLogSubscriber({} as CloudflareEnv);
  const inbound = { endpointId: "ep_1", requestId: "r1", eventId: null };
  const play = new Play({ inbound, limitToApprove: "The limit is reached." });
  const accepted = play.state;
  expect(play.next()).toEqual({ do: "rest" });
  const asked = play.state;
  expect(delay(play.seed, accepted, asked)).toBe(250);
  play.decide("start", "approve");
  const approved = play.state;
  play.next();
  expect(delay(play.seed, approved, play.state)).toBe(250);
});
