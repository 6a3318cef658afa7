import type { Actor } from "../contract/actor.ts";
import {
  type AuditEntry,
  type Audited,
  type AuditQuery,
  auditEntry,
  auditEntryOf,
  oldestAuditId,
} from "../contract/audit.ts";
import { Tables } from "../durable/rows.ts";
import { auditConditions, auditRow } from "../records/audit.ts";

/**
 * What was done to the resources that an account's object owns. An entry is written in the transaction of
 * its change. Changes of what D1 owns have their entries there.
 */
export class AuditLog extends Tables {
  /** Writes an entry, and returns it. */
  add(actor: Actor, audited: Audited, now: number): AuditEntry {
    const entry = auditEntryOf(actor, audited, { now, random: crypto.randomUUID().slice(-12) });
    this.insert("audit", {
      entry_id: entry.entryId,
      action: entry.action,
      resource_id: entry.resource.id,
      by_kind: entry.by.kind,
      by_id: entry.by.id,
      entry: JSON.stringify(entry),
    });
    return entry;
  }

  /** Returns the entries of a query, newest first. An entry that cannot be read is logged and skipped. */
  list(query: AuditQuery): AuditEntry[] {
    const { where, values } = auditConditions(query);
    return this.readable(
      { shape: auditRow, what: "audit entry", id: "entry_id" },
      `SELECT entry_id, entry FROM audit WHERE ${where} ORDER BY entry_id DESC LIMIT ?`,
      ...values,
      query.limit,
    );
  }

  /** Deletes the entries that are older than the log is kept. */
  prune(now: number): void {
    this.sql.exec("DELETE FROM audit WHERE entry_id < ?", oldestAuditId(now));
  }
}

/** Returns what was done to a resource, whose kind the action names. */
export function did(
  action: Audited["action"],
  id: string,
  name: string,
  detail: AuditEntry["detail"] = {},
): Audited {
  const kind = auditEntry.shape.resource.shape.kind.parse(action.split(".")[0]);
  return { action, resource: { kind, id, name }, detail };
}
