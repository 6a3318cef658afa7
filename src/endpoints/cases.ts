import * as z from "zod";
import type { CaseMoment, CasePage, CaseQuery, CaseRecord } from "../contract/webhooks/case.ts";
import { isSettled, requestStatus } from "../contract/webhooks/log.ts";
import { type CaseRule, caseRule } from "../contract/webhooks/routing.ts";
import { jsonColumn, rowShape, Tables } from "../durable/rows.ts";
import { type CaseState, MAX_GATHERED } from "../intake/routing/case.ts";
import { iso } from "../lib/instants.ts";
import { PLACES } from "./starts.ts";

const caseRow = rowShape({
  caseId: z.int(),
  route: z.string(),
  key: z.string(),
  rule: jsonColumn(caseRule),
  executionId: z.string().nullable(),
  dueAt: z.int().nullable(),
  changedAt: z.int(),
});
export type CaseRow = z.infer<typeof caseRow>;

const idRow = rowShape({ caseId: z.int() });
const waitingRow = rowShape({
  startId: z.int(),
  at: z.int(),
  bytes: z.int(),
  toldTo: z.string().nullable(),
});

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

/** The cases of an endpoint: one for each route and key, with the execution that is live. */
export class Cases extends Tables {
  find(route: string, key: string): CaseRow | null {
    return this.#rows("route = ? AND key = ?", route, key)[0] ?? null;
  }

  at(caseId: number): CaseRow | null {
    return this.#rows("case_id = ?", caseId)[0] ?? null;
  }

  /** Notes an event of a case, which may be its first. Returns the case's id. */
  note(route: string, key: string, rule: CaseRule, now: number): number {
    const noted = this.insert(
      "cases",
      { route, key, rule, changedAt: now },
      `ON CONFLICT (route, key) DO UPDATE SET rule = excluded.rule, changed_at = excluded.changed_at
       RETURNING case_id`,
    );
    return idRow.parse(noted.one()).caseId;
  }

  /** Returns what decides the next step of a case. */
  state({ caseId, rule, executionId: live }: CaseRow): CaseState {
    const query = `SELECT start_id, arrived_at AS at, coalesce(bytes, 0) AS bytes, told_to FROM starts
      JOIN requests ON seq = start_id / ${PLACES}
      WHERE case_id = ? AND starts.status = 'queued' AND starts.execution_id IS NULL
      ORDER BY start_id LIMIT ?`;
    return { rule, live, waiting: this.rows(waitingRow, query, caseId, MAX_GATHERED + 1) };
  }

  /** Whether events of a case wait. */
  hasWaiting(caseId: number): boolean {
    return this.exists(
      "SELECT 1 FROM starts WHERE case_id = ? AND status = 'queued' AND execution_id IS NULL LIMIT 1",
      caseId,
    );
  }

  setLive(caseId: number, executionId: string | null): void {
    this.sql.exec("UPDATE cases SET execution_id = ? WHERE case_id = ?", executionId, caseId);
  }

  /** Plans the next look at a case; null for none before its next event. */
  plan(caseId: number, dueAt: number | null): void {
    const query = "UPDATE cases SET due_at = ?1 WHERE case_id = ?2 AND due_at IS NOT ?1";
    this.sql.exec(query, dueAt, caseId);
  }

  /** Returns the cases that are due, the earliest first. */
  due(now: number, limit: number): CaseRow[] {
    return this.#rows("due_at <= ? ORDER BY due_at LIMIT ?", now, limit);
  }

  /** Returns when the next case is due, in epoch milliseconds, or null. */
  nextDue(): number | null {
    return this.number("SELECT min(due_at) FROM cases");
  }

  /** Deletes the cases that have no start left. */
  prune(): void {
    this.sql.exec(
      `DELETE FROM cases WHERE execution_id IS NULL AND NOT EXISTS
         (SELECT 1 FROM starts WHERE starts.case_id = cases.case_id)`,
    );
  }

  /** Returns a page of cases with their newest events or, for a key, a page of events with their cases. */
  page(endpointId: string, query: CaseQuery): CasePage {
    return query.key === null ? this.#list(endpointId, query) : this.#stretch(endpointId, query);
  }

  #list(endpointId: string, { route, before, limit }: CaseQuery): CasePage {
    const rows = this.#rows(
      "case_id < ? AND (?2 IS NULL OR route = ?2) ORDER BY case_id DESC LIMIT ?",
      before ?? Number.MAX_SAFE_INTEGER,
      route,
      limit + 1,
    );
    const page = rows.slice(0, limit);
    return {
      cases: page.map((row) => {
        const newest = "WHERE case_id = ? ORDER BY start_id DESC LIMIT ?";
        return this.#record(endpointId, row, this.#events(newest, row.caseId, SHOWN_EVENTS));
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
        this.#rows("case_id = ?", caseId).map((row) => this.#record(endpointId, row, events)),
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

  #rows(condition: string, ...values: (string | number | null)[]): CaseRow[] {
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
