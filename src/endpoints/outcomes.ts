import type { RunReport, WorkOutcome } from "../contract/webhooks/inbox.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import { timeOf } from "../lib/execution-id.ts";
import type { Change, RequestLog } from "./log.ts";
import type { Router } from "./router.ts";
import { errorsOf, requestStatusOf } from "./starts.ts";
import type { ProgressRow } from "./tables.ts";
import type { Work } from "./work.ts";

/** Updates entries with the progress of their executions. Repeats and late reports change nothing. */
export class Outcomes {
  readonly #log: RequestLog;
  readonly #work: Work;
  readonly #router: Router;

  constructor(log: RequestLog, work: Work, router: Router) {
    this.#log = log;
    this.#work = work;
    this.#router = router;
  }

  /**
   * Records the outcome of a start. Returns the place of the entry, or null if it is gone or has more to
   * start.
   */
  acknowledge(outcome: WorkOutcome, now: number): number | null {
    const row = this.#log.progressOf(outcome.requestId);
    if (row === null) return null;
    if (row.is_routed) {
      return this.#router.acknowledge(row, outcome, now) ? row.seq : null;
    }
    if (outcome.kind === "handed") this.#handed(row, now);
    else if (this.#work.readyAt(row.seq) !== null) this.#fail(row, outcome.errors, now);
    return row.seq;
  }

  /** Fails a held request that will not be started. */
  abandon(seq: number, errors: StageError[], now: number): void {
    const row = this.#log.progressAt(seq);
    if (row !== null) this.#fail(row, errors, now);
  }

  /** Notes what releasing a held request found: its errors now, and further warnings. */
  note(seq: number, found: { errors: StageError[]; warnings?: string[] }, now: number): void {
    const row = this.#log.progressAt(seq);
    if (row === null) return;
    const { errors } = found;
    const outcome = { errors, warnings: union(row.outcome.warnings, found.warnings) };
    this.#log.change(seq, { ...unchanged(row), outcome }, now);
  }

  /** Records the report of a session. Returns the places of the entries that have nothing left to start. */
  report(report: RunReport, now: number): number[] {
    const row = this.#log.progressOf(report.requestId);
    if (row?.is_routed) return this.#router.report(report, now);
    if (row === null || row.run_version >= report.version) return [];
    const executionId = row.execution_id ?? this.#work.readyAt(row.seq)?.execution_id;
    if (executionId !== report.executionId) return [];
    // An execution that reports is started, also if the acknowledgement is lost or late.
    this.#work.forget(row.seq);
    const { warnings } = row.outcome;
    const begin = beginOf(row, executionId);
    this.#log.change(
      row.seq,
      {
        status: requestStatusOf(report),
        outcome: { errors: errorsOf(report), warnings },
        executionId,
        runVersion: report.version,
        toStart: since(begin, report.startedAt),
        toCompletion: since(begin, report.finishedAt),
      },
      now,
    );
    return [row.seq];
  }

  #handed(row: ProgressRow, now: number): void {
    const work = this.#work.readyAt(row.seq);
    if (work === null) return;
    this.#work.forget(row.seq);
    const executionId = row.execution_id ?? work.execution_id;
    const status = row.status === "queued" ? "running" : row.status;
    this.#log.change(row.seq, { ...unchanged(row), executionId, status }, now);
  }

  #fail(row: ProgressRow, errors: StageError[], now: number): void {
    this.#work.forget(row.seq);
    const outcome = { errors, warnings: row.outcome.warnings };
    this.#log.change(row.seq, { ...unchanged(row), status: "failed", outcome }, now);
  }
}

function unchanged(row: ProgressRow): Change {
  return {
    status: row.status,
    outcome: row.outcome,
    executionId: row.execution_id,
    runVersion: row.run_version,
    toStart: row.to_start,
    toCompletion: row.to_completion,
  };
}

/** Returns when latencies begin: with the receipt or, for a held request, with its release. */
function beginOf({ received_at, was_held }: ProgressRow, executionId: string): number {
  // A released request gets the id of its execution at that moment.
  return was_held ? timeOf(executionId) : received_at;
}

function since(begin: number, at: number | null): number | null {
  return at === null ? null : Math.max(0, at - begin);
}

function union(known: string[], more: string[] = []): string[] {
  return [...new Set([...known, ...more])];
}
