import type { RouteDecision, RunReport, WorkOutcome } from "../../contract/inbound/inbox.ts";
import type { StageError } from "../../contract/inbound/payload.ts";
import type { RequestLog } from "./log.ts";
import {
  errorsOf,
  isReady,
  type NewStart,
  requestStatusOf,
  type StartChange,
  type StartRow,
  type Starts,
  seqOf,
  summaryOf,
} from "./starts.ts";
import type { EntryRow } from "./tables.ts";
import type { ReadyRow, Work } from "./work.ts";

interface RouterComponents {
  log: RequestLog;
  work: Work;
  starts: Starts;
  newExecutionId(now: number): string;
}

/** An arrival's starts, decided and not stored yet. */
export type PlannedStart = NewStart;

/** Starts the routes of a request, and sums up what becomes of them in its entry. */
export class Router {
  readonly #components: RouterComponents;

  constructor(components: RouterComponents) {
    this.#components = components;
  }

  /** Decides which routes of a request start, each with an execution of its own. */
  plan(routes: readonly RouteDecision[], configVersion: number, now: number): PlannedStart[] {
    return routes
      .filter(({ matched }) => matched)
      .map(({ name, inputs, warnings, errors }) => ({
        route: name,
        executionId: errors.length > 0 ? null : this.#components.newExecutionId(now),
        configVersion,
        inputs,
        warnings,
        errors,
      }));
  }

  /** Stores the starts of a request whose entry is stored. */
  store(seq: number, planned: readonly PlannedStart[], bodyBytes: number): void {
    const { starts, work } = this.#components;
    for (const [place, start] of planned.entries()) starts.add(seq, place, start);
    const first = planned.find(({ executionId }) => executionId !== null);
    if (first?.executionId == null) return;
    work.add(seq, first.executionId, first.configVersion, bodyBytes);
  }

  /** Returns the work of the request that starts this execution, or null if it is started. */
  readyAs(executionId: string): ReadyRow | null {
    const start = this.#components.starts.as(executionId).find(isReady);
    return start === undefined ? null : this.#components.work.readyAt(seqOf(start));
  }

  /** Records the outcome of a start. Returns false if others of its request are still to be started. */
  acknowledge(entry: EntryRow, outcome: WorkOutcome, now: number): boolean {
    const { starts } = this.#components;
    const start = starts.of(entry.seq).find((each) => each.execution_id === outcome.executionId);
    if (start === undefined) return true;
    if (outcome.kind === "failed") {
      if (isReady(start)) this.#fail(start, outcome.errors);
    } else {
      if (outcome.mappedInputs !== undefined && start.inputs === null) {
        starts.noteInputs(start.start_id, outcome.mappedInputs);
      }
      const { errors, warnings } = start.outcome;
      const all = [...new Set([...warnings, ...(outcome.warnings ?? [])])];
      const status = start.status === "queued" ? "running" : start.status;
      starts.change(start.start_id, { ...start, status, outcome: { errors, warnings: all } });
    }
    return this.#settle(entry, now);
  }

  /** Records the report of a session. Returns the places of the requests that have nothing left to start. */
  report(report: RunReport, now: number): number[] {
    const { starts, log } = this.#components;
    const found = starts
      .as(report.executionId)
      .filter(({ run_version }) => run_version < report.version);
    const seqs = [...new Set(found.map(seqOf))];
    const settled: number[] = [];
    for (const seq of seqs) {
      const entry = log.at(seq);
      if (entry === null) continue;
      const since = (at: number | null) =>
        at === null ? null : Math.max(0, at - entry.received_at);
      for (const start of found.filter((each) => seqOf(each) === entry.seq)) {
        starts.change(start.start_id, {
          status: requestStatusOf(report.status),
          outcome: { ...start.outcome, errors: errorsOf(report) },
          run_version: report.version,
          to_start: since(report.startedAt),
          to_completion: since(report.finishedAt),
        });
      }
      if (this.#settle(entry, now)) settled.push(seq);
    }
    return settled;
  }

  #fail(start: StartRow, errors: StageError[]): void {
    const change: StartChange = {
      ...start,
      status: "failed",
      outcome: { ...start.outcome, errors },
    };
    this.#components.starts.change(start.start_id, change);
  }

  /** Sums up a request's starts in its entry. Returns whether none is left to be sent. */
  #settle({ seq }: EntryRow, now: number): boolean {
    const { starts, work, log } = this.#components;
    const all = starts.of(seq);
    const { to_start: toStart, to_completion: toCompletion, ...summary } = summaryOf(all);
    log.change(seq, { ...summary, runVersion: 0, toStart, toCompletion }, now);
    if (all.some(isReady)) return false;
    work.forget(seq);
    return true;
  }
}
