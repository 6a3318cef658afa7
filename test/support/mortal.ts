import { createToolset, type Toolset } from "../../src/agent/tools/toolset.ts";
import {
  type ModelReply,
  type ModelRequest,
  storedTurn,
  type ToolCall,
} from "../../src/contract/conversation.ts";
import { isFinal } from "../../src/contract/execution.ts";
import type { ExecutionSeed } from "../../src/contract/session.ts";
import { type LoopDependencies, runSteps } from "../../src/executions/loop.ts";
import { stopByUser } from "../../src/executions/machine/lifecycle.ts";
import { recover } from "../../src/executions/machine/recovery.ts";
import { machineState } from "../../src/executions/machine/state.ts";
import type { Transition } from "../../src/executions/machine/transition.ts";
import { backoffMs } from "../../src/lib/async.ts";
import {
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from "../../src/ports/fetch.ts";
import { Play } from "./execution.ts";
import { ownTools } from "./own-tools.ts";

/** What befalls the execution at the n-th boundary between two instructions, counted over all its lives. */
export interface Incident {
  at: number;
  what: "kill" | "stop" | "interrupt";
}

/** What an execution is to do: the model's replies, and the user's word on calls that need it. */
export interface Script {
  replies: ToolCall[][];
  seed?: Partial<ExecutionSeed>;
  denied?: readonly string[];
}

/** One request that reached the outside and changed it. */
export interface Act {
  url: string;
  idempotencyKey: string | null;
}

/** The process is gone: nothing that it still does has an effect. */
class Death extends Error {}

interface Process {
  dead: boolean;
  abort: AbortController;
  /** Runs that were told to abort are deaf: they linger beside the next one, as they may in a session. */
  runs: Promise<void>[];
}

/** Lives that an execution has at most; more means that it does not get on. */
const LIVES = 20;

/**
 * An execution whose process dies at chosen boundaries: before and after each commit, before and after
 * the model answers, before and after a request acts. The next process has what was stored, read back
 * from text through the schemas, and nothing else. The tools are the real ones; what they reach counts.
 */
export class MortalExecution {
  readonly play: Play;
  readonly acts: Act[] = [];
  readonly requests: ModelRequest[] = [];
  /** Effects that were under way when a process died or the user broke in. */
  readonly underWay = new Set<string>();
  boundaries = 0;
  /** How often the user broke in; only while something is awaited can that be. */
  intrusions = 0;
  #script: Script;
  #tools: Toolset;
  #incidents: Map<number, Incident["what"]>;

  constructor(script: Script, incidents: readonly Incident[]) {
    this.#script = script;
    this.#incidents = new Map(incidents.map(({ at, what }) => [at, what]));
    this.play = new Play(script.seed);
    this.#tools = createToolset({ ...this.play.seed, own: ownTools(), remote: [] });
  }

  /** Lives on, process after process, until the execution has ended. */
  async live(): Promise<void> {
    for (let life = 0; life < LIVES; life += 1) {
      const process: Process = { dead: false, abort: new AbortController(), runs: [] };
      const ended = await this.#run(process).then(() => true, expectDeath);
      await Promise.all(process.runs.map((run) => run.catch(expectDeath)));
      if (ended) return;
      this.#reread();
    }
    throw new Error("the execution does not get on");
  }

  async #run(process: Process): Promise<void> {
    const { play } = this;
    this.#commit(process, (t) => recover(t, play.seed, backoffMs));
    for (let turn = 0; !isFinal(play.state.status); turn += 1) {
      if (turn > 100) throw new Error("the execution does not get on");
      const { question, retryAt } = play.state;
      if (question !== null) this.#decide(process, question);
      play.now = Math.max(play.now, retryAt ?? 0);
      process.abort = new AbortController();
      const { signal } = process.abort;
      const run = runSteps(this.#dependencies(process), signal, Number.MAX_SAFE_INTEGER);
      process.runs.push(run);
      await Promise.race([run, aborted(signal)]);
    }
  }

  /** The user decides; one who got no answer decides again, seeing that the call still waits. */
  #decide(process: Process, question: NonNullable<Play["state"]["question"]>): void {
    if (question.kind !== "approval") throw new Error("nobody can answer here");
    const { callId } = question;
    const decision = this.#script.denied?.includes(callId) ? "deny" : "approve";
    this.#pass(process);
    this.play.decide(callId, decision);
    this.#pass(process);
  }

  #dependencies(process: Process): LoopDependencies {
    const { play } = this;
    return {
      seed: play.seed,
      model: (name) => ({ name, respond: (request) => this.#respond(process, request) }),
      onText: () => {},
      modelTimeoutMs: 60_000,
      modelCalls: { acquire: async () => () => {} },
      suspects: { run: (step) => step() },
      tools: this.#tools,
      fetch: (request) => this.#fetch(process, request),
      now: () => play.now,
      random: () => 0,
      history: () => ({
        taskFiles: [],
        turns: play.turns,
        answer: (callId) => this.#answer(callId),
        files: () => [],
        cutsOf: () => [],
        cutReadsBefore: () => [],
      }),
      earlierEffect: async () => null,
      commit: (change) => this.#commit(process, change),
    };
  }

  #commit<T>(process: Process, change: (t: Transition) => T): T {
    this.#pass(process);
    const { aborts, state } = this.play;
    const value = this.play.commit(change);
    if (this.play.aborts > aborts) process.abort.abort();
    if (isFinal(state.status) && this.play.state.version !== state.version) {
      throw new Error("what was final has changed");
    }
    this.#pass(process);
    return value;
  }

  /** The model says what its script says at this place of the conversation, however often it is asked. */
  async #respond(process: Process, request: ModelRequest): Promise<ModelReply> {
    this.requests.push(request);
    await this.#passAwaiting(process);
    const step = request.turns.filter(({ role }) => role === "assistant").length;
    const end = { callId: `end_${step}`, tool: "finish", input: { summary: "All done." } };
    await this.#passAwaiting(process);
    const calls = this.#script.replies[step] ?? [end];
    return { text: "", calls, usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0 } };
  }

  /** The outside: `refused` is never reached, `broken` acts and breaks off, any other acts and answers. */
  async #fetch(process: Process, { url, method, headers }: OutboundRequest) {
    await this.#passAwaiting(process);
    if (url.includes("refused")) throw new OutboundError("address_refused", "Not allowed.");
    if (method !== "GET")
      this.acts.push({ url, idempotencyKey: headers?.["idempotency-key"] ?? null });
    await this.#passAwaiting(process);
    if (url.includes("broken")) throw new OutboundError("network", "It broke off.");
    return answerOf(url);
  }

  /** A boundary at which other requests may come in: the user may write or stop. */
  async #passAwaiting(process: Process): Promise<void> {
    const what = this.#incidents.get(this.boundaries + 1);
    this.#pass(process);
    await Promise.resolve();
    if (isFinal(this.play.state.status) || what === undefined) return;
    this.#noteUnderWay();
    this.intrusions += 1;
    if (what === "stop") this.play.commit((t) => stopByUser(t, null));
    else this.play.message(`m${this.boundaries}`, { mode: "interrupt" });
    process.abort.abort();
  }

  #pass(process: Process): void {
    if (process.dead) throw new Death();
    this.boundaries += 1;
    if (this.#incidents.get(this.boundaries) !== "kill") return;
    this.#noteUnderWay();
    process.dead = true;
    throw new Death();
  }

  #noteUnderWay(): void {
    const { phase } = this.play.state;
    if (phase.kind !== "tools") return;
    for (const { kind, state, callId } of phase.calls) {
      if (kind === "effect" && state === "started") this.underWay.add(callId);
    }
  }

  #reread(): void {
    const { play } = this;
    play.state = machineState.parse(JSON.parse(JSON.stringify(play.state)));
    const turns = play.turns.map((turn) => storedTurn.parse(JSON.parse(JSON.stringify(turn))));
    play.turns.splice(0, Infinity, ...turns);
  }

  #answer(callId: string) {
    const turn = this.play.turns.find((entry) => entry.role === "tool" && entry.callId === callId);
    return turn?.role === "tool" ? turn.answer : null;
  }
}

function expectDeath(error: unknown): false {
  if (error instanceof Death) return false;
  throw error;
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve());
  return promise;
}

function answerOf(url: string): OutboundResponse {
  const headers = new Headers({ "content-type": "application/json" });
  return { url, status: 200, headers, bytes: new TextEncoder().encode('[{"n":1}]'), cut: false };
}
