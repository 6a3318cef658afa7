import type { Toolset } from "../agent/tools/registry.ts";
import type { KeptEffect } from "../contract/backup.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { settingsOf } from "../env.ts";
import type { Semaphore } from "../lib/async.ts";
import { logError } from "../lib/log.ts";
import { createLoopDependencies } from "./dependencies.ts";
import type { StoredFact } from "./journal/facts.ts";
import { History } from "./journal/history.ts";
import type { SessionRecord } from "./journal/record.ts";
import { type LoopDependencies, runSteps } from "./loop.ts";
import type { NextAction } from "./machine/next.ts";
import { type PauseAfterLoss, stepFailed } from "./machine/recovery.ts";
import type { Transition } from "./machine/transition.ts";

/** What a session needs of the object that hosts it. */
export interface SessionContext {
  env: CloudflareEnv;
  /** Keeps working on this after the current request has been answered. */
  waitUntil(work: Promise<unknown>): void;
  /** Returns the bytes that the host stores, for all of its sessions. */
  storedBytes(): number;
  /** The model calls of all sessions of the host. */
  modelCalls: LoopDependencies["modelCalls"];
  /** The steps of all its sessions that were lost with the process more than once. */
  suspects: Semaphore;
  /** Returns the effects of an account's executions that it had before it went back in time. */
  keptEffects(accountId: string): Promise<KeptEffect[]>;
  /** Wakes the session at `at` (epoch milliseconds), not before; null for never. It is stored already. */
  wakeAt(at: number | null): void;
  /** Paces the sessions whose step was lost with the process more than once. */
  pauseAfterLoss: PauseAfterLoss;
  /** The execution has been removed. */
  removed(): void;
}

/** What runs need of their session. */
interface RunningSession {
  /** Applies a change and stores it with its facts. */
  commit<T>(change: (t: Transition) => T, also?: () => StoredFact[]): T;
  /** Whether a step is due. */
  isDue(): boolean;
  /** The model has written a piece of text. */
  wrote(text: string): void;
  /** A server refused the credential of a connection. */
  refused(connection: ExecutionSeed["connections"][number]): void;
}

/** The runs of the loop of one execution, one at a time. */
export class StepRuns {
  readonly #record: SessionRecord;
  readonly #context: SessionContext;
  readonly #session: RunningSession;
  #run: AbortController | null = null;
  /** The runs that have not ended, those that were aborted included. */
  #runs = 0;
  /** The first action, decided when the execution was stored. */
  first: NextAction | null = null;

  constructor(record: SessionRecord, context: SessionContext, session: RunningSession) {
    this.#record = record;
    this.#context = context;
    this.#session = session;
  }

  get isRunning(): boolean {
    return this.#run !== null;
  }

  /** Whether a run has not ended, though it may be aborted. */
  get isBusy(): boolean {
    return this.#runs > 0;
  }

  /** Runs the steps that are due, until a time in epoch milliseconds. It never throws. */
  async run(until: number): Promise<undefined> {
    const run = new AbortController();
    const { signal } = run;
    this.#run = run;
    this.#runs += 1;
    const { first } = this;
    this.first = null;
    try {
      const dependencies = await this.#loopDependencies(signal, (text) =>
        this.#session.wrote(text),
      );
      await runSteps(dependencies, signal, until, first);
      // To rest while a step is due would wake the alarm for ever.
      if (!signal.aborted && Date.now() < until && this.#session.isDue())
        throw new Error("A step is due, but the loop found none to run.");
    } catch (error) {
      if (signal.aborted) return;
      logError("step failed", { executionId: this.#record.seed.executionId }, error);
      this.#session.commit((t) => {
        if (t.state.status === "active") stepFailed(t);
      });
    } finally {
      if (this.#run === run) this.#run = null;
      this.#runs -= 1;
    }
  }

  /** Returns the tools of the execution, to check calls and to describe them. */
  async tools(): Promise<Toolset> {
    const { tools } = await this.#loopDependencies(new AbortController().signal, () => {});
    return tools;
  }

  #loopDependencies(signal: AbortSignal, onText: (text: string) => void) {
    const { env, modelCalls, suspects, keptEffects } = this.#context;
    return createLoopDependencies({
      seed: this.#record.seed,
      env,
      settings: settingsOf(env),
      history: () => this.#record.history,
      original: (id) => History.read(this.#record.journal.other(id)),
      commit: (change, also) => this.#session.commit(change, also),
      modelCalls,
      suspects,
      keptEffects,
      onText,
      onRefused: (connection) => this.#session.refused(connection),
      signal,
    });
  }

  abort(): void {
    this.#run?.abort();
    // A tool may notice late; its result then carries an old generation and is dropped.
    this.#run = null;
  }
}
