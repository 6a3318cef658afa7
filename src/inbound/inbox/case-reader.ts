import * as z from "zod";
import type { CaseMoment, CasePage, CaseQuery, CaseRecord } from "../../contract/inbound/case.ts";
import { isSettled, requestStatus } from "../../contract/inbound/log.ts";
import type { TableSql } from "../../durable/storage.ts";
import { type CaseRow, caseRow } from "./cases.ts";
import { PLACES } from "./starts.ts";

/** Events that a timeline shows. */
const SHOWN_EVENTS = 100;

const eventRow = z.object({
  request_id: z.string(),
  received_at: z.int(),
  event_type: z.string().nullable(),
  status: requestStatus,
  execution_id: z.string().nullable(),
  to_start: z.int().nullable(),
  to_completion: z.int().nullable(),
});
type EventRow = z.infer<typeof eventRow>;

const countRow = z.object({ count: z.int() });

/** Reads cases with their timelines. */
export class CaseReader {
  readonly #sql: TableSql;

  constructor(sql: TableSql) {
    this.#sql = sql;
  }

  page(endpointId: string, { key, before, limit }: CaseQuery): CasePage {
    const rows = this.#sql
      .exec(
        `SELECT * FROM cases WHERE case_id < ? AND (?2 IS NULL OR key = ?2)
         ORDER BY case_id DESC LIMIT ?`,
        before ?? Number.MAX_SAFE_INTEGER,
        key,
        limit + 1,
      )
      .toArray()
      .map((row) => caseRow.parse(row));
    const page = rows.slice(0, limit);
    return {
      cases: page.map((row) => this.#record(endpointId, row)),
      next: rows.length > limit ? (page.at(-1)?.case_id ?? null) : null,
    };
  }

  #record(endpointId: string, row: CaseRow): CaseRecord {
    const { route, key, rule, execution_id: executionId } = row;
    const waiting = this.#sql
      .exec(
        `SELECT count(*) AS count FROM starts
         WHERE case_id = ? AND status = 'queued' AND execution_id IS NULL`,
        row.case_id,
      )
      .one();
    return {
      endpointId,
      route,
      key,
      onEvent: rule.onEvent,
      executionId,
      waiting: countRow.parse(waiting).count,
      updatedAt: iso(row.changed_at),
      timeline: timelineOf(this.#events(row.case_id)),
    };
  }

  #events(caseId: number): EventRow[] {
    return this.#sql
      .exec(
        `SELECT request_id, received_at, facts ->> '$.eventType' AS event_type, starts.status, starts.execution_id, starts.to_start,
           starts.to_completion
         FROM starts JOIN requests ON seq = start_id / ${PLACES}
         WHERE case_id = ? ORDER BY start_id DESC LIMIT ?`,
        caseId,
        SHOWN_EVENTS,
      )
      .toArray()
      .map((row) => eventRow.parse(row))
      .reverse();
  }
}

/** Returns events with the start and the end of their executions, in the order of time. */
function timelineOf(events: readonly EventRow[]): CaseMoment[] {
  const moments: { at: number; moment: (at: string) => CaseMoment }[] = [];
  const seen = new Set<string>();
  for (const event of events) {
    const { request_id: requestId, received_at: at, status, execution_id: executionId } = event;
    const told = { requestId, eventType: event.event_type, status, executionId };
    moments.push({ at, moment: (time) => ({ type: "event", at: time, ...told }) });
    if (executionId === null || seen.has(executionId)) continue;
    seen.add(executionId);
    if (event.to_start !== null) {
      const moment = (time: string) =>
        ({ type: "execution.started", at: time, executionId }) as const;
      moments.push({ at: at + event.to_start, moment });
    }
    if (event.to_completion !== null && isSettled(status)) {
      const moment = (time: string) =>
        ({ type: "execution.ended", at: time, executionId, status }) as const;
      moments.push({ at: at + event.to_completion, moment });
    }
  }
  return moments.sort((a, b) => a.at - b.at).map(({ at, moment }) => moment(iso(at)));
}

const iso = (at: number): string => new Date(at).toISOString();
