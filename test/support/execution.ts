import type { TracedResult } from "../../src/agent/tools/cuts.ts";
import type { NewOutput, ToolResult } from "../../src/agent/tools/tool.ts";
import type { ModelTry, StepStart, ToolCall, Turn } from "../../src/contract/conversation.ts";
import { NO_RULES } from "../../src/contract/decisions.ts";
import type { EventType } from "../../src/contract/events.ts";
import type { ExecutionStatus } from "../../src/contract/execution.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import type { ExecutionSeed } from "../../src/contract/session.ts";
import type { AskUserInput, CallKind, FinishInput } from "../../src/contract/tools/call.ts";
import { type IncomingMessage, queueMessage } from "../../src/executions/machine/inbox.ts";
import { startExecution } from "../../src/executions/machine/lifecycle.ts";
import { decideNext, type NextAction } from "../../src/executions/machine/next.ts";
import {
  askUser,
  type ClassifiedCall,
  type FinishChecks,
  finish,
  modelReplied,
  type StepReply,
  toolReturned,
} from "../../src/executions/machine/replies.ts";
import {
  initialState,
  type MachineState,
  type PendingCall,
} from "../../src/executions/machine/state.ts";
import {
  type EffectState,
  type Fact,
  Transition,
} from "../../src/executions/machine/transition.ts";

/** When the executions of tests start; epoch milliseconds. */
export const START = Date.UTC(2026, 0, 1);

/** The seed of an execution that may do much; `changes` say what is special about it. */
export function seedOf(changes: Partial<ExecutionSeed> = {}): ExecutionSeed {
  return {
    v: 1,
    executionId: "01890000-0000-7000-8000-000000000001",
    accountId: "acc_1",
    origin: "api",
    workflowId: null,
    revision: null,
    inbound: null,
    createdAt: START,
    prompt: "Do it",
    inputs: null,
    outputSchema: null,
    model: "openai/test",
    fallbacks: [],
    tools: ["browse", "http_request", "process_data", "emit_output"],
    approvals: [],
    mcpServers: [],
    allowedHosts: null,
    connections: [],
    emailRecipients: null,
    googleSheets: null,
    interactive: true,
    heldCredits: 1_000,
    heldBecause: "budget",
    maxSteps: 30,
    timeoutSeconds: 1_800,
    inputTimeoutSeconds: 86_400,
    metadata: {},
    callback: null,
    decisions: NO_RULES,
    serviceHosts: [],
    retentionDays: 30,
    ...changes,
  };
}

const TOOL_OF_KIND: Record<CallKind, string> = {
  read: "browse",
  local: "process_data",
  effect: "http_request",
  control: "finish",
};

/** A call that is fit to run. */
export function callOf(
  kind: CallKind,
  callId: string,
  changes: Partial<PendingCall> = {},
): PendingCall {
  return {
    callId,
    tool: TOOL_OF_KIND[kind],
    kind,
    price: kind === "control" ? 0 : 1,
    target: kind === "effect" ? `POST https://example.com/${callId}` : "",
    description: `Doing ${callId}`,
    needsApproval: false,
    state: "pending",
    ...changes,
  };
}

/** The calls with which a model finishes, and asks the user. */
export const END = callOf("control", "end");
export const ASK = callOf("control", "ask", { tool: "ask_user" });

/** What the model was told when it was asked. */
export const STEP_START: StepStart = {
  at: START,
  step: 1,
  stepsLeft: 30,
  creditsLeft: 50,
  stepPrice: 1,
  secondsLeft: 1_800,
};

/** A reply that asks for these calls. */
export function replyOf(calls: readonly { callId: string; tool: string }[], text = ""): StepReply {
  return {
    start: STEP_START,
    text,
    calls: calls.map(({ callId, tool }): ToolCall => ({ callId, tool, input: {} })),
    usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 2 },
  };
}

/** What a tool found. */
export const found: ToolResult = { answer: { ok: true, content: "found" } };

/** The checks of a `finish` that matches its schema and is based on nothing. */
export const NO_CHECKS: FinishChecks = { violations: [], basedOn: [], truncated: false };

/** What a person adds to a decision. */
type Decided = Partial<Omit<NonNullable<IncomingMessage["approval"]>, "callId" | "decision">> &
  Partial<Pick<IncomingMessage, "text" | "answerer">>;

interface LoggedEvent {
  type: EventType;
  version: number;
  data: JsonObject;
}

/** Freezes a value as deep as it goes: a change must not touch the state that it began with. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

/**
 * One execution in memory, with a clock that is set by hand: what the session stores, this keeps in
 * lists. Every change goes through a transition, as in the session.
 */
export class Play {
  readonly seed: ExecutionSeed;
  state: MachineState;
  now = START;
  readonly events: LoggedEvent[] = [];
  readonly turns: Turn[] = [];
  readonly effects = new Map<string, EffectState>();
  readonly made: NewOutput[] = [];
  /** The effects that sent what is based on a cut source. */
  readonly sentCut: string[] = [];
  readonly evidence: Extract<Fact, { kind: "evidence" }>[] = [];
  readonly announced: ExecutionStatus[] = [];
  /** How often the step under way was told to abort. */
  readonly tries: ModelTry[] = [];
  aborts = 0;

  constructor(changes: Partial<ExecutionSeed> = {}) {
    this.seed = seedOf(changes);
    this.state = initialState(this.seed, this.now);
    const t = new Transition(this.state, this.now);
    startExecution(t, this.seed);
    for (const fact of t.facts) this.#keep(fact);
  }

  /** Applies a change and keeps its facts; the state stays as it was when the change throws. */
  readonly commit = <T>(change: (t: Transition) => T): T => {
    const t = new Transition(frozen(this.state), this.now);
    const value = change(t);
    this.state = t.close();
    for (const fact of t.facts) this.#keep(fact);
    return value;
  };

  next(): NextAction {
    return this.commit((t) => decideNext(t, this.seed, (callId) => ({ of: callId })));
  }

  /** The ids of the calls that are to run now. Throws when something else is to be done. */
  runs(): string[] {
    const what = this.next();
    if (what.do !== "run_calls") throw new Error(`expected calls to run, not ${what.do}`);
    return what.calls.map(({ callId }) => callId);
  }

  /** Asks the model, which answers with these calls. */
  reply(calls: ClassifiedCall[], text = "", plan?: string[]): void {
    const what = this.next();
    if (what.do !== "ask_model") throw new Error(`expected the model's turn, not ${what.do}`);
    const reply = { ...replyOf(calls, text), start: what.start, ...(plan && { plan }) };
    this.commit((t) => modelReplied(t, reply, calls));
  }

  /** A whole step: the model asks for these calls, and each of them finds something. */
  step(...calls: ClassifiedCall[]): void {
    this.reply(calls);
    for (let left = calls.length; left > 0; ) {
      const batch = this.runs();
      for (const callId of batch) this.returns(callId);
      left -= batch.length;
    }
  }

  /** The call `end` runs, as the loop hands it on. */
  finish(
    input: FinishInput = { status: "completed", summary: "All done" },
    checks: Partial<FinishChecks> = {},
  ): void {
    this.commit((t) => finish(t, "end", input, { ...NO_CHECKS, ...checks }));
  }

  /** The call `ask` runs, as the loop hands it on. */
  ask(input: AskUserInput = { question: "Which one?" }): void {
    this.commit((t) => askUser(t, this.seed, "ask", input));
  }

  /** A tool returns. */
  returns(callId: string, result: TracedResult = found): void {
    this.commit((t) => toolReturned(t, callId, result));
  }

  /** The user writes. */
  message(messageId: string, changes: Partial<IncomingMessage> = {}): void {
    const message = { messageId, text: `text of ${messageId}`, mode: "next_step", approval: null };
    this.commit((t) => {
      queueMessage(t, { ...message, ...changes } as IncomingMessage);
      t.touch();
    });
  }

  /** A person decides about the call that waits. */
  decide(
    callId: string,
    decision: "approve" | "deny",
    { text = null, answerer, ...approval }: Decided = {},
  ): void {
    const by = answerer && { answerer };
    this.message("decision", { text, approval: { callId, decision, ...approval }, ...by });
  }

  /** The labels of the outputs. */
  get outputs(): string[] {
    return this.made.map(({ label }) => label);
  }

  /** The events of one type, by their data. */
  logged(type: EventType): JsonObject[] {
    return this.events.filter((event) => event.type === type).map(({ data }) => data);
  }

  /** Statuses as the log tells them: `status/detail`. */
  statuses(): string[] {
    return this.logged("status").map(({ status, statusDetail }) => `${status}/${statusDetail}`);
  }

  /** What the call was answered with: `ok`, or the code of the error. */
  answers(callId: string): string[] {
    return this.turns.flatMap((turn) =>
      turn.role === "tool" && turn.callId === callId
        ? [turn.answer.ok ? "ok" : turn.answer.error.code]
        : [],
    );
  }

  /** The messages of the errors that the call was answered with, as the model reads them. */
  refusals(callId: string): string[] {
    return this.turns.flatMap((turn) =>
      turn.role === "tool" && turn.callId === callId && !turn.answer.ok
        ? [turn.answer.error.message]
        : [],
    );
  }

  #keep(fact: Fact): void {
    switch (fact.kind) {
      case "event":
        this.events.push({ type: fact.type, version: this.state.version, data: fact.data });
        return;
      case "turn":
        this.turns.push(fact.turn);
        return;
      case "effect":
        this.effects.set(fact.callId, fact.state);
        if (fact.truncated) this.sentCut.push(fact.callId);
        return;
      case "output":
        this.made.push(fact.output);
        return;
      case "announce":
        this.announced.push(fact.status);
        return;
      case "abort":
        this.aborts += 1;
        return;
      case "evidence":
        this.evidence.push(fact);
        return;
      case "try": {
        const { kind: _, ...tried } = fact;
        this.tries.push(tried);
        return;
      }
      default:
        fact satisfies never;
    }
  }
}

/** An execution whose model asked for these calls, of which those run that may. */
export function running(calls: ClassifiedCall[], changes: Partial<ExecutionSeed> = {}): Play {
  const play = new Play(changes);
  play.reply(calls);
  play.next();
  return play;
}

/** An execution that asked its user, with other calls behind the question. */
export function asking(others: ClassifiedCall[] = [], changes: Partial<ExecutionSeed> = {}): Play {
  const play = running([ASK, ...others], changes);
  play.ask();
  return play;
}
