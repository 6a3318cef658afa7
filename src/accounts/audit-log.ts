import type { Actor } from "../contract/actor.ts";
import {
  type AuditEntry,
  type Audited,
  type AuditQuery,
  auditEntry,
  auditEntryOf,
  oldestAuditId,
} from "../contract/audit.ts";
import type { JobState } from "../contract/jobs.ts";
import type { AccountChange, AccountControls, AccountRecord } from "../contract/operators.ts";
import type { ScheduleCommand, StoredSchedule } from "../contract/schedule.ts";
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
    const { entryId, action, resource, by } = entry;
    const found = { entryId, action, resourceId: resource.id, byKind: by.kind, byId: by.id };
    this.insert("audit", { ...found, entry });
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

/** Returns what a command does to a schedule, for the audit log; false for one that only reads. */
export function auditedOfSchedule(
  command: ScheduleCommand,
  known: StoredSchedule | null,
): Audited | false {
  const schedule = command.do === "create" ? command.schedule : known;
  const what = SCHEDULE_ACTIONS.get(command.do);
  if (schedule === null || what === undefined) return false;
  const { scheduleId, name, revision } = schedule;
  return did(what, scheduleId, name ?? scheduleId, { revision });
}

const SCHEDULE_ACTIONS = new Map<string, Audited["action"]>([
  ["create", "schedule.created"],
  ["update", "schedule.updated"],
  ["remove", "schedule.deleted"],
]);

/** Returns what a command did to a replay or a retry; false for one that changed nothing. */
export function auditedOfJob(after: JobState | null, before: JobState | null): Audited | false {
  if (after === null || (before !== null && before.status === after.status)) return false;
  const { kind, jobId: id, matched } = after;
  if (kind === "rehearsal") return false;
  return before === null
    ? did(`${kind}.created`, id, id, { matched })
    : did(`${kind}.cancelled`, id, id);
}

/** Returns what operators change of an account with this status. The values are those that they set. */
export function auditedOfConfigure(
  { accountId, name: accountName }: Pick<AccountRecord, "accountId" | "name">,
  { status, quotas = {}, ...fields }: AccountChange,
  before: AccountControls["status"],
): Audited {
  const flat = Object.entries({ ...fields, ...quotas }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as const],
  );
  const changed = status === "active" ? "account.resumed" : "account.suspended";
  const isSame = status === undefined || status === before;
  const action = isSame ? "account.updated" : changed;
  return did(action, accountId, accountName, Object.fromEntries(flat));
}
