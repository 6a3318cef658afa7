import * as z from "zod";
import { executionStatus } from "./execution.ts";
import {
  atMostOne,
  changing,
  closed,
  exactlyOne,
  listOf,
  matching,
  oneOf,
  open,
  textUpTo,
  timestamp,
  whole,
} from "./fields.ts";
import { jsonObject } from "./json.ts";
import { type IdentityBody, identityBody, revisedFields } from "./revision.ts";
import { type WorkflowInput, workflowId } from "./workflow.ts";

const FEWEST_SECONDS = 10;

/** `sch_` and 20 base-62 digits. */
export const scheduleId = matching(
  /^sch_[0-9A-Za-z]{20}$/,
  "must be `sch_` and 20 letters and digits",
).describe("The id of the schedule: `sch_` and 20 letters and digits.");

const name = textUpTo(200).nullable().describe("A display name, or null.");
const cron = z
  .string()
  .max(200)
  .optional()
  .describe(
    "When it runs, as five cron fields: minute, hour, day of month, month, day of week. As in Vixie cron, it runs on days that match either day field, or both if one of them begins with `*`; a time that the clock skips runs right after the change, and one that it repeats runs once; a minute or hour that begins with `*` follows the clock.",
  );
const everySeconds = whole(FEWEST_SECONDS, 31_536_000)
  .optional()
  .describe("The seconds between two runs.");
const at = z.iso.datetime({ offset: true }).optional().describe("The time of a single run.");
const timeZone = textUpTo(64).describe("The IANA time zone of `cron`.");
const inputs = jsonObject.describe("The inputs by name. `scheduledAt` gets the run's time.");
/** Whether an input gets the time that an execution of a schedule stands for. */
export function isScheduledAt(input: Pick<WorkflowInput, "name" | "type">): boolean {
  return input.name === "scheduledAt" && (input.type === "timestamp" || input.type === "string");
}

const overlap = oneOf("skip", "queue", "allow").describe(
  "What a run does while an earlier execution of the schedule is live: `skip` leaves it out, `queue` starts it as soon as that one has ended (at most 100 wait), `allow` starts it.",
);
const catchUp = oneOf("none", "last", "all").describe("Missed runs to make up for, at most 100.");
const enabled = z.boolean().describe("Whether it runs; false pauses it.");

const TIMES = ["cron", "everySeconds", "at"] as const;
const ONE_TIME = `must have exactly one of ${TIMES.join(", ")}`;

const started = workflowId.describe("The workflow that it starts.");
const settings = { name, workflowId: started, inputs, timeZone, overlap, catchUp, enabled };
const times = { cron, everySeconds, at };

/** The body of POST /schedules. */
export const createScheduleBody = closed({
  ...settings,
  name: name.optional(),
  inputs: inputs.default({}),
  ...times,
  timeZone: timeZone.default("UTC"),
  overlap: overlap.default("skip"),
  catchUp: catchUp.default("last"),
  enabled: enabled.default(true),
  ...identityBody,
})
  .apply(exactlyOne(TIMES, ONE_TIME))
  .meta({ id: "CreateSchedule" });

/** The body of PATCH /schedules/:scheduleId: a new time replaces the old one. */
export const updateScheduleBody = changing({ ...settings, ...times, ...identityBody })
  .apply(atMostOne(TIMES, ONE_TIME))
  .meta({ id: "UpdateSchedule" });

/** When a schedule runs. */
export const timing = z.union([
  open({ cron: z.string(), timeZone: z.string() }),
  open({ everySeconds: z.int(), timeZone: z.string() }),
  open({ at: z.string(), timeZone: z.string() }),
]);
export type Timing = z.infer<typeof timing>;

/** Why a run did not start. */
const skipReason = oneOf(
  "overlap",
  "missed",
  "queue_full",
  "suspended",
  "workflow_deleted",
).describe(
  "Why no execution started: `overlap`: an earlier one was live. `missed`: its time passed, and `catchUp` leaves it out. `queue_full`: a hundred runs were waiting. `suspended`: the account was. `workflow_deleted`: the workflow was.",
);
export type SkipReason = z.infer<typeof skipReason>;

/** A run as its account keeps it; `scheduledFor` in epoch milliseconds. */
export const storedRun = open({
  scheduledFor: z.int(),
  executionId: z.uuid().nullable(),
  /** Null until the execution has ended, and if it did not start. */
  status: executionStatus.nullable(),
  skipped: skipReason.nullable(),
});
export type StoredRun = z.infer<typeof storedRun>;

type Stamp = "createdAt" | "updatedAt";
/** A schedule as its account keeps it. Times are epoch milliseconds. */
export interface StoredSchedule
  extends Omit<ScheduleRecord, keyof typeof times | "timeZone" | "next" | "lastRuns" | Stamp> {
  timing: Timing;
  /** The next run that is due; null for none. */
  nextAt: number | null;
  /** The newest first. */
  lastRuns: StoredRun[];
  createdAt: number;
  updatedAt: number;
}

export const scheduleRules = open({ overlap, catchUp });

const scheduleRun = open({
  scheduledFor: timestamp.describe("The time that it stands for."),
  executionId: z.uuid().nullable().describe("Its execution; null if none started."),
  status: executionStatus.nullable().describe("The status of its execution, or null."),
  skipped: skipReason.nullable(),
}).meta({ id: "ScheduleRun" });

/** A schedule as the API shows it. */
export const scheduleRecord = open({
  scheduleId,
  ...settings,
  workflowId,
  ...times,
  at: timestamp.optional().describe("The time of a single run."),
  next: listOf(timestamp).describe("The next five times, fewer if it ends; none while paused."),
  lastRuns: listOf(scheduleRun).describe("The last ten runs, skipped ones too, newest first."),
  ...revisedFields,
}).meta({ id: "Schedule" });
export type ScheduleRecord = z.infer<typeof scheduleRecord>;

/** The fields of a schedule that change; another `timeZone` also counts for the times that it has. */
export type ScheduleChange = Pick<
  z.infer<typeof updateScheduleBody>,
  "name" | "workflowId" | "inputs" | "timeZone" | "overlap" | "catchUp" | "enabled"
> &
  IdentityBody & { timing?: Timing | undefined };

/** A request to the account's schedules. The caller has been authorized. */
export type ScheduleCommand =
  | { do: "create"; schedule: StoredSchedule }
  /** With `ifRevision`, only while that is its revision. */
  | { do: "update"; scheduleId: string; change: ScheduleChange; ifRevision?: number | undefined }
  | { do: "list" }
  | { do: "get"; scheduleId: string }
  | { do: "find"; externalId: string }
  | { do: "remove"; scheduleId: string };

/**
 * `done` is false if there is no such schedule or, by `why`, the account has the most that it may have, the
 * external id is another one's, or the revision is another one.
 */
export interface ScheduleReply {
  done: boolean;
  schedules: StoredSchedule[];
  why?: "full" | "taken" | "revision";
}
