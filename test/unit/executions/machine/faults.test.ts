import { describe, expect, it } from "vitest";
import { ModelError } from "../../../../src/contract/conversation.ts";
import { stepFailed } from "../../../../src/executions/machine/recovery.ts";
import { modelFailed } from "../../../../src/executions/machine/replies.ts";
import { callOf, END, Play, running, START } from "../../../support/execution.ts";

const busy = (retryAfterMs?: number) =>
  new ModelError("The model is busy.", {
    retryable: true,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

/** Returns how long the execution waits before it goes on; null if it does not wait. */
const waitOf = ({ state, now }: Play) => (state.retryAt === null ? null : state.retryAt - now);

/** The model is asked when it is due, and fails. Returns how long the execution then waits. */
function fails(play: Play, error: ModelError, random = 0): number | null {
  play.now = play.state.retryAt ?? play.now;
  expect(play.next().do).toBe("ask_model");
  play.commit((t) => modelFailed(t, error, play.seed, random));
  return waitOf(play);
}

describe("a model call that fails", () => {
  it("is tried four times with exponential backoff, then ends the execution with model_error", () => {
    const play = new Play();
    const waits = [1, 2, 3, 4].map(() => fails(play, busy()));
    expect(waits).toEqual([1_000, 2_000, 4_000, null]);
    expect(play.state).toMatchObject({
      status: "failed",
      error: { code: "model_error", message: "The model is busy." },
      creditsUsed: 0,
    });
    expect(play.logged("step.started")).toEqual([{ step: 1 }]);
  });

  it("waits as long as the provider asks, with jitter of up to a quarter", () => {
    expect(fails(new Play(), busy(30_000))).toBe(30_000);
    expect(fails(new Play(), busy(10))).toBe(1_000);
    expect(fails(new Play(), busy(), 0.5)).toBe(1_125);
  });

  it("ends the execution at once if the provider asks for more than the time left", () => {
    const play = new Play({ timeoutSeconds: 60 });
    expect(fails(play, busy(59_000))).toBe(59_000);
    expect(fails(play, busy(1_000))).toBeNull();
    const wait = "The server asks to wait 1 second";
    const limit = "the execution's time limit of 60 seconds is reached before that.";
    expect(play.state).toMatchObject({
      status: "failed",
      error: { code: "model_error", message: `The model is busy. ${wait}; ${limit}` },
    });
  });

  it("ends what the server says with a full stop before it says what follows", () => {
    const play = new Play({ timeoutSeconds: 60 });
    const said = { retryable: true, retryAfterMs: 90_000 };
    fails(play, new ModelError("It is busy: come back later", said));
    const message = expect.stringMatching(/^It is busy: come back later\. The server asks to wait/);
    expect(play.state).toMatchObject({ error: { message } });
  });

  it("does not retry before its time", () => {
    const play = new Play();
    fails(play, busy());
    expect(play.state).toMatchObject({
      status: "active",
      statusDetail: "retrying",
      message: "The model call failed: The model is busy.",
    });
    const retryAt = new Date(START + 1_000).toISOString();
    expect(play.logged("log")).toEqual([{ message: play.state.message, retryAt }]);
    play.now += 999;
    expect(play.next()).toEqual({ do: "rest" });
    play.now += 1;
    expect(play.next().do).toBe("ask_model");
    expect(play.state.retryAt).toBeNull();
  });

  it("is not retried if it is permanent, and keeps the work so far", () => {
    const play = running([callOf("local", "emit")]);
    const output = { nodeType: "TEXT", label: "kept", type: "text", mediaType: "text/plain" };
    play.returns("emit", { answer: { ok: true, content: null }, outputs: [output as never] });
    fails(play, new ModelError("The key is wrong.", { retryable: false }));
    expect(play.state).toMatchObject({ status: "failed", statusDetail: "model_error" });
    expect(play.outputs).toEqual(["kept"]);
  });

  it("restarts the count of tries after a reply", () => {
    const play = new Play();
    for (let n = 0; n < 3; n += 1) fails(play, busy());
    play.now = play.state.retryAt ?? 0;
    play.step(callOf("read", "look"));
    expect(fails(play, busy())).toBe(1_000);
  });
});

describe("an internal error", () => {
  it("is tried three times, then ends the execution with internal_error, for free", () => {
    const play = new Play();
    const waits = [1, 2, 3].map(() => {
      play.now = play.state.retryAt ?? play.now;
      play.next();
      play.commit(stepFailed);
      return waitOf(play);
    });
    expect(waits).toEqual([1_000, 2_000, null]);
    const message = "The execution failed because of an internal error.";
    expect(play.state).toMatchObject({
      status: "failed",
      error: { code: "internal_error", message },
      creditsUsed: 0,
    });
    const retrying = { message: "An internal error occurred. Retrying." };
    expect(play.logged("log")).toMatchObject([retrying, retrying]);
  });

  it("aborts concurrent reads, and repeats them later", () => {
    const play = running([callOf("read", "a"), callOf("read", "b")]);
    play.commit(stepFailed);
    expect(play.aborts).toBe(1);
    expect(play.state.generation).toBe(1);
    play.returns("b");
    expect(play.answers("b")).toEqual([]);
    play.now = play.state.retryAt ?? 0;
    expect(play.runs()).toEqual(["a", "b"]);
    expect(play.state.retryAt).toBeNull();
  });

  it("does not repeat an effect", () => {
    const play = running([callOf("effect", "post")]);
    play.commit(stepFailed);
    expect(play.answers("post")).toEqual(["uncertain"]);
    play.now = play.state.retryAt ?? 0;
    expect(play.next().do).toBe("ask_model");
    expect(play.effects.get("post")).toBe("uncertain");
  });
});

describe("a result that does not match the output schema", () => {
  const wrong = [
    { path: "total", rule: "type", message: "must be a number" },
    { path: "", rule: "required", message: "must have the field name" },
  ];
  const list = "total: must be a number; data: must have the field name";
  const completed = { status: "completed", summary: "done", data: {} } as const;

  function finishes(play: Play, violations = wrong): void {
    play.reply([END]);
    play.runs();
    play.finish(completed, { violations });
  }

  it("is returned twice with the errors, then fails the execution", () => {
    const play = new Play();
    finishes(play);
    finishes(play);
    expect(play.state.status).toBe("active");
    expect(play.answers("end")).toEqual(["schema_mismatch", "schema_mismatch"]);
    const refusal = `\`data\` does not match the output schema: ${list}`;
    expect(play.refusals("end")).toEqual([refusal, refusal]);
    finishes(play);
    expect(play.state).toMatchObject({
      status: "failed",
      error: { code: "model_error", message: expect.stringContaining(list) },
    });
    expect(play.state.data).toBeUndefined();
  });

  it("completes once it matches", () => {
    const play = new Play();
    finishes(play);
    finishes(play, []);
    expect(play.state).toMatchObject({ status: "completed", data: {} });
  });

  it("is ignored if the model gives up", () => {
    const play = running([END]);
    play.finish({ status: "failed", summary: "no" }, { violations: wrong });
    expect(play.state).toMatchObject({ status: "failed", summary: "no", finishedAt: START });
  });
});
