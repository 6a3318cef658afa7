import { schemaViolations } from "../agent/schema-check.ts";
import { liveText } from "../agent/thoughts.ts";
import { traced } from "../agent/tools/cuts.ts";
import type { ToolContext, ToolResult } from "../agent/tools/tool.ts";
import type { Toolset } from "../agent/tools/toolset.ts";
import type { KeptEffect } from "../contract/backup.ts";
import {
  type Model,
  ModelError,
  type ModelRequest,
  type StepStart,
  type ToolCall,
} from "../contract/conversation.ts";
import { idempotencyKeyOf } from "../contract/execution.ts";
import { withCost } from "../contract/models.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { askUserInput, failedAnswer, type ToolAnswer } from "../contract/tools/call.ts";
import { startDeadline } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import { continuedTrace } from "../lib/trace-context.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import { classifyCall, heldBack, type LoopHistory, requestedCall, staleCall } from "./calls.ts";
import { decideNext, madeInput, type NextAction } from "./machine/next.ts";
import { failuresInRow } from "./machine/repeats.ts";
import {
  askUser,
  countTokens,
  finish,
  modelFailed,
  modelReplied,
  notRepeated,
  replyDiscarded,
  type StepReply,
  toolReturned,
} from "./machine/replies.ts";
import { lossesOf, type PendingCall } from "./machine/state.ts";
import type { Transition } from "./machine/transition.ts";
import { Pace } from "./pace.ts";
import { readFinish, withFinish } from "./results.ts";

/** The deadline of one tool call. */
const TOOL_TIMEOUT_MS = 120_000;

/** The least time between two lines of a call's progress in the log; those between are dropped. */
const PROGRESS_INTERVAL_MS = 5_000;

/** What the loop depends on. */
export interface LoopDependencies {
  readonly seed: ExecutionSeed;
  /** Returns the model of this name. */
  model(name: string): Model;
  readonly modelTimeoutMs: number;
  /**
   * The places of model calls; the time of a call begins when it has one. `acquire` resolves to what gives
   * back its place among those that wait for a response and, when the call is over, among all.
   */
  readonly modelCalls: { acquire(): Promise<(isOver?: boolean) => void> };
  /** Receives the text of a reply while it is written. Nothing of it is stored. */
  onText(text: string): void;
  /** The steps that were lost with the process more than once, one by one: so it shows which is to blame. */
  readonly suspects: { run<T>(step: () => Promise<T>): Promise<T> };
  readonly tools: Toolset;
  readonly fetch: GuardedFetch;
  now(): number;
  random(): number;
  /** Returns what happened so far. */
  history(): LoopHistory;
  /** Returns an effect like this call's that the execution had before its account went back in time. */
  earlierEffect(call: PendingCall): Promise<KeptEffect | null>;
  /** Applies a change to the newest state and stores it with its facts in one transaction. */
  commit<T>(change: (t: Transition) => T): T;
}

const REST: NextAction = { do: "rest" };

/**
 * Runs durable steps until none is due, the signal aborts, or `until` (epoch milliseconds) has passed.
 * Every result is stored before the next action starts, in one commit with the decision for it. `first`
 * is the action that was decided when the execution was stored, if that was just now.
 */
export async function runSteps(
  deps: LoopDependencies,
  signal: AbortSignal,
  until: number,
  first: NextAction | null = null,
): Promise<void> {
  const run = { deps, signal, until };
  // An approval may have ended a rest that was decided with the start.
  let action = first === null || first.do === "rest" ? await begin(run) : first;
  while (action.do !== "rest" && !signal.aborted) action = await act(run, action);
}

/** Decides the first action. One that was lost more than once waits for its turn, and is then carried out. */
function begin(run: Run): NextAction | Promise<NextAction> {
  const { deps } = run;
  const decide = () => deps.commit((t) => proceed(t, run));
  const isSuspect = deps.commit(({ state }) => lossesOf(state) > 1);
  return isSuspect ? deps.suspects.run(async () => act(run, decide())) : decide();
}

/** Carries an action out and returns the next one. */
async function act(run: Run, action: NextAction): Promise<NextAction> {
  if (action.do === "rest") return action;
  return action.do === "ask_model" ? askModel(run, action) : runCalls(run, action);
}

/** One run of the loop. */
interface Run {
  deps: LoopDependencies;
  signal: AbortSignal;
  until: number;
}

/**
 * Decides the next action. Calls that the machine answers itself are answered in the same change, which
 * saves their commits.
 */
function proceed(t: Transition, { deps, signal, until }: Run): NextAction {
  for (;;) {
    if (signal.aborted || deps.now() >= until) return REST;
    const action = decideNext(t, deps.seed, (callId) => callOf(t, deps, callId).input);
    const [first] = action.do === "run_calls" ? action.calls : [];
    if (first?.kind !== "control") return action;
    answerControl(t, deps, first);
  }
}

type AskModel = Extract<NextAction, { do: "ask_model" }>;
type RunCalls = Extract<NextAction, { do: "run_calls" }>;

async function askModel(run: Run, action: AskModel): Promise<NextAction> {
  const { deps } = run;
  const model = deps.model(action.model);
  const release = model.isLocal ? () => {} : await deps.modelCalls.acquire();
  try {
    return await callModel(run, action, model, () => release());
  } finally {
    release(true);
  }
}

/** Asks a model. `release` gives back the call's place among those that wait for a response. */
async function callModel(
  run: Run,
  { generation, start, model: name }: AskModel,
  model: Model,
  release: () => void,
): Promise<NextAction> {
  const { deps, signal } = run;
  if (signal.aborted) return REST;
  const deadline = startDeadline(deps.modelTimeoutMs, signal);
  const pace = new Pace(model.name, start.step, deps);
  const shown = liveText();
  const watch = {
    answered: release,
    wrote(piece: string) {
      pace.wrote();
      const text = shown(piece);
      if (text !== "") deps.onText(text);
    },
  };
  let reply: StepReply;
  try {
    const answer = await model.respond(request(deps, start), deadline.signal, watch);
    const usage = withCost(answer.usage, name, deps.seed.chosen);
    reply = { ...withFinish({ ...answer, usage }, `final_${deps.history().turns.length}`), start };
  } catch (error) {
    if (signal.aborted) return REST;
    const failure = asModelError(error, deadline.expired, deps.modelTimeoutMs);
    const tried = pace.failed(failure);
    return commitIfCurrent(run, generation, (t) => {
      t.facts.push({ kind: "try", ...tried });
      modelFailed(t, failure, deps.seed, deps.random());
    });
  } finally {
    deadline.clear();
  }
  const { fault } = reply;
  const tried = pace.replied(reply);
  const calls = reply.calls.map((call) => ({
    ...heldBack(call, classifyCall(call, deps.seed, deps.tools), deps.history()),
    failedInRow: failuresInRow(deps.history().turns, call, deps.tools.withDefaults),
  }));
  function apply(t: Transition) {
    t.facts.push({ kind: "try", ...tried, ...(fault !== undefined && { error: fault }) });
    if (fault === undefined) modelReplied(t, reply, calls);
    else replyDiscarded(t, reply, fault);
  }
  // The tokens of a reply that comes too late count as well.
  return commitIfCurrent(run, generation, apply, (t) => countTokens(t, reply.usage));
}

/** Runs calls concurrently. The last of them to end decides what is next. */
async function runCalls(run: Run, { generation, calls }: RunCalls): Promise<NextAction> {
  const actions = await Promise.all(calls.map((call) => runCall(run, generation, call)));
  return actions.find((action) => action.do !== "rest") ?? REST;
}

function request(deps: LoopDependencies, start: StepStart): ModelRequest {
  const { inputs, outputSchema, interactive } = deps.seed;
  const { taskFiles, turns } = deps.history();
  return {
    inputs,
    taskFiles,
    outputSchema,
    interactive,
    turns: [...turns],
    tools: [...deps.tools.descriptions],
    files: (callId) => deps.history().files(callId),
    now: new Date(start.at),
    start,
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

/** Returns a call, also one that this change has brought. */
function callOf(t: Transition, deps: LoopDependencies, callId: string): ToolCall {
  const added = t.facts.flatMap((fact) => (fact.kind === "turn" ? [fact.turn] : []));
  return requestedCall(deps.history().turns, callId, added);
}

/** Answers a call that ends the execution or asks the user. */
function answerControl(t: Transition, deps: LoopDependencies, call: PendingCall): void {
  const { seed } = deps;
  const { input, truncated: isCut = false } = callOf(t, deps, call.callId);
  const refused = staleCall(call, input, seed, deps.tools);
  if (refused !== null) {
    toolReturned(t, call.callId, { answer: refused });
  } else if (call.tool === "finish") {
    const { outputSchema } = seed;
    const result = readFinish(input, outputSchema);
    const violations = outputSchema === null ? [] : schemaViolations(outputSchema, result.data);
    const basedOn = deps
      .history()
      .turns.flatMap((turn) => (turn.role === "tool" && turn.answer.ok ? [turn.callId] : []));
    const truncated = isCut || deps.history().cutReadsBefore(call.callId).length > 0;
    finish(t, call.callId, result, { violations, basedOn, truncated });
  } else {
    askUser(t, seed, call.callId, askUserInput.parse(input));
  }
}

async function runCall(run: Run, generation: number, call: PendingCall): Promise<NextAction> {
  const { deps, signal } = run;
  const input = madeInput(call, (callId) => requestedCall(deps.history().turns, callId).input);
  const refused = staleCall(call, input, deps.seed, deps.tools);
  if (refused !== null) {
    const result: ToolResult = { answer: refused };
    return commitIfCurrent(run, generation, (t) => toolReturned(t, call.callId, result));
  }
  const earlier = call.kind === "effect" ? await earlierEffect(run, call) : null;
  if (earlier !== null) {
    return commitIfCurrent(run, generation, (t) => {
      if ("ok" in earlier) toolReturned(t, call.callId, { answer: earlier });
      else notRepeated(t, call.callId, earlier);
    });
  }
  const deadline = startDeadline(TOOL_TIMEOUT_MS, signal);
  const logProgress = progressLog(run, generation, call);
  const context: ToolContext = {
    signal: deadline.signal,
    fetch: deps.fetch,
    answer: (callId) => deps.history().answer(callId),
    files: (callId) => deps.history().files(callId),
    cutsOf: (callIds) => deps.history().cutsOf(callIds),
    cutReads: deps.history().cutReadsBefore(call.callId),
    onProgress(message) {
      deadline.restart();
      logProgress(message);
    },
    idempotencyKey: idempotencyKeyOf(deps.seed.executionId, call.callId),
    ...continuedTrace(deps.seed, call.callId),
  };
  let result: ToolResult;
  try {
    result = await deps.tools.run(call.tool, input, context);
  } catch (error) {
    if (signal.aborted) return REST;
    if (!deadline.expired) throw error;
    result = timedOut(call);
  } finally {
    deadline.clear();
  }
  const tracedResult = traced(result, call.kind, context);
  return commitIfCurrent(run, generation, (t) => toolReturned(t, call.callId, tracedResult));
}

/** Returns an earlier effect like this call's, null, or the answer of a call of which that is not known. */
async function earlierEffect(
  { deps }: Run,
  call: PendingCall,
): Promise<KeptEffect | ToolAnswer | null> {
  try {
    return await deps.earlierEffect(call);
  } catch (error) {
    logWarning("earlier effects not read", { executionId: deps.seed.executionId }, error);
    const message =
      "The list of earlier effects could not be read, so nothing was done. Call again.";
    return failedAnswer("unavailable", message);
  }
}

/** Returns a function that logs how far a call is, and shows it as the progress of the execution. */
function progressLog({ deps }: Run, generation: number, { callId }: PendingCall) {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (message: string) => {
    if (deps.now() < loggedAt + PROGRESS_INTERVAL_MS) return;
    loggedAt = deps.now();
    deps.commit((t) => {
      if (t.state.generation !== generation || t.state.status !== "active") return;
      t.state.message = message;
      t.event("log", { message, callId });
    });
  };
}

function timedOut(call: PendingCall): ToolResult {
  const message = `${call.tool} did not finish within ${TOOL_TIMEOUT_MS / 1_000} seconds.`;
  // An effect that timed out may have happened.
  const code = call.kind === "effect" ? "uncertain" : "timeout";
  return { answer: failedAnswer(code, message) };
}

/**
 * Stores a result and the decision for the next action, or logs that the result was dropped if the step
 * was abandoned meanwhile.
 */
function commitIfCurrent(
  run: Run,
  generation: number,
  change: (t: Transition) => void,
  drop: (t: Transition) => void = () => {},
): NextAction {
  return run.deps.commit((t) => {
    if (t.state.generation === generation) change(t);
    else if (t.state.status === "active") {
      t.event("log", { message: "A late result was dropped." });
      drop(t);
    }
    return proceed(t, run);
  });
}
