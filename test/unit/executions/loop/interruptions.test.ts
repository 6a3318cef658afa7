import { setImmediate as settled } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ToolResult } from "../../../../src/agent/tools/tool.ts";
import type { ModelReply } from "../../../../src/contract/conversation.ts";
import { stopByUser } from "../../../../src/executions/machine/lifecycle.ts";
import { recover } from "../../../../src/executions/machine/recovery.ts";
import { Semaphore } from "../../../../src/lib/async.ts";
import { callOf, found } from "../../../support/execution.ts";
import { asksFor, finishes, type Step, type Tool, usage, world } from "./world.ts";

describe("a stop", () => {
  it("aborts a tool, and drops its late result", async () => {
    let late: (result: ToolResult) => void = () => {};
    let aborted = false;
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const http_request: Tool = (_, { signal }) => {
      signal.addEventListener("abort", () => {
        aborted = true;
      });
      begin();
      return new Promise((resolve) => {
        late = resolve;
      });
    };
    const { play, abort, run } = world({
      steps: [asksFor({ callId: "post", tool: "http_request" })],
      tools: { http_request },
    });
    const running = run();
    await begun;
    play.commit((t) => stopByUser(t, null));
    abort.abort();
    expect(aborted).toBe(true);
    late(found);
    await running;
    expect(play.answers("post")).toEqual([]);
    expect(play.effects.get("post")).toBe("uncertain");
    expect(play.events.at(-1)?.type).toBe("status");
  });
});

describe("steps that were lost with the process twice", () => {
  const lostTwice = (
    call: ReturnType<typeof asksFor> | null,
    options: Parameters<typeof world>[0],
  ) => {
    const one = world(options);
    const { play } = one;
    if (call !== null) play.reply(call.calls.map(({ callId }) => callOf("read", callId)));
    for (let n = 0; n < 2; n += 1) {
      play.next();
      play.commit((t) => recover(t, play.seed, () => 1));
      play.now += 1;
    }
    return one;
  };

  it.each([
    ["model calls", null],
    ["reads", asksFor({ callId: "page", tool: "browse" })],
  ])("run one by one if they are %s, and one in the queue is not lost again", async (_, call) => {
    const suspects = new Semaphore(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = { steps: [() => promise.then(() => finishes()), finishes()], suspects };
    const first = lostTwice(null, slow);
    const second = lostTwice(call, { steps: [finishes()], suspects });
    const begun = first.run();
    const { state } = second.play;
    const waiting = second.run();
    await settled();
    second.play.commit((t) => recover(t, second.play.seed, () => 1));
    expect(second.play.state).toEqual(state);
    resolve();
    await Promise.all([begun, waiting]);
    expect(first.play.state.status).toBe("completed");
    expect(second.play.state.status).toBe("completed");
  });

  it("do not block the others while they run", async () => {
    const suspects = new Semaphore(1);
    void suspects.run(() => new Promise(() => {}));
    const { play, run } = world({ steps: [finishes()], suspects });
    await run();
    expect(play.state.status).toBe("completed");
  });
});

describe("an interrupt", () => {
  it("drops the late reply with a note, and calls the model again with the message", async () => {
    const asked = Promise.withResolvers<void>();
    const late = Promise.withResolvers<ModelReply>();
    const deaf: Step = () => {
      asked.resolve();
      return late.promise;
    };
    const { play, requests, run } = world({ steps: [deaf, finishes()] });
    const running = run();
    await asked.promise;
    play.message("m1", { mode: "interrupt" });
    late.resolve(finishes({ summary: "too early" }));
    await running;
    expect(play.logged("log")).toContainEqual({ message: "A late result was dropped." });
    expect(requests[1]?.turns.at(-1)).toEqual({ role: "user", text: "text of m1" });
    expect(play.state).toMatchObject({ status: "completed", summary: "All done", creditsUsed: 1 });
    // The late reply is free, but its tokens were used.
    expect(play.state.usage).toMatchObject({ inputTokens: 2 * usage.inputTokens, modelSteps: 1 });
  });
});
