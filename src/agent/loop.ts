import { type Model, ModelError, type ModelReply, type Turn } from "../contract/conversation.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import {
  askUserInput,
  finishInput,
  type OutputFile,
  type ToolAnswer,
} from "../contract/tools/call.ts";
import { startDeadline } from "../lib/async.ts";
import { callInput, classifyCall, schemaViolations, staleCall, withFinish } from "./calls.ts";
import { decideNext, type NextAction } from "./machine/next.ts";
import { askUser, finish, modelFailed, modelReplied, toolReturned } from "./machine/replies.ts";
import type { PendingCall } from "./machine/state.ts";
import type { Transition } from "./machine/transition.ts";
import type { GuardedFetch } from "./ports/fetch.ts";
import type { Toolset } from "./tools/registry.ts";
import type { ToolPorts, ToolResult } from "./tools/tool.ts";

/** The deadline of one tool call. */
const TOOL_TIMEOUT_MS = 120_000;

/** What the loop depends on. */
export interface LoopDependencies {
  readonly seed: ExecutionSeed;
  readonly model: Model;
  readonly modelTimeoutMs: number;
  readonly tools: Toolset;

  readonly fetch: GuardedFetch;
  now(): number;
  random(): number;
  turns(): readonly Turn[];
  /** Returns the complete answer of an earlier call, or null. */
  answer(callId: string): ToolAnswer | null;
  /** Returns the files that an earlier call output. */
  files(callId: string): OutputFile[];
  readonly ports: ToolPorts;
  /** Applies a change to the newest state and stores it with its facts in one transaction. */
  commit<T>(change: (t: Transition) => T): T;
}

/**
 * Runs durable steps until none is due, the signal aborts, or `until` (epoch milliseconds) has passed.
 * Every result is stored before the next action starts.
 */
export async function runSteps(
  deps: LoopDependencies,
  signal: AbortSignal,
  until: number,
): Promise<void> {
  while (!signal.aborted && deps.now() < until) {
    const action: NextAction = deps.commit((t) => decideNext(t, deps.seed));
    if (action.do === "rest") return;
    const { generation } = action;
    if (action.do === "ask_model") await askModel(deps, generation, signal);
    else await Promise.all(action.calls.map((call) => runCall(deps, generation, call, signal)));
  }
}

async function askModel(
  deps: LoopDependencies,
  generation: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = startDeadline(deps.modelTimeoutMs, signal);
  let reply: ModelReply;
  try {
    const answer = await deps.model.respond(request(deps), deadline.signal);
    reply = withFinish(answer, `final_${deps.turns().length}`);
  } catch (error) {
    if (signal.aborted) return;
    const failure = asModelError(error, deadline.expired, deps.modelTimeoutMs);
    commitIfCurrent(deps, generation, (t) => modelFailed(t, failure, deps.random()));
    return;
  } finally {
    deadline.clear();
  }
  const calls = reply.calls.map((call) => classifyCall(call, deps.seed, deps.tools));
  commitIfCurrent(deps, generation, (t) => modelReplied(t, reply, calls));
}

function request(deps: LoopDependencies) {
  const { seed } = deps;
  return {
    inputs: seed.inputs,
    outputSchema: seed.outputSchema,
    interactive: seed.interactive,
    turns: [...deps.turns()],
    tools: [...deps.tools.descriptions],
    now: new Date(deps.now()),
  };
}

function asModelError(error: unknown, timedOut: boolean, timeoutMs: number): ModelError {
  if (timedOut) {
    return new ModelError(`The model did not reply within ${timeoutMs / 1_000} seconds.`, {
      retryable: true,
    });
  }
  if (error instanceof ModelError) return error;
  throw error;
}

async function runCall(
  deps: LoopDependencies,
  generation: number,
  call: PendingCall,
  signal: AbortSignal,
): Promise<void> {
  const input = callInput(deps.turns(), call.callId);
  const refused = staleCall(call, input, deps.seed, deps.tools);
  if (refused !== null) {
    const result: ToolResult = { answer: refused, price: 0 };
    commitIfCurrent(deps, generation, (t) => toolReturned(t, call.callId, result));
    return;
  }
  if (call.tool === "finish") {
    const result = finishInput.parse(input);
    const { outputSchema } = deps.seed;
    const violations = outputSchema === null ? [] : schemaViolations(outputSchema, result.data);
    commitIfCurrent(deps, generation, (t) => finish(t, call.callId, result, violations));
    return;
  }
  if (call.tool === "ask_user") {
    const { question } = askUserInput.parse(input);
    commitIfCurrent(deps, generation, (t) => askUser(t, call.callId, question));
    return;
  }
  const deadline = startDeadline(TOOL_TIMEOUT_MS, signal);
  let result: ToolResult;
  try {
    result = await deps.tools.run(call.tool, input, {
      signal: deadline.signal,
      fetch: deps.fetch,
      answer: (callId) => deps.answer(callId),
      files: (callId) => deps.files(callId),
      ports: deps.ports,
      idempotencyKey: `${deps.seed.executionId}:${call.callId}`,
    });
  } catch (error) {
    if (signal.aborted) return;
    if (!deadline.expired) throw error;
    result = timedOut(call);
  } finally {
    deadline.clear();
  }
  commitIfCurrent(deps, generation, (t) => toolReturned(t, call.callId, result));
}

function timedOut(call: PendingCall): ToolResult {
  const message = `${call.tool} did not finish within ${TOOL_TIMEOUT_MS / 1_000} seconds.`;
  // An effect that timed out may have happened.
  const code = call.kind === "effect" ? "uncertain" : "timeout";
  return { answer: { ok: false, error: { code, message } } };
}

/** Stores a result, or logs that it was dropped if the step was abandoned meanwhile. */
function commitIfCurrent(
  deps: LoopDependencies,
  generation: number,
  change: (t: Transition) => void,
): void {
  deps.commit((t) => {
    if (t.state.generation === generation) change(t);
    else if (t.state.status === "active") t.event("log", { message: "A late result was dropped." });
  });
}
