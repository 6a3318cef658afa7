import * as z from "zod";
import { SYSTEM } from "../contract/actor.ts";
import type { Audited } from "../contract/audit.ts";
import {
  type DecisionQuery,
  type DecisionRules,
  decisionRules,
  type KnownDecision,
  type StoredDecision,
  storedDecision,
} from "../contract/decisions.ts";
import type { TableSql } from "../durable/storage.ts";
import { logError } from "../lib/log.ts";
import { readableRows } from "../lib/readable-rows.ts";
import type { AuditLog } from "./audit-log.ts";

/** The most open decisions that are counted. */
const MAX_COUNTED = 100;

const countRow = z.object({ open: z.int() });
const row = z
  .object({ decision_id: z.string(), decision: z.string(), rules: z.string() })
  .transform(({ decision, rules }) => ({
    decision: storedDecision.parse(JSON.parse(decision)),
    rules: decisionRules.parse(JSON.parse(rules)),
  }));

/**
 * The decisions of an account's executions, as their sessions reported them: a session alone changes its
 * decisions. One that is closed never changes again, so repeated and late reports do no harm.
 */
export class Decisions {
  readonly #sql: TableSql;
  readonly #audit: AuditLog;

  constructor(sql: TableSql, audit: AuditLog) {
    this.#sql = sql;
    this.#audit = audit;
  }

  /** Stores reported decisions, with an audit entry for each that was closed. Called within a transaction. */
  report(decisions: readonly StoredDecision[], rules: DecisionRules, now: number): void {
    for (const decision of decisions) {
      const before = this.find(decision.decisionId)?.decision ?? null;
      if (before !== null && before.state !== "open") continue;
      this.#sql.exec(
        `INSERT INTO decisions (decision_id, requested_at, state, decision, rules)
         VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (decision_id) DO UPDATE SET state = excluded.state, decision = excluded.decision`,
        decision.decisionId,
        Date.parse(decision.requestedAt),
        decision.state,
        JSON.stringify(decision),
        JSON.stringify(rules),
      );
      const audited = auditedOf(decision);
      if (audited === null) continue;
      const { by = SYSTEM.by, requestId = "" } = decision;
      this.#audit.add({ by, requestId }, audited, now);
    }
  }

  find(decisionId: string): KnownDecision | null {
    const [found] = this.#sql
      .exec("SELECT * FROM decisions WHERE decision_id = ?", decisionId)
      .toArray();
    return found === undefined ? null : row.parse(found);
  }

  /** Returns the decisions of a query, newest first. One that cannot be read is logged and skipped. */
  list({ states, after, limit }: DecisionQuery): StoredDecision[] {
    const rows = this.#sql
      .exec(
        `SELECT * FROM decisions
         WHERE (?1 = '[]' OR state IN (SELECT value FROM json_each(?1)))
           AND (requested_at, decision_id) < (?2, ?3)
         ORDER BY requested_at DESC, decision_id DESC LIMIT ?4`,
        JSON.stringify(states),
        after?.createdAt ?? Number.MAX_SAFE_INTEGER,
        after?.id ?? "",
        limit,
      )
      .toArray();
    return readableRows(
      rows,
      (each) => row.parse(each).decision,
      ({ decision_id: id }, error) => {
        logError("decision not readable", { decisionId: String(id) }, error);
      },
    );
  }

  /** Returns how many decisions are open, up to 100. */
  countOpen(): number {
    const counted = this.#sql
      .exec(
        `SELECT count(*) AS open FROM
           (SELECT 1 FROM decisions WHERE state = 'open' LIMIT ${MAX_COUNTED})`,
      )
      .one();
    return countRow.parse(counted).open;
  }

  /** Deletes closed decisions that were requested before a time (epoch milliseconds). */
  prune(before: number): void {
    this.#sql.exec("DELETE FROM decisions WHERE state <> 'open' AND requested_at < ?", before);
  }
}

/** Returns what closing a decision is in the audit log, or null. */
function auditedOf({ state, decisionId: id, title, ...decision }: StoredDecision): Audited | null {
  if (state !== "answered" && state !== "expired") return null;
  const { executionId, kind, via = null, comment = null, askedInput } = decision;
  return {
    action: `decision.${state}`,
    resource: { kind: "decision", id, name: title },
    detail: {
      executionId,
      decision: decision.decision ?? (kind === "question" ? "answer" : null),
      via,
      comment,
      isEdited: askedInput !== undefined,
    },
  };
}
