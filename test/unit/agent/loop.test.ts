import { describe, expect, it } from "vitest";
import { type LoopHost, runSteps } from "../../../src/agent/loop.ts";
import { stopByUser } from "../../../src/agent/machine/endings.ts";
import type { ToolBox } from "../../../src/agent/tools/registry.ts";
import type { ToolContext, ToolResult } from "../../../src/agent/tools/tool.ts";
import {
  ModelError,
  type ModelReply,
  type ModelRequest,
} from "../../../src/contract/conversation.ts";
import type { Json } from "../../../src/contract/json.ts";
import type { ExecutionSeed } from "../../../src/contract/session.ts";
import type { ToolName } from "../../../src/contract/tools/names.ts";
import { found, Play } from "../../support/execution.ts";
import { NO_SERVICES } from "../../support/tool-services.ts";

const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
const asksFor = (...calls: { callId: string; tool: string; input?: Json }[]): ModelReply => ({
  text: "",
  calls: calls.map((call) => ({ input: {}, ...call })),
  usage,
});
let ids = 0;
const finishes = (input: Json = { summary: "All done" }) =>
  asksFor({ callId: `end_${ids++}`, tool: "finish", input });
type Step =
  | ModelReply
  | Error
  | ((request: ModelRequest, signal: AbortSignal) => Promise<ModelReply>);
type Tool = (input: Json, context: ToolContext) => Promise<ToolResult>;

/** Tools that do as they are told: reads and effects by name. */
function toolBox(tools: Partial<Record<ToolName, Tool>>): ToolBox {
  const names: ToolName[] = [...(Object.keys(tools) as ToolName[]), "finish"];
  return {
    names,
    check: (name) => ({
      ok: true,
      kind: name === "finish" ? "control" : name === "http_request" ? "effect" : "read",
      price: name === "finish" ? 0 : 1,
      target: "",
      description: `Using ${name}`,
    }),
    run: (name, input, context) => {
      const tool = tools[name as ToolName];
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return tool(input, context);
    },
  };
}

/** One execution with a model that goes through `steps`. */
function world(options: {
  steps: Step[];
  tools?: Partial<Record<ToolName, Tool>>;
  seed?: Partial<ExecutionSeed>;
  modelTimeoutMs?: number;
}) {
  const play = new Play(options.seed);
  const requests: ModelRequest[] = [];
  const tools = toolBox(options.tools ?? { browse: async () => found });
  const steps = [...options.steps];
  const host: LoopHost = {
    seed: play.seed,
    model: {
      name: "test/model",
      async respond(request, signal) {
        requests.push(request);
        const step = steps.shift();
        if (step === undefined) throw new Error("the model was asked once more than expected");
        if (step instanceof Error) throw step;
        return typeof step === "function" ? await step(request, signal) : step;
      },
    },
    modelTimeoutMs: options.modelTimeoutMs ?? 60_000,
    tools,
    toolDescriptions: [],
    fetch: () => Promise.reject(new Error("nothing is fetched here")),
    now: () => play.now,
    random: () => 0,
    turns: () => play.turns,
    earlier: () => null,
    files: () => [],
    services: NO_SERVICES,
    commit: play.commit,
  };
  const abort = new AbortController();
  return {
    play,
    tools,
    requests,
    abort,
    run: (until = Number.MAX_SAFE_INTEGER) => runSteps(host, abort.signal, until),
  };
}

describe("the loop", () => {
  it("goes from the prompt to the end, step by step", async () => {
    const { play, requests, run } = world({
      steps: [asksFor({ callId: "a", tool: "browse" }), finishes()],
    });
    await run();
    expect(play.state).toMatchObject({ status: "completed", summary: "All done" });
    expect(requests.map(({ turns }) => turns.length)).toEqual([1, 3]);
    expect(requests[0]?.turns).toEqual([{ role: "user", text: "Do it" }]);
  });

  it("takes a plain text for the end", async () => {
    const { play, run } = world({ steps: [{ text: "It is 42.", calls: [], usage }] });
    await run();
    expect(play.state).toMatchObject({ status: "completed", summary: "It is 42." });
  });

  it("runs reads side by side", async () => {
    let running = 0;
    let most = 0;
    const browse: Tool = async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return found;
    };
    const calls = Array.from({ length: 8 }, (_, n) => ({ callId: `r${n}`, tool: "browse" }));
    const { play, run } = world({ steps: [asksFor(...calls), finishes()], tools: { browse } });
    await run();
    expect(most).toBe(6);
    expect(play.state.usage.toolCalls).toBe(8);
  });

  it("names each call to its target, the same in every try of it", async () => {
    const keys: string[] = [];
    const http_request: Tool = async (_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      return found;
    };
    const { play, run } = world({
      steps: [asksFor({ callId: "a", tool: "http_request" }), finishes()],
      tools: { http_request },
    });
    await run();
    expect(keys).toEqual([`${play.seed.executionId}:a`]);
  });

  it("does not run a call that newer code would run otherwise than it was approved", async () => {
    const sent: Json[] = [];
    const http_request: Tool = async (input) => {
      sent.push(input);
      return found;
    };
    const call = { callId: "pay", tool: "http_request" };
    const { play, tools, run } = world({
      steps: [asksFor(call), finishes()],
      tools: { http_request },
      seed: { approvals: ["http_request"] },
    });
    await run();
    play.message("m1", { text: null, approval: { callId: "pay", decision: "approve" } });
    const { check } = tools;
    tools.check = (name, input) => ({ ...check(name, input), target: "another account" });
    await run();
    expect([sent, play.answers("pay")]).toEqual([[], ["tool_changed"]]);
    expect(play.effects.get("pay")).toBe("failed");
    expect(play.state).toMatchObject({ status: "completed", creditsUsed: 2 });
  });

  it("rests after a failure of the model until the next try is due", async () => {
    const busy = new ModelError("busy", { retryable: true });
    const { play, requests, run } = world({ steps: [busy, finishes()] });
    await run();
    await run();
    expect(requests).toHaveLength(1);
    play.now = play.state.retryAt ?? 0;
    await run();
    expect(play.state.status).toBe("completed");
  });

  it("takes a model that does not answer in time for one that may answer later", async () => {
    const hangs: Step = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const { play, run } = world({ steps: [hangs], modelTimeoutMs: 5 });
    await run();
    expect(play.state.statusDetail).toBe("retrying");
    expect(play.state.message).toContain("did not answer");
  });

  it("takes an empty answer for a failure of the model", async () => {
    const { play, run } = world({ steps: [{ text: "", calls: [], usage }] });
    await run();
    expect(play.state).toMatchObject({ statusDetail: "retrying", creditsUsed: 0 });
  });

  it("lets a fault of a tool through, as a fault of ours", async () => {
    const browse: Tool = () => Promise.reject(new Error("a bug"));
    const { run } = world({ steps: [asksFor({ callId: "a", tool: "browse" })], tools: { browse } });
    await expect(run()).rejects.toThrow("a bug");
  });

  it("ends between two steps when its time is over", async () => {
    const slow: Step = async () => {
      play.now += 1_000;
      return asksFor({ callId: "a", tool: "browse" });
    };
    const { play, run } = world({ steps: [slow] });
    await run(play.now + 500);
    expect(play.state.phase).toMatchObject({ kind: "tools", calls: [{ state: "pending" }] });
  });
});

describe("a stop", () => {
  it("reaches the model's call, and nothing that it still says is taken", async () => {
    let late: (reply: ModelReply) => void = () => {};
    const deaf: Step = () =>
      new Promise((resolve) => {
        late = resolve;
      });
    const { play, abort, run } = world({ steps: [deaf] });
    const running = run();
    await Promise.resolve();
    play.commit((t) => stopByUser(t, null));
    abort.abort();
    const { state } = play;
    late(finishes());
    await running;
    expect(play.state).toEqual(state);
    expect(play.turns).toHaveLength(1);
  });

  it("reaches a tool, whose late result is dropped", async () => {
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

describe("an interrupt", () => {
  it("drops the late reply with a note, and asks anew with the message", async () => {
    let late: (reply: ModelReply) => void = () => {};
    const deaf: Step = () =>
      new Promise((resolve) => {
        late = resolve;
      });
    const { play, requests, run } = world({ steps: [deaf, finishes()] });
    const running = run();
    await Promise.resolve();
    play.message("m1", { mode: "interrupt" });
    late(finishes({ summary: "too early" }));
    await running;
    expect(play.logged("log")).toContainEqual({ message: "A late result was dropped." });
    expect(requests[1]?.turns.at(-1)).toEqual({ role: "user", text: "text of m1" });
    expect(play.state).toMatchObject({ status: "completed", summary: "All done", creditsUsed: 1 });
  });
});

describe("an output schema", () => {
  const outputSchema = { type: "object", required: ["total"] };
  const bad = () => finishes({ summary: "done", data: {} });

  it("hands data back that does not match, and completes with data that does", async () => {
    const good = finishes({ summary: "done", data: { total: 3 } });
    const { play, requests, run } = world({ steps: [bad(), bad(), good], seed: { outputSchema } });
    await run();
    expect(play.state).toMatchObject({ status: "completed", data: { total: 3 } });
    expect(requests).toHaveLength(3);
  });

  it("fails the third time, saying what does not match", async () => {
    const { play, run } = world({ steps: [bad(), bad(), bad()], seed: { outputSchema } });
    await run();
    expect(play.state).toMatchObject({
      status: "failed",
      error: { code: "model_error", message: expect.stringContaining("total") },
    });
  });
});
