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
import { jsonColumn, rowShape, type TableSql, Tables } from "../durable/rows.ts";
import { type AuditLog, did } from "./audit-log.ts";

/** The most open decisions that are counted. */
const MAX_COUNTED = 100;

const row = z.object({
  decision: jsonColumn<StoredDecision>(storedDecision),
  rules: jsonColumn<DecisionRules>(decisionRules),
});

/** A decision as its session reported it, and as it was known before. */
export interface ReportedDecision {
  before: StoredDecision | null;
  after: StoredDecision;
}

/** How long a code can be used, how often a wrong one can be typed, and how many are sent for a link. */
const CODE_MS = 10 * 60_000;
const CODE_TRIES = 5;
const CODES_SENT = 5;

const CODE_OF = "decision_id = ? AND recipient = ?";
const codeRow = rowShape({
  codeHash: z.string(),
  expiresAt: z.number(),
  tries: z.int(),
  sent: z.int(),
});

/**
 * The decisions of an account's executions, as their sessions reported them: a session alone changes its
 * decisions. One that is closed never changes again, so repeated and late reports do no harm.
 */
export class Decisions extends Tables {
  readonly #audit: AuditLog;

  constructor(sql: TableSql, audit: AuditLog) {
    super(sql);
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
      const { decisionId, state } = decision;
      this.insert(
        "decisions",
        { decisionId, requestedAt: Date.parse(decision.requestedAt), state, decision, rules },
        "ON CONFLICT (decision_id) DO UPDATE SET state = excluded.state, decision = excluded.decision",
      );
      const audited = auditedOf(decision);
      if (audited === null) continue;
      const { by = SYSTEM.by, requestId = "" } = decision;
      this.#audit.add({ by, requestId }, audited, now);
    }
    return reported;
  }

  find(decisionId: string): KnownDecision | null {
    return this.first(row, "SELECT * FROM decisions WHERE decision_id = ?", decisionId);
  }

  /** Returns the decisions of a query, newest first. One that cannot be read is logged and skipped. */
  list({ states, after, limit }: DecisionQuery): StoredDecision[] {
    const rows = this.readable(
      { shape: row, what: "decision", id: "decision_id" },
      `SELECT * FROM decisions
       WHERE (?1 = '[]' OR state IN (SELECT value FROM json_each(?1)))
         AND (requested_at, decision_id) < (?2, ?3)
       ORDER BY requested_at DESC, decision_id DESC LIMIT ?4`,
      JSON.stringify(states),
      after?.createdAt ?? Number.MAX_SAFE_INTEGER,
      after?.id ?? "",
      limit,
    );
    return rows.map(({ decision }) => decision);
  }

  /** Returns how many decisions are open, up to 100. */
  countOpen(): number {
    const open = `SELECT 1 FROM decisions WHERE state = 'open' LIMIT ${MAX_COUNTED}`;
    return this.number(`SELECT count(*) FROM (${open})`) ?? 0;
  }

  /** Stores the code that a recipient was sent. Returns its number, or null if there were too many. */
  addCode(decisionId: string, recipient: string, codeHash: string, now: number): number | null {
    const sent = (this.#code(decisionId, recipient)?.sent ?? 0) + 1;
    if (sent > CODES_SENT) return null;
    this.sql.exec(`DELETE FROM decision_codes WHERE ${CODE_OF}`, decisionId, recipient);
    const code = { codeHash, expiresAt: now + CODE_MS, tries: 0, sent };
    this.insert("decision_codes", { decisionId, recipient, ...code });
    return sent;
  }

  /** Whether a recipient typed the code that was sent. A few wrong ones make it invalid. */
  isCode(decisionId: string, recipient: string, codeHash: string, now: number): boolean {
    const code = this.#code(decisionId, recipient);
    if (code === null || code.expiresAt <= now || code.tries >= CODE_TRIES) return false;
    if (code.codeHash === codeHash) return true;
    const tries = code.tries + 1;
    this.update("decision_codes", { tries }, CODE_OF, decisionId, recipient);
    return false;
  }

  #code(decisionId: string, recipient: string) {
    const query = `SELECT * FROM decision_codes WHERE ${CODE_OF}`;
    return this.first(codeRow, query, decisionId, recipient);
  }

  /** Deletes closed decisions that were requested before a time (epoch milliseconds). */
  prune(before: number): void {
    this.sql.exec("DELETE FROM decisions WHERE state <> 'open' AND requested_at < ?", before);
    this.sql.exec("DELETE FROM decision_codes WHERE expires_at < ?", before);
  }
}

/** Returns what closing a decision is in the audit log, or null. */
function auditedOf({ state, decisionId: id, title, ...decision }: StoredDecision): Audited | null {
  if (state !== "answered" && state !== "expired") return null;
  const { executionId, kind, via = null, comment = null, askedInput } = decision;
  return did(`decision.${state}`, id, title, {
    executionId,
    decision: decision.decision ?? (kind === "question" ? "answer" : null),
    via,
    comment,
    isEdited: askedInput !== undefined,
  });
}
