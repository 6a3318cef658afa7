import * as z from "zod";
import type { CaseMoment, CasePage, CaseQuery, CaseRecord } from "../contract/webhooks/case.ts";
import { isSettled, requestStatus } from "../contract/webhooks/log.ts";
import { rowShape, Tables } from "../durable/rows.ts";
import { type CaseRow, caseRow } from "./cases.ts";
import { PLACES } from "./starts.ts";

/** Events of one timeline, or of one page of a key. */
const SHOWN_EVENTS = 100;

const eventRow = rowShape({
  startId: z.int(),
  caseId: z.int(),
  requestId: z.string(),
  receivedAt: z.int(),
  eventType: z.string().nullable(),
  status: requestStatus,
  executionId: z.string().nullable(),
  toStart: z.int().nullable(),
  toCompletion: z.int().nullable(),
  isFirst: z.int(),
  isLast: z.int(),
});
type EventRow = z.infer<typeof eventRow>;

/** An execution of several events has its start at the first of them and its end at the last. */
const EVENTS = `SELECT start_id, case_id, request_id, received_at, facts ->> '$.eventType' AS event_type,
    starts.status, starts.execution_id, starts.to_start, starts.to_completion,
    NOT EXISTS (SELECT 1 FROM starts AS other WHERE other.execution_id = starts.execution_id
      AND other.start_id < starts.start_id) AS is_first,
    NOT EXISTS (SELECT 1 FROM starts AS other WHERE other.execution_id = starts.execution_id
      AND other.start_id > starts.start_id) AS is_last
  FROM starts JOIN requests ON seq = start_id / ${PLACES}`;

/** Reads cases with their timelines. */
export class CaseReader extends Tables {
  /** Returns a page of cases with their newest events or, for a key, a page of events with their cases. */
  page(endpointId: string, query: CaseQuery): CasePage {
    return query.key === null ? this.#list(endpointId, query) : this.#stretch(endpointId, query);
  }

  #list(endpointId: string, { route, before, limit }: CaseQuery): CasePage {
    const rows = this.#cases(
      "case_id < ? AND (?2 IS NULL OR route = ?2) ORDER BY case_id DESC LIMIT ?",
      before ?? Number.MAX_SAFE_INTEGER,
      route,
      limit + 1,
    );
    const page = rows.slice(0, limit);
    return {
      cases: page.map((row) => {
        const newest = "WHERE case_id = ? ORDER BY start_id DESC LIMIT ?";
        const events = this.#events(newest, row.caseId, SHOWN_EVENTS);
        return this.#record(endpointId, row, events);
      }),
      next: rows.length > limit ? (page.at(-1)?.caseId ?? null) : null,
    };
  }

  #stretch(endpointId: string, { key, route, before, limit }: CaseQuery): CasePage {
    const found = this.#events(
      `WHERE case_id IN (SELECT case_id FROM cases WHERE key = ? AND (?2 IS NULL OR route = ?2))
         AND start_id < ? ORDER BY start_id DESC LIMIT ?`,
      key,
      route,
      before ?? Number.MAX_SAFE_INTEGER,
      SHOWN_EVENTS + 1,
    );
    const byCase = new Map<number, EventRow[]>();
    let last: EventRow | null = null;
    for (const event of found.slice(0, SHOWN_EVENTS)) {
      const known = byCase.get(event.caseId);
      if (known === undefined && byCase.size === limit) break;
      byCase.set(event.caseId, [...(known ?? []), event]);
      last = event;
    }
    const cases = [...byCase]
      .sort(([a], [b]) => b - a)
      .flatMap(([caseId, events]) =>
        this.#cases("case_id = ?", caseId).map((row) => this.#record(endpointId, row, events)),
      );
    return { cases, next: last === found.at(-1) ? null : (last?.startId ?? null) };
  }

  /** Returns a case with a stretch of its events, the newest first. */
  #record(endpointId: string, row: CaseRow, events: readonly EventRow[]): CaseRecord {
    const { caseId, route, key, rule, executionId } = row;
    const waiting = this.#count("status = 'queued' AND execution_id IS NULL", caseId);
    const oldest = events.at(-1)?.startId;
    return {
      endpointId,
      route,
      key,
      onEvent: rule.onEvent,
      executionId,
      waiting,
      updatedAt: iso(row.changedAt),
      timeline: timelineOf(events),
      truncated: oldest !== undefined && this.#count("start_id < ?", caseId, oldest) > 0,
    };
  }

  #count(condition: string, caseId: number, ...values: number[]): number {
    const query = `SELECT count(*) FROM starts WHERE case_id = ? AND ${condition}`;
    return this.number(query, caseId, ...values) ?? 0;
  }

  #cases(condition: string, ...values: (string | number | null)[]): CaseRow[] {
    return this.rows(caseRow, `SELECT * FROM cases WHERE ${condition}`, ...values);
  }

  #events(rest: string, ...values: (string | number | null)[]): EventRow[] {
    return this.rows(eventRow, `${EVENTS} ${rest}`, ...values);
  }
}

/** Returns events with the start and the end of their executions, in the order of time. */
function timelineOf(events: readonly EventRow[]): CaseMoment[] {
  const moments: CaseMoment[] = [];
  for (const event of events.toReversed()) {
    const { requestId, receivedAt: at, eventType, status, executionId } = event;
    const { toStart, toCompletion } = event;
    moments.push({ type: "event", at: iso(at), requestId, eventType, status, executionId });
    if (executionId === null) continue;
    if (event.isFirst === 1 && toStart !== null)
      moments.push({ type: "execution.started", at: iso(at + toStart), executionId });
    if (event.isLast === 1 && toCompletion !== null && isSettled(status))
      moments.push({ type: "execution.ended", at: iso(at + toCompletion), executionId, status });
  }
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

const iso = (at: number): string => new Date(at).toISOString();
