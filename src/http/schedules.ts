import * as z from "zod";
import type { Authorized } from "../contract/account.ts";
import type { Actor } from "../contract/actor.ts";
import {
  createScheduleBody,
  type ScheduleCommand,
  type ScheduleRecord,
  type StoredSchedule,
  scheduleId,
  scheduleRecord,
  type Timing,
  updateScheduleBody,
} from "../contract/schedule.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { isTimeZone } from "../lib/dates.ts";
import { loadWorkflow } from "../records/workflows.ts";
import { draftOfSchedule } from "../workflows/draft.ts";
import { checkInputs, withScheduledAt } from "../workflows/inputs.ts";
import { cronFault, nextOccurrence } from "../workflows/occurrences.ts";
import { actorOf } from "./actor.ts";
import { apiKey, apiKeyVerifiedByHandler } from "./authentication.ts";
import { jsonBody } from "./body.ts";
import { callWithRetry } from "./call-with-retry.ts";
import type { Http } from "./context.ts";
import { acceptDraft, acceptedResponse } from "./executions/trigger.ts";
import { randomId } from "./keys.ts";
import { listRoute, pageOf } from "./list.ts";
import { HttpProblem, invalid, invalidByFaults, notFound } from "./problem.ts";
import { jsonResponse, noContent, route } from "./route.ts";

const SCHEDULES = "/api/v1/schedules";
const ID_DIGITS = 20;
const SHOWN_TIMES = 5;

const params = z.object({ scheduleId });
const reader = apiKey("workflows:read", "management");
const writer = apiKey("workflows:write", "management");

const example: ScheduleRecord = {
  scheduleId: "sch_4kQ0mYb2Zt7RcX1a9dLw",
  name: "weekday report",
  workflowId: "wf_4kQ0mYb2Zt7RcX1a9dLw",
  inputs: { orderId: "1007" },
  cron: "30 6 * * 1-5",
  timeZone: "Europe/Berlin",
  overlap: "skip",
  catchUp: "last",
  enabled: true,
  next: ["2026-11-23T05:30:00.000Z"],
  lastRuns: [
    {
      scheduledFor: "2026-11-20T05:30:00.000Z",
      executionId: "019a8b2c-6f00-8c3d-9e4f-3b1d7a9a1f42",
      status: "completed",
      skipped: null,
    },
  ],
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z",
};
const response = jsonResponse(200, "The schedule.", scheduleRecord, example);

const create = route({
  method: "POST",
  path: SCHEDULES,
  operationId: "createSchedule",
  tag: "Workflows",
  summary: "Create a schedule",
  description:
    "Runs a workflow at set times: by `cron` in a time zone, every so many seconds, or once. Each time starts exactly one execution, whose `origin` is `schedule` and whose `metadata.scheduledFor` is that time.",
  auth: writer,
  body: jsonBody(createScheduleBody, {
    name: "weekday report",
    workflowId: example.workflowId,
    inputs: { orderId: "1007" },
    cron: "30 6 * * 1-5",
    timeZone: "Europe/Berlin",
  }),
  response: jsonResponse(201, "The schedule.", scheduleRecord, example),
  problems: ["conflict", "unavailable"],
  async handler({ http, caller, body }) {
    const { accountId } = caller;
    const now = Date.now();
    const timing = timingOf(body, body.timeZone);
    if (timing === null) throw new Error("a schedule without a time");
    assertTiming(timing, now);
    const { workflowId, inputs, overlap, catchUp, enabled, name = null } = body;
    await assertInputs(http, accountId, workflowId, inputs);
    const schedule: StoredSchedule = {
      scheduleId: randomId("sch_", ID_DIGITS),
      name,
      workflowId,
      inputs,
      timing,
      overlap,
      catchUp,
      enabled,
      nextAt: nextOccurrence(timing, now, now),
      lastRuns: [],
      createdAt: now,
      updatedAt: now,
    };
    const { done } = await callWithRetry(() =>
      accountStub(http.env, accountId).schedules({ do: "create", schedule }, actorOf(http, caller)),
    );
    if (done) return { value: recordOf(schedule) };
    throw new HttpProblem("conflict", "The account has the most schedules that it may have.");
  },
});

const list = listRoute({
  path: SCHEDULES,
  operationId: "listSchedules",
  tag: "Workflows",
  summary: "List schedules",
  description: "Returns the account's schedules, newest first.",
  auth: reader,
  items: "schedules",
  page: "SchedulePage",
  item: scheduleRecord,
  example,
  async read({ http, caller: { accountId }, query: { limit } }, after) {
    const all = await schedulesBy(http, accountId, { do: "list" });
    const page = pageOf(all, limit, after, (schedule) => ({
      createdAt: schedule.createdAt,
      id: schedule.scheduleId,
    }));
    return { ...page, items: page.items.map(recordOf) };
  },
});

const get = route({
  method: "GET",
  path: `${SCHEDULES}/:scheduleId`,
  operationId: "getSchedule",
  tag: "Workflows",
  summary: "Get a schedule",
  description: "Returns a schedule with its next times and its last runs.",
  auth: reader,
  params,
  response,
  problems: ["not_found"],
  async handler({ http, caller: { accountId }, params: { scheduleId: id } }) {
    return { value: recordOf(await existing(http, accountId, id)) };
  },
});

const update = route({
  method: "PATCH",
  path: `${SCHEDULES}/:scheduleId`,
  operationId: "updateSchedule",
  tag: "Workflows",
  summary: "Update a schedule",
  description:
    "Replaces the fields that you pass. `enabled: false` pauses it; what is missed meanwhile is not made up for.",
  auth: writer,
  params,
  body: jsonBody(updateScheduleBody, { enabled: false }),
  response: jsonResponse(200, "The schedule.", scheduleRecord, {
    ...example,
    enabled: false,
    next: [],
  }),
  problems: ["not_found", "unavailable"],
  async handler({ http, caller, params: { scheduleId: id }, body }) {
    const { accountId } = caller;
    const before = await existing(http, accountId, id);
    const { cron, everySeconds, at, ...rest } = body;
    const { timeZone = before.timing.timeZone, inputs } = rest;
    const given = timingOf({ cron, everySeconds, at }, timeZone) ?? undefined;
    // The time of a run that is over stays.
    const from = given === undefined ? Number.NEGATIVE_INFINITY : Date.now();
    assertTiming(given ?? { ...before.timing, timeZone }, from);
    if (inputs !== undefined || rest.enabled === true)
      await assertInputs(http, accountId, before.workflowId, inputs ?? before.inputs);
    const change = { ...rest, timing: given };
    const [updated] = await schedulesBy(
      http,
      accountId,
      { do: "update", scheduleId: id, change },
      actorOf(http, caller),
    );
    if (updated === undefined) throw notFound();
    return { value: recordOf(updated) };
  },
});

const remove = route({
  method: "DELETE",
  path: `${SCHEDULES}/:scheduleId`,
  operationId: "deleteSchedule",
  tag: "Workflows",
  summary: "Delete a schedule",
  description: "Executions that it started continue.",
  auth: writer,
  params,
  response: noContent("The schedule is deleted."),
  problems: ["not_found"],
  async handler({ http, caller, params: { scheduleId: id } }) {
    const { accountId } = caller;
    await existing(http, accountId, id);
    await callWithRetry(() =>
      accountStub(http.env, accountId).schedules(
        { do: "remove", scheduleId: id },
        actorOf(http, caller),
      ),
    );
    return { value: undefined };
  },
});

const run = route({
  method: "POST",
  path: `${SCHEDULES}/:scheduleId/run`,
  operationId: "runSchedule",
  tag: "Workflows",
  summary: "Run a schedule now",
  description:
    "Starts an execution now, besides those at its times. It stands for now, and `lastRuns` leaves it out.",
  auth: apiKeyVerifiedByHandler("executions:write", "management"),
  params,
  response: acceptedResponse,
  problems: ["not_found", "insufficient_credits", "idempotency_key_reused"],
  requestHeaders: ["Idempotency-Key"],
  responseHeaders: ["Location", "Idempotency-Replayed"],
  async handler({ http, caller, params: { scheduleId: id }, bytes }) {
    const { workflowId, inputs } = await existing(http, caller.accountId, id);
    const definition = await workflowOf(http, caller.accountId, workflowId);
    if (definition === null) throw notFound();
    const scheduled = { scheduleId: id, inputs, scheduledFor: Date.now() };
    const draft = draftOfSchedule(definition, scheduled, settingsOf(http.env));
    return acceptDraft(http, caller, draft, bytes);
  },
});

export const scheduleRoutes = [create, list, get, update, remove, run];

interface Times {
  cron?: string | undefined;
  everySeconds?: number | undefined;
  at?: string | undefined;
}

function timingOf({ cron, everySeconds, at }: Times, timeZone: string): Timing | null {
  if (cron !== undefined) return { cron, timeZone };
  if (everySeconds !== undefined) return { everySeconds, timeZone };
  return at === undefined ? null : { at, timeZone };
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

async function workflowOf(http: Http, accountId: string, workflowId: string) {
  const found = await callWithRetry(() => loadWorkflow(http.env.DB, accountId, workflowId));
  return found?.definition ?? null;
}

async function schedulesBy(
  http: Http,
  accountId: string,
  command: ScheduleCommand & { do: "list" | "get" | "update" },
  actor?: Actor,
): Promise<StoredSchedule[]> {
  const reply = await callWithRetry(() =>
    accountStub(http.env, accountId).schedules(command, actor),
  );
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
    await schedulesBy(
      http,
      accountId,
      { do: "update", scheduleId: id, change },
      actorOf(http, caller),
    );
  }
}

async function existing(http: Http, accountId: string, id: string): Promise<StoredSchedule> {
  const [found] = await schedulesBy(http, accountId, { do: "get", scheduleId: id });
  if (found === undefined) throw notFound();
  return found;
}

/** Returns a schedule as the API shows it. */
export function recordOf(schedule: StoredSchedule): ScheduleRecord {
  const { timing, createdAt, updatedAt, nextAt, enabled, lastRuns, ...rest } = schedule;
  return {
    ...rest,
    ...timing,
    ...("at" in timing && { at: iso(Date.parse(timing.at)) }),
    enabled,
    next: enabled ? timesFrom(schedule).map(iso) : [],
    lastRuns: lastRuns.map(({ scheduledFor, ...run }) => ({
      scheduledFor: iso(scheduledFor),
      ...run,
    })),
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
