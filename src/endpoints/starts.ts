import * as z from "zod";
import type { ExecutionStatus } from "../contract/execution.ts";
import { type JsonObject, jsonObject } from "../contract/json.ts";
import type { RunReport } from "../contract/webhooks/inbox.ts";
import type { RequestStatus } from "../contract/webhooks/log.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import { jsonColumn, type Row, rowShape, type TableSql, Tables } from "../durable/rows.ts";
import { OWN_ROUTE } from "../intake/routing/routes.ts";
import type { Change, RequestLog } from "./log.ts";
import { progressFields } from "./tables.ts";

/** Characters of inputs that a row keeps; longer ones are mapped again when the route starts. */
const MAX_INPUTS_LENGTH = 16_384;

/** Starts of one request: more than an endpoint has routes. */
export const PLACES = 32;

const startRow = rowShape({
  startId: z.int(),
  caseId: z.int().nullable(),
  gathered: z.int().nullable(),
  route: z.string(),
  configVersion: z.int(),
  ...progressFields,
  /** JSON, which only few readers of a start need. */
  inputs: z.string().nullable(),
});
/** A request at one of the routes that it matched. */
export type StartRow = z.infer<typeof startRow>;

const storedInputs = jsonColumn(jsonObject);

/** The entry of a request, as far as its starts need it. */
type Started = Change & { seq: number; isRouted: boolean };

/** The execution of a start that is not started yet, and the configuration that it runs under. */
type ReadyStart = Pick<NewStart, "configVersion"> & { executionId: string };

/** A start to store. `executionId` is null while it waits, and if it has failed. */
export interface NewStart {
  route: string;
  executionId: string | null;
  configVersion: number;
  inputs: JsonObject | null;
  warnings: string[];
  errors: StageError[];
}

/** The fields of a start that change. */
export type StartChange = Omit<Change, "executionId">;

/** Whether the entry of a request is the only record of this start: that of the endpoint's own workflow. */
export const isEntry = ({ route }: Pick<StartRow, "route">): boolean => route === OWN_ROUTE;

/** The starts of requests: one for each route that a request matched. */
export class Starts extends Tables {
  readonly #log: Pick<RequestLog, "noteInputs" | "noteOutcome">;

  constructor(sql: TableSql, log: Pick<RequestLog, "noteInputs" | "noteOutcome">) {
    super(sql);
    this.#log = log;
  }

  /**
   * Stores a start of a request that is logged, in the entry of the request or in a row; `place` is its place
   * among those of the request.
   */
  add(
    seq: number,
    place: number,
    start: NewStart,
    { caseId, bytes }: { caseId: number | null; bytes: number },
  ): void {
    const { route, executionId, configVersion, inputs, errors, warnings } = start;
    if (isEntry(start)) {
      if (inputs !== null) this.#log.noteInputs(seq, inputs);
      this.#log.noteOutcome(seq, { errors, warnings });
      return;
    }
    const text = inputs === null ? null : JSON.stringify(inputs);
    this.insert("starts", {
      startId: seq * PLACES + place,
      route,
      executionId,
      configVersion,
      runVersion: 0,
      status: errors.length > 0 ? "failed" : "queued",
      outcome: { errors, warnings },
      inputs: text !== null && text.length > MAX_INPUTS_LENGTH ? null : text,
      caseId,
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
    this.#update(startId, { executionId, gathered: isGathered ? 1 : null });
  }

  /** Notes the execution that is about to be told of a start; null if it was not told. */
  noteTold(startId: number, executionId: string | null): void {
    this.#update(startId, { toldTo: executionId });
  }

  /** Lets a start that waited follow an execution that another one starts or has started. */
  join(startId: number, executionId: string, status: RequestStatus = "running"): void {
    this.#update(startId, { executionId, status });
  }

  /** Returns the starts of a request, in the order of its routes. `ready` is its work, if that is known. */
  of({ seq, isRouted, ...entry }: Started, ready?: ReadyStart): StartRow[] {
    const startId = seq * PLACES;
    const end = startId + PLACES;
    if (isRouted)
      return this.#rows("start_id >= ? AND start_id < ? ORDER BY start_id", startId, end);
    const { executionId = null, configVersion = 0 } = ready ?? {};
    const own = { startId, caseId: null, gathered: null, route: OWN_ROUTE, inputs: null };
    return [{ ...entry, ...own, executionId: entry.executionId ?? executionId, configVersion }];
  }

  /** Returns the starts for which the execution of a request stands: those that joined it too. */
  standingFor(entry: Started, executionId: string): StartRow[] {
    const starts = entry.isRouted ? this.as(executionId) : this.of(entry);
    return starts.filter((start) => start.executionId === executionId);
  }

  /** Whether a route started an execution of this endpoint; without routes, the endpoint did. */
  hasStarted(route: string, executionId: string): boolean {
    return isEntry({ route }) || this.as(executionId).some((start) => start.route === route);
  }

  /** Returns the starts that have this execution. */
  as(executionId: string): StartRow[] {
    return this.#rows("execution_id = ? ORDER BY start_id", executionId);
  }

  /** Stores a start that has changed; where it is its entry, the sum of the request's starts is the change. */
  change(start: Pick<StartRow, "startId" | "route"> & StartChange): void {
    if (isEntry(start)) return;
    const { startId, status, outcome, runVersion, toStart, toCompletion } = start;
    this.#update(startId, { status, outcome, runVersion, toStart, toCompletion });
  }

  /** Keeps the inputs that the workflow got, unless they are too long for a row of their own. */
  noteInputs(start: Pick<StartRow, "startId" | "route">, inputs: JsonObject): void {
    if (isEntry(start)) {
      this.#log.noteInputs(seqOf(start), inputs);
      return;
    }
    const text = JSON.stringify(inputs);
    if (text.length <= MAX_INPUTS_LENGTH) this.#update(start.startId, { inputs: text });
  }

  /** Deletes the starts of a request. */
  remove(seq: number): void {
    const [first, end] = [seq * PLACES, (seq + 1) * PLACES];
    this.sql.exec("DELETE FROM starts WHERE start_id >= ? AND start_id < ?", first, end);
  }

  #rows(condition: string, ...values: (string | number)[]): StartRow[] {
    return this.rows(startRow, `SELECT * FROM starts WHERE ${condition}`, ...values);
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
export function seqOf({ startId }: Pick<StartRow, "startId">): number {
  return Math.floor(startId / PLACES);
}

/** Whether a start has an execution and is not started yet. */
export function isReady(start: StartRow): start is StartRow & { executionId: string } {
  return start.status === "queued" && start.executionId !== null;
}

/**
 * Sums up the starts of a request, of which there is at least one. A start that is not over yet decides the
 * status, then one that failed, then one that succeeded.
 */
export function summaryOf(starts: readonly StartRow[]): Change {
  const statuses = new Set(starts.map(({ status }) => status));
  const order = ["running", "queued", "failed", "succeeded"] as const;
  const times = (values: (number | null)[]) => values.filter((value) => value !== null);
  const toStart = times(starts.map(({ toStart }) => toStart));
  const toCompletion = times(starts.map(({ toCompletion }) => toCompletion));
  return {
    status: order.find((status) => statuses.has(status)) ?? "superseded",
    executionId: starts.find(({ executionId }) => executionId !== null)?.executionId ?? null,
    outcome: {
      errors: starts.flatMap((start) => start.outcome.errors),
      warnings: [...new Set(starts.flatMap((start) => start.outcome.warnings))],
    },
    runVersion: Math.max(...starts.map(({ runVersion }) => runVersion)),
    toStart: toStart.length === 0 ? null : Math.min(...toStart),
    toCompletion:
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
export function requestStatusOf(report: Pick<RunReport, "status" | "error">): RequestStatus {
  const { status, error } = report;
  return status === "stopped" && error?.code === "superseded" ? "superseded" : STATUS[status];
}

/** Returns the errors that an entry shows of an execution. */
export function errorsOf(report: RunReport): StageError[] {
  if (requestStatusOf(report) !== "failed") return [];
  const { status, error, startedAt } = report;
  const { code, message } = error ?? { code: status, message: `The execution ${status}.` };
  return [{ stage: startedAt === null ? "start" : "execution", rule: code, message }];
}
