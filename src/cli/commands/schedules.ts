import { type ScheduleRecord, scheduleRules } from "../../contract/schedule.ts";
import { type Command, calling, listing } from "../command.ts";
import { UsageError } from "../errors.ts";
import { duration, localTime, oneLine } from "../text.ts";
import { onceOf, STARTING, started } from "../watch/watch.ts";
import { INPUT_OPTIONS, resolveRun } from "./workflows.ts";

const CELL = 40;

const list = listing({
  name: "schedules list",
  summary: "List schedules with their next times and last results",
  items: (call) => call.client.schedules.all(call),
  columns: {
    SCHEDULE: ({ scheduleId }) => scheduleId,
    NAME: ({ name }) => oneLine(name ?? "", CELL),
    WORKFLOW: ({ workflowId }) => workflowId,
    NEXT: ({ enabled, next: [first] }) => {
      if (!enabled) return "paused";
      return first === undefined ? "none" : localTime(first);
    },
    LAST: ({ lastRuns: [last] }) =>
      last === undefined ? "none" : (last.skipped ?? last.status ?? "started"),
    WHEN: timingText,
  },
});

function timingText({ cron, everySeconds, at, timeZone }: ScheduleRecord): string {
  if (cron !== undefined) return `${cron} (${timeZone})`;
  if (everySeconds !== undefined) return `every ${duration(everySeconds * 1_000)}`;
  return `once${at === undefined ? "" : `, ${localTime(at)}`}`;
}

/** Formats a schedule with its next times. */
function scheduleText(schedule: ScheduleRecord): string {
  const { scheduleId, enabled, next } = schedule;
  const times = next.map((time) => `  ${localTime(time)}`);
  const heading = enabled ? "Next times:" : "Paused.";
  return [`${scheduleId}  ${timingText(schedule)}`, heading, ...times].join("\n");
}

const RULES = scheduleRules.shape;

const create = calling({
  name: "schedules create",
  summary: "Run a workflow at set times",
  args: ["workflow"],
  options: {
    name: { value: "NAME", help: "display name" },
    cron: { value: "FIELDS", help: 'five cron fields, such as "30 6 * * 1-5"' },
    every: { value: "SECONDS", help: "seconds between two runs" },
    at: { value: "TIME", help: "a single run, such as 2027-01-01T06:30:00Z" },
    "time-zone": { value: "ZONE", help: "time zone of --cron (default: UTC)" },
    overlap: {
      value: "RULE",
      help: "skip (default), queue or allow a run while an earlier one is live",
    },
    "catch-up": {
      value: "RULE",
      help: "make up for none, the last (default) or all of the missed runs",
    },
    paused: { help: "create it paused" },
    ...INPUT_OPTIONS,
  },
  notes: "Needs exactly one of --cron, --every and --at. Identify a workflow by its id or name.",
  async ask(call) {
    const { client, values } = call;
    const times = ["cron", "every", "at"].filter((name) => values.text(name) !== undefined);
    if (times.length !== 1) {
      throw new UsageError("schedules create needs exactly one of --cron, --every and --at.");
    }
    const body = {
      name: values.text("name"),
      cron: values.text("cron"),
      everySeconds: values.wholeNumber("every", 1),
      at: values.text("at"),
      timeZone: values.text("time-zone"),
      overlap: values.oneOf("overlap", RULES.overlap.options),
      catchUp: values.oneOf("catch-up", RULES.catchUp.options),
      enabled: !values.flag("paused"),
      ...(await resolveRun(call)),
    };
    return await client.schedules.create(body, call);
  },
  text: scheduleText,
});

const enabling = (name: string, summary: string, enabled: boolean) =>
  calling({
    name,
    summary,
    args: ["schedule"],
    ask: (call, scheduleId) => call.client.schedules.update(scheduleId, { enabled }, call),
    text: scheduleText,
  });

const run: Command = {
  name: "schedules run",
  summary: "Run a schedule now, besides its times",
  args: ["schedule"],
  options: STARTING,
  async run(call) {
    const [scheduleId = ""] = call.args;
    return started(call, await call.client.schedules.run(scheduleId, onceOf(call)));
  },
};

const remove = calling({
  name: "schedules delete",
  summary: "Delete a schedule; executions that it started continue",
  args: ["schedule"],
  async ask(call, scheduleId) {
    await call.client.schedules.delete(scheduleId, call);
    return { scheduleId, deleted: true };
  },
  text: () => "Deleted.",
});

export const schedules = [
  list,
  create,
  enabling(
    "schedules pause",
    "Pause a schedule; it does not make up for runs in the meantime",
    false,
  ),
  enabling("schedules resume", "Resume a paused schedule", true),
  run,
  remove,
];
