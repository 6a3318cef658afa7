import type { ToolContext, ToolResult } from "../../../../src/agent/tools/tool.ts";
import type { Toolset } from "../../../../src/agent/tools/toolset.ts";
import type {
  ModelReply,
  ModelRequest,
  ReplyWatch,
} from "../../../../src/contract/conversation.ts";
import { type Json, jsonObject } from "../../../../src/contract/json.ts";
import type { ExecutionSeed } from "../../../../src/contract/session.ts";
import type { ToolName } from "../../../../src/contract/tools/names.ts";
import { type LoopDependencies, runSteps } from "../../../../src/executions/loop.ts";
import { found, Play } from "../../../support/execution.ts";

/** What a reply cost, where that does not matter. */
export const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };

/** A reply that calls tools. */
export const asksFor = (
  ...calls: { callId: string; tool: string; input?: Json }[]
): ModelReply => ({
  text: "",
  calls: calls.map((call) => ({ input: {}, ...call })),
  usage,
});

let ids = 0;
/** A reply that ends the execution; each has an id of its own. */
export const finishes = (input: Json = { summary: "All done" }) =>
  asksFor({ callId: `end_${ids++}`, tool: "finish", input });

/** What the model does when it is asked once. */
export type Step =
  | ModelReply
  | Error
  | ((request: ModelRequest, signal: AbortSignal, watch: ReplyWatch) => Promise<ModelReply>);

/** What a tool does when it is run. */
export type Tool = (input: Json, context: ToolContext) => Promise<ToolResult>;

/** Tools that do as they are told: reads and effects by name. */
function toolBox(tools: Partial<Record<ToolName, Tool>>): Toolset {
  const names: ToolName[] = [...(Object.keys(tools) as ToolName[]), "finish"];
  return {
    names,
    descriptions: [],
    withDefaults: (_, input) => ({ method: "GET", ...jsonObject.safeParse(input).data }),
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
export function world(options: {
  steps: Step[];
  tools?: Partial<Record<ToolName, Tool>>;
  seed?: Partial<ExecutionSeed>;
  modelTimeoutMs?: number;
  modelCalls?: LoopDependencies["modelCalls"];
  suspects?: LoopDependencies["suspects"];
  earlierEffect?: LoopDependencies["earlierEffect"];
}) {
  const play = new Play(options.seed);
  const requests: ModelRequest[] = [];
  /** The names of the models that were asked. */
  const asked: string[] = [];
  /** What was written while it was written. */
  const texts: string[] = [];
  const tools = toolBox(options.tools ?? { browse: async () => found });
  const steps = [...options.steps];
  const dependencies: LoopDependencies = {
    seed: play.seed,
    model: (name) => ({
      name,
      async respond(request, signal, watch = { answered: () => {}, wrote: () => {} }) {
        requests.push(request);
        asked.push(name);
        const step = steps.shift();
        if (step === undefined) throw new Error("the model was asked once more than expected");
        if (step instanceof Error) throw step;
        return typeof step === "function" ? await step(request, signal, watch) : step;
      },
    }),
    onText: (text) => texts.push(text),
    modelTimeoutMs: options.modelTimeoutMs ?? 60_000,
    modelCalls: options.modelCalls ?? { acquire: async () => () => {} },
    suspects: options.suspects ?? { run: (step) => step() },
    tools,
    fetch: () => Promise.reject(new Error("nothing is fetched here")),
    now: () => play.now,
    random: () => 0,
    history: () => ({
      taskFiles: [],
      turns: play.turns,
      answer: () => null,
      files: () => [],
      cutsOf: () => [],
      cutReadsBefore: () => [],
    }),
    earlierEffect: options.earlierEffect ?? (async () => null),
    commit: play.commit,
  };
  const abort = new AbortController();
  return {
    play,
    tools,
    requests,
    asked,
    texts,
    abort,
    run: (until = Number.MAX_SAFE_INTEGER) => runSteps(dependencies, abort.signal, until),
  };
}
