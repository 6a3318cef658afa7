import type { Toolset } from "../agent/tools/toolset.ts";
import { logError } from "../lib/log.ts";
import { documentReader } from "../outbound/documents.ts";
import { createLoopDependencies, type RunParts } from "./dependencies.ts";
import { readDocuments } from "./documents.ts";
import { runSteps } from "./loop.ts";
import type { NextAction } from "./machine/next.ts";
import { stepFailed } from "./machine/recovery.ts";

/** The runs of the loop of one execution, one at a time. */
export class StepRuns {
  readonly #parts: RunParts;
  #run: AbortController | null = null;
  /** The runs that have not ended, those that were aborted included. */
  #runs = 0;
  /** The first action, decided when the execution was stored. */
  first: NextAction | null = null;

  constructor(parts: RunParts) {
    this.#parts = parts;
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
    const { record, session, context } = this.#parts;
    this.first = null;
    try {
      await readDocuments(record.seed, record.journal, documentReader(context.env), signal);
      await runSteps(await createLoopDependencies(this.#parts, signal), signal, until, first);
      // To rest while a step is due would wake the alarm for ever.
      if (!signal.aborted && Date.now() < until && session.isDue())
        throw new Error("A step is due, but the loop found none to run.");
    } catch (error) {
      if (signal.aborted) return;
      logError("step failed", { executionId: record.seed.executionId }, error);
      session.commit((t) => {
        if (t.state.status === "active") stepFailed(t);
      });
    } finally {
      if (this.#run === run) this.#run = null;
      this.#runs -= 1;
    }
  }

  /** Returns the tools of the execution, to check calls and to describe them. */
  async tools(): Promise<Toolset> {
    const { tools } = await createLoopDependencies(this.#parts, new AbortController().signal);
    return tools;
  }

  abort(): void {
    this.#run?.abort();
    // A tool may notice late; its result then carries an old generation and is dropped.
    this.#run = null;
  }
}
