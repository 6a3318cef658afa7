import type { Audited } from "../contract/audit.ts";
import type { JobState } from "../contract/jobs.ts";
import type { AccountChange, AccountControls, AccountRecord } from "../contract/operators.ts";
import type { ScheduleCommand, StoredSchedule } from "../contract/schedule.ts";
import { did } from "./audit-log.ts";

/** Returns what a command does to a schedule, for the audit log; false for one that only reads. */
export function auditedOfSchedule(
  command: ScheduleCommand,
  before: StoredSchedule | null,
): Audited | false {
  const schedule = command.do === "create" ? command.schedule : before;
  const what = SCHEDULE_ACTIONS.get(command.do);
  if (schedule === null || what === undefined) return false;
  return did(what, schedule.scheduleId, schedule.name ?? schedule.scheduleId);
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
  const isSuspended = status === "suspended" && before !== status;
  const isResumed = status === "active" && before !== status;
  const flat = Object.entries({ ...fields, ...quotas }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as const],
  );
  const changed = isResumed ? "account.resumed" : "account.updated";
  const action = isSuspended ? "account.suspended" : changed;
  return did(action, accountId, accountName, Object.fromEntries(flat));
}
