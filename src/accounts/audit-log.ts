import type { Actor } from "../contract/actor.ts";
import {
  type AuditEntry,
  type Audited,
  type AuditQuery,
  auditEntryOf,
  oldestAuditId,
} from "../contract/audit.ts";
import type { TableSql } from "../durable/storage.ts";
import { logError } from "../lib/log.ts";
import { readableRows } from "../lib/readable-rows.ts";
import { auditConditions, auditRow, entryOfRow } from "../records/audit.ts";

/**
 * What was done to the resources that an account's object owns. An entry is written in the transaction of
 * its change. Changes of what D1 owns have their entries there.
 */
export class AuditLog {
  readonly #sql: TableSql;

  constructor(sql: TableSql) {
    this.#sql = sql;
  }

  /** Writes an entry, and returns it. */
  add(actor: Actor, audited: Audited, now: number): AuditEntry {
    const entry = auditEntryOf(actor, audited, { now, random: crypto.randomUUID().slice(-12) });
    this.#sql.exec(
      `INSERT INTO audit (entry_id, action, resource_id, by_kind, by_id, entry)
       VALUES (?, ?, ?, ?, ?, ?)`,
      entry.entryId,
      entry.action,
      entry.resource.id,
      entry.by.kind,
      entry.by.id,
      JSON.stringify(entry),
    );
    return entry;
  }

  /** Returns the entries of a query, newest first. An entry that cannot be read is logged and skipped. */
  list(query: AuditQuery): AuditEntry[] {
    const { where, values } = auditConditions(query);
    const rows = this.#sql
      .exec(
        `SELECT entry_id, entry FROM audit WHERE ${where} ORDER BY entry_id DESC LIMIT ?`,
        ...values,
        query.limit,
      )
      .toArray()
      .map((row) => auditRow.parse(row));
    return readableRows(rows, entryOfRow, ({ entry_id: entryId }, error) => {
      logError("audit entry not readable", { entryId }, error);
    });
  }

  /** Deletes the entries that are older than the log is kept. */
  prune(now: number): void {
    this.#sql.exec("DELETE FROM audit WHERE entry_id < ?", oldestAuditId(now));
  }
}
