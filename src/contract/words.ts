/** Words that clients act on, without the schemas: who imports them loads nothing else. */

export const FINAL_STATUSES = ["completed", "failed", "stopped"] as const;
export const STATUSES = ["active", "waiting_for_input", ...FINAL_STATUSES] as const;

export type ExecutionStatus = (typeof STATUSES)[number];
export type FinalStatus = (typeof FINAL_STATUSES)[number];

/** Returns whether an execution in this status never changes again. */
export function isFinal(status: ExecutionStatus): status is FinalStatus {
  return status === "completed" || status === "failed" || status === "stopped";
}

export const ORIGINS = ["api", "webhook", "replay", "workflow", "schedule", "rehearsal"] as const;

/** The types of the entries of an execution's log. */
export const EVENT_TYPES = [
  "status",
  "plan",
  "step.started",
  "step.finished",
  "tool.started",
  "tool.finished",
  "message.queued",
  "message.applied",
  "message.dropped",
  "output",
  "question",
  "log",
] as const;
