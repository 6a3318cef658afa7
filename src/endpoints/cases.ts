import * as z from "zod";
import { type CaseRule, caseRule } from "../contract/webhooks/routing.ts";
import { jsonColumn, rowShape, Tables } from "../durable/rows.ts";
import { type CaseState, MAX_GATHERED } from "../intake/routing/case.ts";
import { PLACES } from "./starts.ts";

export const caseRow = rowShape({
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

  #rows(condition: string, ...values: (string | number)[]): CaseRow[] {
    return this.rows(caseRow, `SELECT * FROM cases WHERE ${condition}`, ...values);
  }
}
