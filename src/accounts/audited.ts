import type { Audited } from "../contract/audit.ts";
import type { JobState } from "../contract/jobs.ts";
import type { AccountChange, AccountControls } from "../contract/operators.ts";
import type { ScheduleCommand, StoredSchedule } from "../contract/schedule.ts";

/** Returns what a command does to a schedule, for the audit log; false for one that only reads. */
export function auditedOfSchedule(
  command: ScheduleCommand,
  before: StoredSchedule | null,
): Audited | false {
  switch (command.do) {
    case "create":
      return { action: "schedule.created", resource: scheduleAs(command.schedule) };
    case "update":
      return before !== null && { action: "schedule.updated", resource: scheduleAs(before) };
    case "remove":
      return before !== null && { action: "schedule.deleted", resource: scheduleAs(before) };
    default:
      return false;
  }
}

const scheduleAs = ({ scheduleId, name }: StoredSchedule) =>
  ({ kind: "schedule", id: scheduleId, name: name ?? scheduleId }) as const;

/** Returns what a command did to a replay or a retry; false for one that changed nothing. */
export function auditedOfJob(after: JobState | null, before: JobState | null): Audited | false {
  if (after === null || (before !== null && before.status === after.status)) return false;
  const { kind, jobId: id, matched } = after;
  if (kind === "rehearsal") return false;
  const resource = { kind, id, name: id };
  if (before !== null) return { action: `${kind}.cancelled`, resource };
  return { action: `${kind}.created`, resource, detail: { matched } };
}

/** Returns what operators change of an account with this status. The values are those that they set. */
export function auditedOfConfigure(
  { status, quotas = {}, ...fields }: AccountChange,
  before: AccountControls["status"],
): Pick<Audited, "action" | "detail"> {
  const isSuspended = status === "suspended" && before !== status;
  const isResumed = status === "active" && before !== status;
  const flat = Object.entries({ ...fields, ...quotas }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as const],
  );
  return {
    action: isSuspended ? "account.suspended" : isResumed ? "account.resumed" : "account.updated",
    detail: Object.fromEntries(flat),
  };
}
