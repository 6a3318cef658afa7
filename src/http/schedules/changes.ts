import type * as z from "zod";
import { changedSchedule, isChanged } from "../../accounts/schedules.ts";
import type { Authorized } from "../../contract/account.ts";
import { firstRevision } from "../../contract/revision.ts";
import type {
  createScheduleBody,
  ScheduleCommand,
  ScheduleRecord,
  StoredSchedule,
  Timing,
  updateScheduleBody,
} from "../../contract/schedule.ts";
import { accountStub } from "../../durable/stubs.ts";
import { isTimeZone } from "../../lib/instants.ts";
import { canonicalJson } from "../../lib/json-values.ts";
import { loadWorkflow } from "../../records/workflows.ts";
import { checkInputs, withScheduledAt } from "../../workflows/inputs.ts";
import { cronFault, nextOccurrence } from "../../workflows/occurrences.ts";
import { actorOf } from "../actor.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { type Application, assertRevision, externalIdTaken } from "../external.ts";
import { versionMismatch } from "../headers.ts";
import { HttpProblem, invalid, invalidByFaults, notFound } from "../problem.ts";
import { randomId } from "../resource.ts";

const ID_DIGITS = 20;
const SHOWN_TIMES = 5;

/** Creates a schedule; a dry run only checks it. */
export async function createSchedule(
  http: Http,
  caller: Authorized,
  body: z.output<typeof createScheduleBody>,
  { dryRun }: Pick<Application, "dryRun">,
): Promise<StoredSchedule> {
  const { accountId } = caller;
  const now = Date.now();
  const timing = timingOf(body, body.timeZone);
  if (timing === undefined) throw new Error("a schedule without a time");
  assertTiming(timing, now);
  const { workflowId, inputs, overlap, catchUp, enabled, name = null } = body;
  await assertInputs(http, accountId, workflowId, inputs);
  const { revision, externalId, managedBy } = firstRevision(now, null, body);
  const schedule: StoredSchedule = {
    scheduleId: randomId("sch_", ID_DIGITS),
    ...{ name, workflowId, inputs, timing, overlap, catchUp, enabled },
    ...{ revision, externalId, managedBy },
    nextAt: nextOccurrence(timing, now, now),
    lastRuns: [],
    createdAt: now,
    updatedAt: now,
  };
  if (!dryRun) await command(http, caller, { do: "create", schedule });
  return schedule;
}

/** Changes a schedule. One that is put under an external id is only stored if that changes something. */
export async function changeSchedule(
  http: Http,
  caller: Authorized,
  id: string,
  { cron, everySeconds, at, ...rest }: z.output<typeof updateScheduleBody>,
  application: Application | null,
): Promise<{ after: StoredSchedule; changed: boolean }> {
  const before = await existingSchedule(http, caller.accountId, id);
  assertRevision(application?.ifMatch ?? null, before.revision);
  const { timeZone = before.timing.timeZone, workflowId, inputs } = rest;
  const timing = timingOf({ cron, everySeconds, at }, timeZone);
  const change = { ...rest, timing };
  const drafted = changedSchedule(before, change, Date.now());
  // The time of a run that is over stays.
  const isMoved = canonicalJson(drafted.timing) !== canonicalJson(before.timing);
  assertTiming(drafted.timing, isMoved ? Date.now() : Number.NEGATIVE_INFINITY);
  if (inputs !== undefined || workflowId !== undefined || rest.enabled === true)
    await assertInputs(http, caller.accountId, drafted.workflowId, drafted.inputs);
  const changed = isChanged(before, drafted);
  if (application !== null && (!changed || application.dryRun))
    return { after: changed ? drafted : before, changed };
  const ifRevision = application === null ? undefined : before.revision;
  const [after] = await command(http, caller, { do: "update", scheduleId: id, change, ifRevision });
  if (after === undefined) throw notFound();
  return { after, changed };
}

/** Deletes a schedule. */
export async function removeSchedule(
  http: Http,
  caller: Authorized,
  { scheduleId: id }: StoredSchedule,
) {
  await command(http, caller, { do: "remove", scheduleId: id });
}

/** Returns the schedule of the account with an external id, or null. */
export async function scheduleAt(http: Http, accountId: string, externalId: string) {
  const [found] = await schedulesBy(http, accountId, { do: "find", externalId });
  return found ?? null;
}

/** Has the account change its schedules, and throws the problem of what it does not do. */
async function command(
  http: Http,
  caller: Authorized,
  given: ScheduleCommand,
): Promise<StoredSchedule[]> {
  const reply = await callWithRetry(() =>
    accountStub(http.env, caller.accountId).schedules(given, actorOf(http, caller)),
  );
  const { why, schedules } = reply;
  if (why === "full")
    throw new HttpProblem("conflict", "The account has the most schedules that it may have.");
  if (why === "taken") throw externalIdTaken(takenIn(given));
  if (why === "revision") throw versionMismatch(schedules[0]?.revision ?? 0);
  return schedules;
}

function takenIn(given: ScheduleCommand): string {
  if (given.do === "create") return given.schedule.externalId ?? "";
  return given.do === "update" ? (given.change.externalId ?? "") : "";
}

type Times = Pick<z.output<typeof updateScheduleBody>, "cron" | "everySeconds" | "at">;

function timingOf({ cron, everySeconds, at }: Times, timeZone: string): Timing | undefined {
  if (cron !== undefined) return { cron, timeZone };
  if (everySeconds !== undefined) return { everySeconds, timeZone };
  return at === undefined ? undefined : { at: iso(Date.parse(at)), timeZone };
}

/** Throws a 400 for a timing that cannot be used, or that has no time after `from`. */
function assertTiming(timing: Timing, from: number): void {
  if (!isTimeZone(timing.timeZone))
    throw invalid("timeZone", "time_zone", "must be an IANA time zone such as Europe/Berlin");
  const message = "cron" in timing ? cronFault(timing.cron, timing.timeZone) : null;
  if (message !== null) throw invalid("cron", "cron", message);
  if ("at" in timing && Date.parse(timing.at) <= from)
    throw invalid("at", "future", "must be in the future");
}

/** Throws a 400 for inputs that the workflow does not take. */
async function assertInputs(
  http: Http,
  accountId: string,
  workflowId: string,
  inputs: StoredSchedule["inputs"],
) {
  const definition = await workflowOf(http, accountId, workflowId);
  if (definition === null)
    throw invalid("workflowId", "workflow", "must be a workflow of this account");
  // Each execution gets a time of its own.
  const given = withScheduledAt(inputs, definition.inputs, Date.now());
  const checked = checkInputs(given, definition.inputs);
  if (checked.ok) return;
  throw invalidByFaults(
    checked.faults.map((fault) => ({ ...fault, path: `inputs.${fault.path}` })),
  );
}

/** Returns the definition of a workflow, or null. */
export async function workflowOf(http: Http, accountId: string, workflowId: string) {
  const found = await callWithRetry(() => loadWorkflow(http.env.DB, accountId, workflowId));
  return found?.definition ?? null;
}

/** Returns the schedules that a query finds. */
export async function schedulesBy(
  http: Http,
  accountId: string,
  query: ScheduleCommand & { do: "list" | "get" | "find" },
): Promise<StoredSchedule[]> {
  const reply = await callWithRetry(() => accountStub(http.env, accountId).schedules(query));
  return reply.schedules;
}

/** Pauses the schedules of a workflow that is about to be deleted. */
export async function pauseSchedulesOf(
  http: Http,
  caller: Authorized,
  workflowId: string,
): Promise<void> {
  const { accountId } = caller;
  const all = await schedulesBy(http, accountId, { do: "list" });
  const change = { enabled: false };
  for (const { scheduleId: id, ...schedule } of all) {
    if (!schedule.enabled || schedule.workflowId !== workflowId) continue;
    await command(http, caller, { do: "update", scheduleId: id, change });
  }
}

/** Returns a schedule of the account, or throws a 404. */
export async function existingSchedule(
  http: Http,
  accountId: string,
  id: string,
): Promise<StoredSchedule> {
  const [found] = await schedulesBy(http, accountId, { do: "get", scheduleId: id });
  if (found === undefined) throw notFound();
  return found;
}

/** Returns a schedule as the API shows it. */
export function recordOf(schedule: StoredSchedule): ScheduleRecord {
  const { timing, createdAt, updatedAt, nextAt, lastRuns, ...rest } = schedule;
  return {
    ...rest,
    ...timing,
    next: rest.enabled ? timesFrom(schedule).map(iso) : [],
    lastRuns: lastRuns.map((run) => ({ ...run, scheduledFor: iso(run.scheduledFor) })),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
}

function timesFrom({ timing, nextAt, createdAt }: StoredSchedule): number[] {
  const times: number[] = [];
  for (let at = nextAt; at !== null && times.length < SHOWN_TIMES; ) {
    times.push(at);
    at = nextOccurrence(timing, createdAt, at);
  }
  return times;
}

const iso = (at: number): string => new Date(at).toISOString();
