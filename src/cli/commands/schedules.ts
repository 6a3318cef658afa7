import { type ScheduleRecord, scheduleRules } from "../../contract/schedule.ts";
import type { Call, Command } from "../command.ts";
import { EXIT, type Exit, UsageError } from "../errors.ts";
import { printList } from "../terminal.ts";
import { duration, localTime, oneLine } from "../text.ts";
import { started } from "../watch/watch.ts";
import { INPUT_OPTIONS, resolveRun } from "./workflows.ts";

const CELL = 40;

const list: Command = {
  name: "schedules list",
  summary: "List schedules with their next times and last results",
  options: { limit: { value: "N", help: "maximum number of rows (default: 100)" } },
  async run({ client, output, values, signal }) {
    const all = client.schedules.all({ signal });
    const heading = ["SCHEDULE", "NAME", "WORKFLOW", "NEXT", "LAST", "WHEN"];
    await printList(output, all, values.wholeNumber("limit", 1) ?? 100, heading, scheduleCells);
  },
};

function scheduleCells(schedule: ScheduleRecord): string[] {
  const { scheduleId, name, workflowId, enabled, next, lastRuns } = schedule;
  const [first] = next;
  const shown = first === undefined ? "none" : localTime(first);
  const [last] = lastRuns;
  const result = last === undefined ? "none" : (last.skipped ?? last.status ?? "started");
  const named = name === null ? "" : oneLine(name, CELL);
  const time = enabled ? shown : "paused";
  return [scheduleId, named, workflowId, time, result, timingText(schedule)];
}

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

const create: Command = {
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
  async run(call) {
    const { client, output, values, signal } = call;
    const times = ["cron", "every", "at"].filter((name) => values.text(name) !== undefined);
    if (times.length !== 1) {
      throw new UsageError("schedules create needs exactly one of --cron, --every and --at.");
    }
    const [overlap] = values.listOf("overlap", scheduleRules.shape.overlap.options) ?? [];
    const [catchUp] = values.listOf("catch-up", scheduleRules.shape.catchUp.options) ?? [];
    const body = {
      name: values.text("name"),
      cron: values.text("cron"),
      everySeconds: values.wholeNumber("every", 1),
      at: values.text("at"),
      timeZone: values.text("time-zone"),
      overlap,
      catchUp,
      enabled: !values.flag("paused"),
      ...(await resolveRun(call)),
    };
    output.print(await client.schedules.create(body, { signal }), scheduleText);
  },
};

const pause: Command = {
  name: "schedules pause",
  summary: "Pause a schedule; it does not make up for runs in the meantime",
  args: ["schedule"],
  run: (call) => enable(call, false),
};

const resume: Command = {
  name: "schedules resume",
  summary: "Resume a paused schedule",
  args: ["schedule"],
  run: (call) => enable(call, true),
};

async function enable({ client, output, args, signal }: Call, enabled: boolean): Promise<Exit> {
  const [scheduleId = ""] = args;
  output.print(await client.schedules.update(scheduleId, { enabled }, { signal }), scheduleText);
  return EXIT.done;
}

const run: Command = {
  name: "schedules run",
  summary: "Run a schedule now, besides its times",
  args: ["schedule"],
  options: {
    watch: { short: "w", help: "follow it to its end; the exit code reflects its status" },
    "idempotency-key": { value: "KEY", help: "start only one execution for the same key" },
  },
  async run(call) {
    const { client, values, args, signal } = call;
    const [scheduleId = ""] = args;
    const idempotencyKey = values.text("idempotency-key");
    return started(call, await client.schedules.run(scheduleId, { idempotencyKey, signal }));
  },
};

const remove: Command = {
  name: "schedules delete",
  summary: "Delete a schedule; executions that it started continue",
  args: ["schedule"],
  async run({ client, output, args: [scheduleId = ""], signal }) {
    await client.schedules.delete(scheduleId, { signal });
    output.print({ scheduleId, deleted: true }, () => "Deleted.");
  },
};

export const schedules = [list, create, pause, resume, run, remove];
