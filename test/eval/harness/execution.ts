import type { SearchClient } from "../../../src/agent/tools/search-web.ts";
import type { Email } from "../../../src/agent/tools/send-email.ts";
import type { NewOutput } from "../../../src/agent/tools/tool.ts";
import { createToolset, type OwnTools } from "../../../src/agent/tools/toolset.ts";
import {
  type Model,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ReplyWatch,
  type Turn,
} from "../../../src/contract/conversation.ts";
import { isFinal } from "../../../src/contract/execution.ts";
import type { Json } from "../../../src/contract/json.ts";
import type { ExecutionSeed } from "../../../src/contract/session.ts";
import { TOOL_NAMES } from "../../../src/contract/tools/names.ts";
import { type LoopDependencies, runSteps } from "../../../src/executions/loop.ts";
import { type IncomingMessage, queueMessage } from "../../../src/executions/machine/inbox.ts";
import { expire, startExecution } from "../../../src/executions/machine/lifecycle.ts";
import { stepFailed } from "../../../src/executions/machine/recovery.ts";
import { initialState, type MachineState } from "../../../src/executions/machine/state.ts";
import { type Fact, Transition } from "../../../src/executions/machine/transition.ts";
import { createOutbox } from "../../../src/outbound/email/mailer.ts";
import { createGuardedFetch } from "../../../src/outbound/guarded-fetch.ts";
import { seedOf } from "../../support/execution.ts";
import { ownTools } from "../../support/own-tools.ts";
import type { Observed } from "../judge/judge.ts";
import type { Task } from "../task.ts";
import type { SiteServer } from "./server.ts";

/** The time of every execution: a Monday. */
const NOW = Date.UTC(2026, 5, 15, 10);

/** Turns of the loop that an execution has at most. */
const MAX_TURNS = 50;

interface EvalOptions {
  /** The search provider; without one, the model has no `search_web`. */
  search?: SearchClient | null;
  /** How long the model may think about a step, in milliseconds. */
  modelTimeoutMs?: number;
}

/** What an execution used. */
export interface Spent extends Pick<MachineState, "stepsCompleted" | "creditsUsed" | "usage"> {
  /** The tool calls that failed. */
  failedCalls: number;
}

/** One execution of a task in memory: the real loop, machine and tools, without a runtime. */
export class EvalExecution {
  readonly #task: Task;
  readonly #model: Model;
  readonly #sites: SiteServer;
  readonly #options: Required<EvalOptions>;
  readonly #seed: ExecutionSeed;
  readonly #turns: Turn[] = [];
  readonly #outputs: { callId: string; output: NewOutput }[] = [];
  readonly #mails: Email[] = [];
  readonly #messages: string[];
  readonly #replies: string[];
  readonly #events: Json[];
  #state: MachineState;
  #now = NOW;

  constructor(
    task: Task,
    model: Model,
    sites: SiteServer,
    { search = null, modelTimeoutMs = 60_000 }: EvalOptions = {},
  ) {
    const { prompt, inputs = null, outputSchema = null, interactive = false } = task;
    this.#task = task;
    this.#model = model;
    this.#sites = sites;
    this.#options = { search, modelTimeoutMs };
    this.#messages = [...(task.messages ?? [])];
    this.#replies = [...(task.replies ?? [])];
    this.#events = [...(task.events ?? [])];
    this.#seed = seedOf({
      createdAt: NOW,
      prompt,
      inputs,
      outputSchema,
      interactive,
      ...(task.failingFirst === undefined
        ? { model: model.name }
        : { model: FAILING, fallbacks: [model.name] }),
      approvals: task.approvals ?? [],
      tools: [...TOOL_NAMES],
    });
    this.#state = initialState(this.#seed, NOW);
    this.#commit((t) => startExecution(t, this.#seed));
  }

  /** Runs until the execution ends or asks something that the task does not answer. */
  async run(): Promise<Observed> {
    this.#sites.takeRequests();
    for (let turn = 0; !isFinal(this.#state.status); turn += 1) {
      if (turn > MAX_TURNS) throw new Error(`The execution of ${this.#task.id} does not end.`);
      if (!this.#goesOn()) break;
      this.#now = Math.max(this.#now, this.#state.retryAt ?? 0);
      await this.#runSteps();
    }
    return this.#observed();
  }

  /** Answers what the execution waits for. Returns whether it has nothing to wait for any more. */
  #goesOn(): boolean {
    const { question, waitUntil, phase } = this.#state;
    if (question?.kind === "approval") {
      const { callId } = question;
      const { decision = "approve" } = this.#task;
      this.#receive({ text: null, approval: { callId, decision } });
    } else if (question !== null) {
      const reply = this.#replies.shift();
      if (reply === undefined) return false;
      this.#receive({ text: reply });
    } else if (waitUntil !== null && phase.kind === "waiting") {
      const event = this.#events.shift();
      if (event !== undefined) this.#receive({ text: null, event, answers: phase.callId });
      else {
        this.#now = waitUntil;
        this.#commit((t) => expire(t, this.#seed));
      }
    }
    return true;
  }

  /** What the execution used so far. */
  get spent(): Spent {
    const { stepsCompleted, creditsUsed, usage } = this.#state;
    const failed = this.#turns.filter((turn) => turn.role === "tool" && !turn.answer.ok);
    return { stepsCompleted, creditsUsed, usage, failedCalls: failed.length };
  }

  async #runSteps(): Promise<void> {
    try {
      await runSteps(this.#dependencies(), new AbortController().signal, Number.MAX_SAFE_INTEGER);
    } catch (error) {
      // As in the session: an internal error ends the execution once it repeats.
      if (!(error instanceof Error)) throw error;
      this.#commit(stepFailed);
      this.#lastError = error.message;
    }
  }

  #lastError = "";

  #dependencies(): LoopDependencies {
    return {
      seed: this.#seed,
      model: (name) =>
        name === FAILING
          ? failingModel(this.#task.failingFirst)
          : { name, respond: (...args) => this.#respond(...args) },
      onText: () => {},
      modelTimeoutMs: this.#options.modelTimeoutMs,
      modelCalls: { acquire: async () => () => {} },
      suspects: { run: (step) => step() },
      tools: createToolset({
        ...this.#seed,
        own: this.#ownTools(),
        remote: [],
      }),
      fetch: createGuardedFetch({
        policy: { allowLoopback: false, ownHosts: [], schemes: ["http", "https"] },
        dnsOverHttpsUrl: null,
        fetch: this.#sites.fetch,
      }),
      now: () => this.#now,
      random: () => 0,
      history: () => ({
        taskFiles: [],
        turns: this.#turns,
        answer: (callId) => {
          const turn = this.#turns.find((each) => each.role === "tool" && each.callId === callId);
          return turn?.role === "tool" ? turn.answer : null;
        },
        cutsOf: () => [],
        cutReadsBefore: () => [],
        files: (callId) =>
          this.#outputs.flatMap(({ callId: of, output: { filename, mediaType, bytes } }) =>
            of !== callId || filename === undefined || bytes === undefined
              ? []
              : [{ filename, mediaType, bytes }],
          ),
      }),
      earlierEffect: async () => null,
      commit: (change) => this.#commit(change),
    };
  }

  /** Returns the tools, whose e-mail is kept and whose waits end when their time is over. */
  #ownTools(): OwnTools {
    return ownTools({
      search: this.#options.search,
      events: {
        wait: async (_, { timeoutSeconds }) => ({
          ok: true,
          until: this.#now + timeoutSeconds * 1_000,
        }),
      },
      mailer: {
        ...createOutbox({ from: "agent@prompthook.example", allowedRecipients: ["*"] }),
        send: async (mail) => {
          this.#mails.push(mail);
          return { kind: "sent", messageId: mail.messageId };
        },
      },
    });
  }

  /** Asks the model; the task's next message arrives while it thinks. */
  async #respond(
    request: ModelRequest,
    signal: AbortSignal,
    watch?: ReplyWatch,
  ): Promise<ModelReply> {
    const message = this.#messages.shift();
    if (message !== undefined) this.#receive({ text: message });
    return this.#model.respond(request, signal, watch);
  }

  #receive(message: Pick<IncomingMessage, "text"> & Partial<IncomingMessage>): void {
    const messageId = `m${this.#messages.length}_${this.#replies.length}`;
    const whole = { messageId, mode: "next_step", approval: null, ...message } as const;
    this.#commit((t) => queueMessage(t, whole));
  }

  #commit<T>(change: (t: Transition) => T): T {
    const t = new Transition(this.#state, this.#now);
    const value = change(t);
    this.#state = t.close();
    for (const fact of t.facts) this.#keep(fact);
    return value;
  }

  #keep(fact: Fact): void {
    if (fact.kind === "turn") this.#turns.push(fact.turn);
    if (fact.kind === "output") this.#outputs.push(fact);
  }

  #observed(): Observed {
    const { status, statusDetail, summary, question, data } = this.#state;
    const detail = statusDetail === "internal_error" ? this.#lastError : statusDetail;
    return {
      status: status === "completed" ? "completed" : isFinal(status) ? "failed" : "asked",
      detail,
      summary: summary ?? question?.text ?? "",
      ...(data === undefined ? {} : { data }),
      outputs: this.#outputs.map(({ output }) => output),
      mails: this.#mails,
      requests: this.#sites.takeRequests(),
    };
  }
}

/** The model that is asked before the evaluated one. */
const FAILING = "fallback/first";

function failingModel(failure: Task["failingFirst"]): Model {
  return {
    name: FAILING,
    respond: async () => {
      throw failure === "down"
        ? new ModelError("The model's server failed (503).", { retryable: true, status: 503 })
        : new ModelError("The model's server does not accept the API key (401).", {
            retryable: false,
            isUnusable: true,
            status: 401,
          });
    },
  };
}
