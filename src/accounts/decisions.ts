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

/** A decision as its session reported it, and as it was known before. */
export interface ReportedDecision {
  before: StoredDecision | null;
  after: StoredDecision;
}

/** How long a code can be used, how often a wrong one can be typed, and how many are sent for a link. */
const CODE_MS = 10 * 60_000;
const CODE_TRIES = 5;
const CODES_SENT = 5;

const codeRow = z.object({
  code_hash: z.string(),
  expires_at: z.number(),
  tries: z.int(),
  sent: z.int(),
});

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

  /**
   * Stores reported decisions, with an audit entry for each that was closed. Returns those that are new or
   * have changed. Called within a transaction.
   */
  report(
    decisions: readonly StoredDecision[],
    rules: DecisionRules,
    now: number,
  ): ReportedDecision[] {
    const reported: ReportedDecision[] = [];
    for (const decision of decisions) {
      const before = this.find(decision.decisionId)?.decision ?? null;
      if (before !== null && before.state !== "open") continue;
      reported.push({ before, after: decision });
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
    return reported;
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

  /** Stores the code that a recipient was sent. Returns its number, or null if there were too many. */
  addCode(decisionId: string, recipient: string, codeHash: string, now: number): number | null {
    const sent = (this.#code(decisionId, recipient)?.sent ?? 0) + 1;
    if (sent > CODES_SENT) return null;
    this.#sql.exec(
      `INSERT OR REPLACE INTO decision_codes
         (decision_id, recipient, code_hash, expires_at, tries, sent) VALUES (?, ?, ?, ?, 0, ?)`,
      decisionId,
      recipient,
      codeHash,
      now + CODE_MS,
      sent,
    );
    return sent;
  }

  /** Whether a recipient typed the code that was sent. A few wrong ones make it invalid. */
  isCode(decisionId: string, recipient: string, codeHash: string, now: number): boolean {
    const code = this.#code(decisionId, recipient);
    if (code === null || code.expires_at <= now || code.tries >= CODE_TRIES) return false;
    if (code.code_hash === codeHash) return true;
    this.#sql.exec(
      "UPDATE decision_codes SET tries = tries + 1 WHERE decision_id = ? AND recipient = ?",
      decisionId,
      recipient,
    );
    return false;
  }

  #code(decisionId: string, recipient: string) {
    const [found] = this.#sql
      .exec(
        "SELECT * FROM decision_codes WHERE decision_id = ? AND recipient = ?",
        decisionId,
        recipient,
      )
      .toArray();
    return found === undefined ? null : codeRow.parse(found);
  }

  /** Deletes closed decisions that were requested before a time (epoch milliseconds). */
  prune(before: number): void {
    this.#sql.exec("DELETE FROM decisions WHERE state <> 'open' AND requested_at < ?", before);
    this.#sql.exec("DELETE FROM decision_codes WHERE expires_at < ?", before);
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
