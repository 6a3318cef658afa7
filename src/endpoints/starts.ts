import * as z from "zod";
import type { ExecutionStatus } from "../contract/execution.ts";
import { type JsonObject, jsonObject } from "../contract/json.ts";
import type { RunReport } from "../contract/webhooks/inbox.ts";
import { type RequestStatus, requestStatus } from "../contract/webhooks/log.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import { jsonColumn, type Row, Tables } from "../durable/rows.ts";
import { OWN_ROUTE } from "../intake/routing/routes.ts";
import type { Change } from "./log.ts";
import { type EntryNotes, outcome } from "./tables.ts";

/** Characters of inputs that a row keeps; longer ones are mapped again when the route starts. */
const MAX_INPUTS_LENGTH = 16_384;

/** Starts of one request: more than an endpoint has routes. */
export const PLACES = 32;

const startRow = z.object({
  start_id: z.int(),
  case_id: z.int().nullable(),
  gathered: z.int().nullable(),
  route: z.string(),
  status: requestStatus,
  execution_id: z.string().nullable(),
  config_version: z.int(),
  run_version: z.int(),
  to_start: z.int().nullable(),
  to_completion: z.int().nullable(),
  outcome: jsonColumn(outcome),
  /** JSON, which only few readers of a start need. */
  inputs: z.string().nullable(),
});
/** A request at one of the routes that it matched. */
export type StartRow = z.infer<typeof startRow>;

const storedInputs = jsonColumn(jsonObject);

const COLUMNS = `start_id, case_id, gathered, route, status, execution_id, config_version, run_version, to_start,
  to_completion, outcome, inputs`;

/** A start to store. `executionId` is null while it waits, and if it has failed. */
export interface NewStart {
  route: string;
  executionId: string | null;
  configVersion: number;
  inputs: JsonObject | null;
  warnings: string[];
  errors: StageError[];
}

/**
 * Returns what a request starts at its endpoint's own workflow, of which its entry is the only record.
 * `ready` is its work while it is not started.
 */
export function ownStart(
  {
    seq,
    status,
    execution_id,
    run_version,
    to_start,
    to_completion,
    outcome: notes,
  }: Change & {
    seq: number;
  },
  ready: { execution_id: string; config_version: number } | null,
): StartRow {
  return {
    start_id: seq * PLACES,
    case_id: null,
    gathered: null,
    route: OWN_ROUTE,
    status,
    execution_id: execution_id ?? ready?.execution_id ?? null,
    config_version: ready?.config_version ?? 0,
    run_version,
    to_start,
    to_completion,
    outcome: notes,
    inputs: null,
  };
}

/** The fields of a start that change. */
export type StartChange = Omit<Change, "execution_id">;

/** The starts of requests at routes: one for each route that a request matched. */
export class Starts extends Tables {
  /** Stores a start of a request; `place` is its place among those of the request. */
  add(
    seq: number,
    place: number,
    start: NewStart,
    { caseId, bytes }: { caseId: number | null; bytes: number },
  ): void {
    const { route, executionId, configVersion, inputs, errors, warnings } = start;
    const text = inputs === null ? null : JSON.stringify(inputs);
    this.insert("starts", {
      start_id: seq * PLACES + place,
      route,
      status: errors.length > 0 ? "failed" : "queued",
      execution_id: executionId,
      config_version: configVersion,
      run_version: 0,
      outcome: JSON.stringify({ errors, warnings } satisfies EntryNotes),
      inputs: text !== null && text.length > MAX_INPUTS_LENGTH ? null : text,
      case_id: caseId,
      bytes: caseId === null ? null : bytes,
    });
  }

  at(startId: number): StartRow | null {
    return this.#rows("start_id = ?", startId)[0] ?? null;
  }

  /** Returns the starts that wait in a case, in the order of arrival. */
  waiting(): StartRow[] {
    return this.#rows("status = 'queued' AND execution_id IS NULL ORDER BY start_id");
  }

  /** Gives a start that waited its execution; `isGathered` if it starts with the events of all that join it. */
  begin(startId: number, executionId: string, isGathered: boolean): void {
    this.#update(startId, { execution_id: executionId, gathered: isGathered ? 1 : null });
  }

  /** Notes the execution that is about to be told of a start; null if it was not told. */
  noteTold(startId: number, executionId: string | null): void {
    this.#update(startId, { told_to: executionId });
  }

  /** Lets a start that waited follow an execution that another one starts or has started. */
  join(startId: number, executionId: string, status: RequestStatus = "running"): void {
    this.#update(startId, { execution_id: executionId, status });
  }

  /** Returns the starts of a request, in the order of its routes. */
  of(seq: number): StartRow[] {
    const [first, end] = [seq * PLACES, (seq + 1) * PLACES];
    return this.#rows("start_id >= ? AND start_id < ? ORDER BY start_id", first, end);
  }

  /** Returns the starts that have this execution. */
  as(executionId: string): StartRow[] {
    return this.#rows("execution_id = ? ORDER BY start_id", executionId);
  }

  change(startId: number, change: StartChange): void {
    const { status, outcome: notes, run_version, to_start, to_completion } = change;
    const text = JSON.stringify(notes);
    this.#update(startId, { status, outcome: text, run_version, to_start, to_completion });
  }

  /** Keeps the inputs that the workflow got, unless they are long. */
  noteInputs(startId: number, inputs: JsonObject): void {
    const text = JSON.stringify(inputs);
    if (text.length <= MAX_INPUTS_LENGTH) this.#update(startId, { inputs: text });
  }

  /** Deletes the starts of a request. */
  remove(seq: number): void {
    const [first, end] = [seq * PLACES, (seq + 1) * PLACES];
    this.sql.exec("DELETE FROM starts WHERE start_id >= ? AND start_id < ?", first, end);
  }

  #rows(condition: string, ...values: (string | number)[]): StartRow[] {
    const query = `SELECT ${COLUMNS} FROM starts WHERE ${condition}`;
    return this.rows(startRow, query, ...values);
  }

  #update(startId: number, changes: Row): void {
    this.update("starts", changes, "start_id = ?", startId);
  }
}

/** Returns the inputs of a start; null while it is not mapped, and if they are too long to keep. */
export function inputsOf({ inputs }: Pick<StartRow, "inputs">): JsonObject | null {
  return inputs === null ? null : storedInputs.parse(inputs);
}

/** Returns the place of the request of a start in the order of arrival. */
export function seqOf({ start_id }: Pick<StartRow, "start_id">): number {
  return Math.floor(start_id / PLACES);
}

/** Whether a start has an execution and is not started yet. */
export function isReady({ status, execution_id }: StartRow): boolean {
  return status === "queued" && execution_id !== null;
}

/**
 * Sums up the starts of a request, of which there is at least one. A start that is not over yet decides the
 * status, then one that failed, then one that succeeded.
 */
export function summaryOf(starts: readonly StartRow[]): Change {
  const statuses = new Set(starts.map(({ status }) => status));
  const order = ["running", "queued", "failed", "succeeded"] as const;
  const times = (values: (number | null)[]) => values.filter((value) => value !== null);
  const toStart = times(starts.map(({ to_start }) => to_start));
  const toCompletion = times(starts.map(({ to_completion }) => to_completion));
  return {
    status: order.find((status) => statuses.has(status)) ?? "superseded",
    execution_id: starts.find(({ execution_id }) => execution_id !== null)?.execution_id ?? null,
    outcome: {
      errors: starts.flatMap((start) => start.outcome.errors),
      warnings: [...new Set(starts.flatMap((start) => start.outcome.warnings))],
    },
    run_version: Math.max(...starts.map(({ run_version }) => run_version)),
    to_start: toStart.length === 0 ? null : Math.min(...toStart),
    to_completion:
      toCompletion.length < starts.length || toCompletion.length === 0
        ? null
        : Math.max(...toCompletion),
  };
}

const STATUS: Record<ExecutionStatus, RequestStatus> = {
  active: "running",
  waiting_for_input: "running",
  completed: "succeeded",
  failed: "failed",
  stopped: "failed",
};

/** Returns the status of a request whose execution reports this. */
export function requestStatusOf({
  status,
  error,
}: Pick<RunReport, "status" | "error">): RequestStatus {
  return status === "stopped" && error?.code === "superseded" ? "superseded" : STATUS[status];
}

/** Returns the errors that an entry shows of an execution. */
export function errorsOf(report: RunReport): StageError[] {
  if (requestStatusOf(report) !== "failed") return [];
  const { status, error, startedAt } = report;
  const { code, message } = error ?? { code: status, message: `The execution ${status}.` };
  return [{ stage: startedAt === null ? "start" : "execution", rule: code, message }];
}
