import { isFinal } from "../contract/execution.ts";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { Acknowledgement, RouteDecision, RunReport } from "../contract/webhooks/inbox.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import type { CaseRule } from "../contract/webhooks/routing.ts";
import { nextStep } from "../intake/routing/case.ts";
import { routesOf, type Starting } from "../intake/routing/routes.ts";
import type { CaseRow, Cases } from "./cases.ts";
import type { Change, RequestLog } from "./log.ts";
import {
  errorsOf,
  isEntry,
  isReady,
  type NewStart,
  requestStatusOf,
  type StartChange,
  type StartRow,
  type Starts,
  seqOf,
  summaryOf,
} from "./starts.ts";
import type { ReadyRow, Work } from "./work.ts";

interface RouterComponents {
  log: Pick<RequestLog, "progressAt" | "progressOf" | "change">;
  work: Work;
  starts: Starts;
  cases: Cases;
  newExecutionId(now: number): string;
}

/** A start of an arrival, decided and not stored yet, with the case that it belongs to. */
export type PlannedStart = NewStart & { case: { key: string; rule: CaseRule } | null };

/** What the entry of a held request shows if no route matches it. */
const UNROUTED: Change = {
  status: "unrouted",
  outcome: { errors: [], warnings: [] },
  executionId: null,
  runVersion: 0,
  toStart: null,
  toCompletion: null,
};

/**
 * Starts the routes of requests, in the order of their cases, and sums up what becomes of them in the log.
 * Every method but `plan` runs within a transaction.
 */
export class Router {
  readonly #components: RouterComponents;
  /** Requests that got something to start after they arrived. */
  #readied = new Set<number>();
  /** Whether the time of a case may have changed. */
  #hasNewTimes = false;

  constructor(components: RouterComponents) {
    this.#components = components;
  }

  /** Returns what changed since the last call: requests to dispatch, and whether a case has a new time. */
  takeChanges(): { readied: number[]; hasNewTimes: boolean } {
    const changes = { readied: [...this.#readied], hasNewTimes: this.#hasNewTimes };
    this.#readied = new Set();
    this.#hasNewTimes = false;
    return changes;
  }

  /** Decides which routes of a request start at once; the others wait in their cases. */
  plan(
    decisions: readonly RouteDecision[],
    config: Starting & { version: number },
    now: number,
  ): PlannedStart[] {
    const routes = routesOf(config);
    const { version: configVersion } = config;
    return decisions
      .filter(({ matched }) => matched)
      .map(({ name, key, inputs, warnings, errors }) => {
        const rule = routes.find((route) => route.name === name)?.rule;
        const ofCase = key === null || rule === undefined ? null : { key, rule };
        const starts = errors.length === 0 && (ofCase === null || this.#isIdle(name, ofCase));
        const executionId = starts ? this.#components.newExecutionId(now) : null;
        return { route: name, executionId, configVersion, inputs, warnings, errors, case: ofCase };
      });
  }

  /** Stores the starts of a request whose entry is stored, but for one that is the entry itself. */
  store(seq: number, planned: readonly PlannedStart[], bodyBytes: number, now: number): void {
    const others = planned.filter((start) => !isEntry(start));
    const first = others.find(({ executionId }) => executionId !== null);
    if (first?.executionId != null) {
      this.#components.work.add(seq, first.executionId, first.configVersion, bodyBytes);
    }
    this.#storeStarts(seq, others, bodyBytes, now);
  }

  /** Stores the starts of a request that was held, in the place of its work. */
  release(
    seq: number,
    decisions: readonly RouteDecision[],
    config: EndpointConfig,
    { bytes, now }: { bytes: number; now: number },
  ): void {
    const { work, log } = this.#components;
    const planned = this.plan(decisions, config, now);
    const first = planned.find(({ executionId }) => executionId !== null);
    if (first?.executionId != null) work.release(seq, first.executionId, config.version);
    else work.forget(seq);
    this.#storeStarts(seq, planned, bytes, now);
    if (planned.length > 0) this.#sumUp(seq, now);
    else log.change(seq, UNROUTED, now);
  }

  #storeStarts(
    seq: number,
    planned: readonly PlannedStart[],
    bodyBytes: number,
    now: number,
  ): void {
    const { starts, cases } = this.#components;
    const touched: number[] = [];
    for (const [place, { case: ofCase, ...start }] of planned.entries()) {
      const caseId = ofCase && cases.note(start.route, ofCase.key, ofCase.rule, now);
      starts.add(seq, place, start, { caseId, bytes: bodyBytes });
      if (caseId === null) continue;
      if (start.executionId === null) touched.push(caseId);
      else cases.setLive(caseId, start.executionId);
    }
    for (const caseId of touched) this.settle(caseId, now);
  }

  /** Returns the work of the request that starts this execution, or null if it is started. */
  readyAs(executionId: string): ReadyRow | null {
    const { work, starts } = this.#components;
    const start = starts.as(executionId).find(isReady);
    return start === undefined ? work.readyAs(executionId) : work.readyAt(seqOf(start));
  }

  /**
   * Records what became of a start. Returns the place of its request, or null if it is gone or has others
   * to start.
   */
  acknowledge(acknowledged: Acknowledgement, now: number): number | null {
    const entry = this.#components.log.progressOf(acknowledged.requestId);
    if (entry === null) return null;
    const { seq } = entry;
    const { starts } = this.#components;
    const start = starts
      .of(entry)
      .find(({ executionId: id }) => id !== null && id === (acknowledged.executionId ?? id));
    if (start === undefined) return seq;
    if (acknowledged.kind === "handed") return this.#handed(start, acknowledged, now) ? seq : null;
    if (!isReady(start)) return this.#sumUp(seq, now) ? seq : null;
    const failed = starts.standingFor(entry, start.executionId);
    const settled = this.#change(failed, now, (row) => failedBy(row, acknowledged.errors));
    this.ended(start.executionId, now);
    return settled.includes(seq) ? seq : null;
  }

  /**
   * Records the report of a session: an execution that reports is started, also if the acknowledgement is
   * lost or late. Repeats and late reports change nothing. Returns the places of the requests that have
   * nothing left to start.
   */
  report(report: RunReport, now: number): number[] {
    const { log, starts } = this.#components;
    const entry = log.progressOf(report.requestId);
    if (entry === null) return [];
    const found = starts
      .standingFor(entry, report.executionId)
      .filter(({ runVersion }) => runVersion < report.version);
    const settled = this.#change(found, now, (start) => {
      const own = seqOf(start) === entry.seq ? entry : log.progressAt(seqOf(start));
      const begin = own && (own.releasedAt ?? own.receivedAt);
      const since = (at: number | null) =>
        at === null || begin === null ? null : Math.max(0, at - begin);
      return {
        status: requestStatusOf(report),
        outcome: { ...start.outcome, errors: errorsOf(report) },
        runVersion: report.version,
        toStart: since(report.startedAt),
        toCompletion: since(report.finishedAt),
      };
    });
    if (isFinal(report.status)) this.ended(report.executionId, now);
    return settled;
  }

  /** Fails a held request that will not be started. */
  abandon(seq: number, error: StageError, now: number): void {
    const { log, starts } = this.#components;
    const entry = log.progressAt(seq);
    if (entry !== null) this.#change(starts.of(entry), now, (start) => failedBy(start, [error]));
  }

  /** Lets the case of an execution that is over go on with its next event. */
  ended(executionId: string, now: number): void {
    const { starts, cases } = this.#components;
    const caseIds = new Set(starts.as(executionId).map(({ caseId }) => caseId));
    for (const caseId of caseIds) {
      if (caseId === null || cases.at(caseId)?.executionId !== executionId) continue;
      cases.setLive(caseId, null);
      this.settle(caseId, now);
    }
  }

  /** Notes that the live execution of a case was told of an event, whose status follows it from now on. */
  told(startId: number, executionId: string, now: number): void {
    const { starts, cases } = this.#components;
    const start = starts.at(startId);
    if (start === null || start.executionId !== null || start.status !== "queued") return;
    // The report of an end that came meanwhile does not come again.
    const over = starts.as(executionId).find(({ status }) => status !== "running");
    starts.join(startId, executionId, over?.status === "queued" ? "running" : over?.status);
    this.#sumUp(seqOf(start), now);
    if (start.caseId !== null && cases.at(start.caseId) !== null) this.settle(start.caseId, now);
  }

  /** Does what a case can do at once, and plans what needs a call or time. */
  settle(caseId: number, now: number): void {
    const { cases } = this.#components;
    this.#hasNewTimes = true;
    for (;;) {
      const row = cases.at(caseId);
      if (row === null) return;
      const step = nextStep(cases.state(row), now);
      switch (step.do) {
        case "start":
          this.#start(row, step.startIds, now);
          continue;
        case "supersede":
          for (const startId of step.startIds) this.#giveUp(startId, "superseded", [], now);
          continue;
        case "tell":
        case "stop":
          // A call that has to wait keeps its time.
          cases.plan(caseId, row.dueAt ?? now);
          return;
        case "wait":
          cases.plan(caseId, step.until);
          return;
        case "rest":
          cases.plan(caseId, null);
          return;
      }
    }
  }

  /** Fails all events that wait in cases. */
  abandonWaiting(error: StageError, now: number): void {
    for (const { startId } of this.#components.starts.waiting()) {
      this.#giveUp(startId, "failed", [error], now);
    }
  }

  #isIdle(route: string, { key, rule }: { key: string; rule: CaseRule }): boolean {
    if (rule.onEvent === "collect") return false;
    const known = this.#components.cases.find(route, key);
    return (
      known === null ||
      (known.executionId === null && !this.#components.cases.hasWaiting(known.caseId))
    );
  }

  /** Starts one execution with these events, by the last of them; the others join it. */
  #start({ caseId, rule }: CaseRow, startIds: readonly number[], now: number): void {
    const { starts, cases, work, newExecutionId } = this.#components;
    const executionId = newExecutionId(now);
    const rows = startIds.map((startId) => starts.at(startId)).filter((row) => row !== null);
    const last = rows.at(-1);
    if (last === undefined) throw new Error("an execution without an event");
    for (const row of rows) {
      if (row !== last) starts.join(row.startId, executionId);
    }
    starts.begin(last.startId, executionId, rule.onEvent === "collect");
    cases.setLive(caseId, executionId);
    work.add(seqOf(last), executionId, last.configVersion, 0);
    this.#readied.add(seqOf(last));
    for (const seq of new Set(rows.map(seqOf))) this.#sumUp(seq, now);
  }

  #giveUp(
    startId: number,
    status: "failed" | "superseded",
    errors: StageError[],
    now: number,
  ): void {
    const start = this.#components.starts.at(startId);
    if (start === null) return;
    this.#change([start], now, (row) => ({ ...failedBy(row, errors), status }));
  }

  #handed(
    start: StartRow,
    { mappedInputs, warnings = [] }: Extract<Acknowledgement, { kind: "handed" }>,
    now: number,
  ): boolean {
    if (mappedInputs !== undefined && start.inputs === null) {
      this.#components.starts.noteInputs(start, mappedInputs);
    }
    const change = (row: StartRow): StartChange => ({
      ...row,
      status: row.status === "queued" ? "running" : row.status,
      outcome: { ...row.outcome, warnings: [...new Set([...row.outcome.warnings, ...warnings])] },
    });
    return this.#change([start], now, change).length > 0;
  }

  /** Changes starts, and with them their entries. Returns the places of the requests that are all started. */
  #change(
    rows: readonly StartRow[],
    now: number,
    change: (start: StartRow) => StartChange,
  ): number[] {
    const changed = rows.map((row) => ({ ...row, ...change(row) }));
    for (const row of changed) this.#components.starts.change(row);
    return [...new Set(changed.map(seqOf))].filter((seq) => this.#sumUp(seq, now, changed));
  }

  /**
   * Sums up a request's starts, some of which have just changed, in its entry. Returns whether none is left
   * to be sent.
   */
  #sumUp(seq: number, now: number, changed: readonly StartRow[] = []): boolean {
    const { work, log, starts } = this.#components;
    const entry = log.progressAt(seq);
    if (entry === null) return true;
    const all = starts
      .of(entry)
      .map((start) => changed.find(({ startId }) => startId === start.startId) ?? start);
    log.change(seq, summaryOf(all), now);
    if (all.some(isReady)) return false;
    work.forget(seq);
    return true;
  }
}

function failedBy(start: StartRow, errors: StageError[]): StartChange {
  return { ...start, status: "failed", outcome: { ...start.outcome, errors } };
}
