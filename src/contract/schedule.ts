import * as z from "zod";
import { closed, timestamp } from "./fields.ts";
import { jsonObject } from "./json.ts";
import { workflowId } from "./workflow.ts";

const FEWEST_SECONDS = 10;

/** `sch_` and 20 base-62 digits. */
export const scheduleId = z
  .string()
  .regex(/^sch_[0-9A-Za-z]{20}$/, "must be `sch_` and 20 letters and digits")
  .describe("The id of the schedule: `sch_` and 20 letters and digits.");

const cron = z
  .string()
  .max(200)
  .optional()
  .describe(
    "When it runs, as five cron fields: minute, hour, day of month, month, day of week. As in Vixie cron, a time that the clock skips runs right after the change, and one that it repeats runs once; a minute or hour that begins with `*` follows the clock.",
  );
const everySeconds = z
  .int()
  .min(FEWEST_SECONDS)
  .max(31_536_000)
  .optional()
  .describe("The seconds between two runs.");
const at = z.iso
  .datetime({ offset: true })
  .optional()
  .describe("The time of a single run, in ISO 8601 with an offset.");
const timeZone = z.string().min(1).max(64).describe("The IANA time zone of `cron`.");
const inputs = jsonObject.describe("The workflow's inputs by name.");
const overlap = z
  .enum(["skip", "queue", "allow"])
  .describe(
    "What a run does while an earlier execution of the schedule is live: `skip` leaves it out, `queue` lets it start afterwards, `allow` starts it.",
  );
const catchUp = z
  .enum(["none", "last", "all"])
  .describe("Which of the runs that were missed are made up for; at most 100.");
const enabled = z.boolean().describe("Whether it runs; false pauses it.");

const TIMES = ["cron", "everySeconds", "at"] as const;
const ONE_TIME = `must have exactly one of ${TIMES.join(", ")}`;

/** The body of POST /schedules. */
export const createScheduleBody = closed({
  workflowId: workflowId.describe("The workflow that it starts."),
  inputs: inputs.default({}),
  cron,
  everySeconds,
  at,
  timeZone: timeZone.default("UTC"),
  overlap: overlap.default("skip"),
  catchUp: catchUp.default("last"),
  enabled: enabled.default(true),
})
  .refine((body) => TIMES.filter((name) => body[name] !== undefined).length === 1, ONE_TIME)
  .meta({ id: "CreateSchedule" });

/** The body of PATCH /schedules/:scheduleId: a new time replaces the old one. */
export const updateScheduleBody = closed({
  inputs: inputs.optional(),
  cron,
  everySeconds,
  at,
  timeZone: timeZone.optional(),
  overlap: overlap.optional(),
  catchUp: catchUp.optional(),
  enabled: enabled.optional(),
})
  .refine((body) => Object.keys(body).length > 0, "must have at least one field to change")
  .refine((body) => TIMES.filter((name) => body[name] !== undefined).length <= 1, ONE_TIME)
  .meta({ id: "UpdateSchedule" });

/** When a schedule runs. */
export const timing = z.union([
  z.object({ cron: z.string(), timeZone: z.string() }),
  z.object({ everySeconds: z.int(), timeZone: z.string() }),
  z.object({ at: z.string(), timeZone: z.string() }),
]);
export type Timing = z.infer<typeof timing>;

/** A schedule as its account keeps it. Times are epoch milliseconds. */
export interface StoredSchedule {
  scheduleId: string;
  workflowId: string;
  inputs: z.infer<typeof jsonObject>;
  timing: Timing;
  overlap: z.infer<typeof overlap>;
  catchUp: z.infer<typeof catchUp>;
  enabled: boolean;
  /** The next run that is due; null for none. */
  nextAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export const scheduleRules = z.object({ overlap, catchUp });

/** A schedule as the API shows it. */
export const scheduleRecord = z
  .object({
    scheduleId,
    workflowId,
    inputs,
    cron,
    everySeconds,
    at: timestamp.optional().describe("The time of a single run."),
    timeZone,
    overlap,
    catchUp,
    enabled,
    next: z.array(timestamp).describe("The next five times, fewer if it ends; none while paused."),
    createdAt: timestamp.describe("When it was created."),
    updatedAt: timestamp.describe("When it was last updated."),
  })
  .meta({ id: "Schedule" });
export type ScheduleRecord = z.infer<typeof scheduleRecord>;

/** The fields of a schedule that change; another `timeZone` also counts for the times that it has. */
export type ScheduleChange = Pick<
  z.infer<typeof updateScheduleBody>,
  "inputs" | "timeZone" | "overlap" | "catchUp" | "enabled"
> & { timing?: Timing | undefined };

/** A request to the account's schedules. The caller has been authorized. */
export type ScheduleCommand =
  | { do: "create"; schedule: StoredSchedule }
  | { do: "update"; scheduleId: string; change: ScheduleChange }
  | { do: "list" }
  | { do: "get"; scheduleId: string }
  | { do: "remove"; scheduleId: string };

/**
 * `done` is false if the account has the most schedules that it may have (`create`), or not this one
 * (`update`).
 */
export interface ScheduleReply {
  done: boolean;
  schedules: StoredSchedule[];
}
