import type * as z from "zod";
import { changedSchedule } from "../accounts/schedules.ts";
import type { Authorized } from "../contract/account.ts";
import { firstRevision, isIdentityChanged } from "../contract/revision.ts";
import {
  createScheduleBody,
  type ScheduleCommand,
  type ScheduleRecord,
  type StoredSchedule,
  scheduleRecord,
  type Timing,
  updateScheduleBody,
} from "../contract/schedule.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { iso, isTimeZone } from "../lib/instants.ts";
import { canonicalJson } from "../lib/json-values.ts";
import { loadWorkflow } from "../records/workflows.ts";
import { draftOfSchedule } from "../workflows/draft.ts";
import { checkInputs, withScheduledAt } from "../workflows/inputs.ts";
import { cronFault, nextOccurrence } from "../workflows/occurrences.ts";
import { apiKey, apiKeyVerifiedByHandler } from "./authentication.ts";
import { actorOf, type Http } from "./context.ts";
import { acceptDraft, STARTING } from "./executions/trigger.ts";
import { assertRevision, externalIdTaken, namedRoutes } from "./external.ts";
import { pageOf } from "./list.ts";
import { callWithRetry, conflict, foundOr404, invalid, invalidInputs } from "./problem.ts";
import { randomId } from "./resource.ts";
import { route } from "./route.ts";

const SCHEDULES = "/api/v1/schedules";
const ID_DIGITS = 20;
const SHOWN_TIMES = 5;

const run = route("POST", `${SCHEDULES}/:scheduleId/run`, {
  operationId: "runSchedule",
  summary: "Run a schedule now",
  description: "Starts an execution now, besides those at its times. `lastRuns` leaves it out.",
  auth: apiKeyVerifiedByHandler("executions:write", "management"),
  ...STARTING,
  async handler({ http, caller, params: { scheduleId: id }, bytes }) {
    const { workflowId, inputs } = await existingSchedule(http, caller.accountId, id);
    const definition = foundOr404(await workflowOf(http, caller.accountId, workflowId));
    assertTaken(inputs, definition.inputs);
    const scheduled = { scheduleId: id, inputs, scheduledFor: Date.now() };
    const draft = draftOfSchedule(definition, scheduled, settingsOf(http.env));
    return acceptDraft(http, caller, draft, bytes);
  },
});

const named = namedRoutes({
  path: SCHEDULES,
  name: "Schedule",
  one: "a schedule",
  id: "scheduleId",
  record: scheduleRecord,
  saved: scheduleRecord,
  reader: apiKey("workflows:read", "management"),
  writer: apiKey("workflows:write", "management"),
  body: createScheduleBody,
  bodyExample: {
    name: "weekday report",
    workflowId: "wf_4kQ0mYb2Zt7RcX1a9dLw",
    inputs: { orderId: "1007" },
    cron: "30 6 * * 1-5",
    timeZone: "Europe/Berlin",
  },
  update: updateScheduleBody,
  updateExample: { enabled: false },
  descriptions: {
    create:
      "Runs a workflow at set times: by `cron` in a time zone, every so many seconds, or once. Each time starts exactly one execution, whose `origin` is `schedule` and whose `metadata.scheduledFor` is that time.",
    list: "Returns the account's schedules, newest first.",
    get: "Returns a schedule with its next times and its last runs.",
    update:
      "Replaces the fields that you pass. `enabled: false` pauses it; what is missed meanwhile is not made up for.",
    remove: "Executions that it started continue.",
  },
  idOf: ({ scheduleId }) => scheduleId,
  existing: existingSchedule,
  async find(http, accountId, externalId) {
    const [found = null] = await schedulesBy(http, accountId, { do: "find", externalId });
    return found;
  },
  shown: async (_, found) => recordOf(found),
  async page(http, { accountId }, limit, after) {
    const all = await schedulesBy(http, accountId, { do: "list" });
    const { items, next } = pageOf(all, limit, after, ({ createdAt, scheduleId: id }) => ({
      createdAt,
      id,
    }));
    return { items: items.map(recordOf), next };
  },
  async create(http, caller, body, { dryRun }) {
    const now = Date.now();
    const timing = timingOf(body, body.timeZone);
    if (timing === undefined) throw new Error("a schedule without a time");
    assertTiming(timing, now);
    const { workflowId, inputs, overlap, catchUp, enabled, name = null } = body;
    await assertInputs(http, caller.accountId, body);
    const { revision, externalId, managedBy } = firstRevision(now, null, body);
    const schedule: StoredSchedule = {
      scheduleId: randomId("sch_", ID_DIGITS),
      name,
      workflowId,
      inputs,
      timing,
      overlap,
      catchUp,
      enabled,
      revision,
      externalId,
      managedBy,
      nextAt: nextOccurrence(timing, now, now),
      lastRuns: [],
      createdAt: now,
      updatedAt: now,
    };
    if (!dryRun) await command(http, caller, { do: "create", schedule });
    return recordOf(schedule);
  },
  async change(http, caller, id, { cron, everySeconds, at, ...rest }, application) {
    const before = await existingSchedule(http, caller.accountId, id);
    assertRevision(application?.ifMatch ?? null, before.revision);
    const { timeZone = before.timing.timeZone, workflowId, inputs } = rest;
    const change = { ...rest, timing: timingOf({ cron, everySeconds, at }, timeZone) };
    const timing = change.timing ?? { ...before.timing, timeZone };
    // The time of a run that is over stays.
    const isMoved = canonicalJson(timing) !== canonicalJson(before.timing);
    assertTiming(timing, isMoved ? Date.now() : Number.NEGATIVE_INFINITY);
    const drafted = changedSchedule(before, change, Date.now());
    if (inputs !== undefined || workflowId !== undefined || rest.enabled === true)
      await assertInputs(http, caller.accountId, drafted);
    const changed = before.revision !== drafted.revision || isIdentityChanged(before, drafted);
    if (application !== null && (!changed || application.dryRun))
      return { value: recordOf(changed ? drafted : before), changed };
    const ifRevision = application === null ? undefined : before.revision;
    const update = { do: "update" as const, scheduleId: id, change, ifRevision };
    const [after] = await command(http, caller, update);
    return { value: recordOf(foundOr404(after)), changed };
  },
  replacement: (body) => ({ ...body, name: body.name ?? null }),
  remove: async (http, caller, { scheduleId: id }) =>
    void (await command(http, caller, { do: "remove", scheduleId: id })),
});

export const scheduleRoutes = [...named, run];

/** Has the account change its schedules, and throws the problem of what it does not do. */
async function command(http: Http, caller: Authorized, given: ScheduleCommand) {
  const { why, schedules } = await callWithRetry(() =>
    accountStub(http.env, caller.accountId).schedules(given, actorOf(http, caller)),
  );
  if (why === "full") throw conflict("The account has the most schedules that it may have.");
  if (why === "revision") throw conflict("The schedule was changed meanwhile. Try again.");
  if (why === undefined) return schedules;
  const { externalId } =
    given.do === "create" ? given.schedule : "change" in given ? given.change : {};
  throw externalIdTaken(externalId ?? "");
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

type Started = Pick<StoredSchedule, "workflowId" | "inputs">;

/** Throws a 400 for a workflow of others, and for inputs that the workflow does not take. */
async function assertInputs(http: Http, accountId: string, { workflowId, inputs }: Started) {
  const definition = await workflowOf(http, accountId, workflowId);
  if (definition === null)
    throw invalid("workflowId", "workflow", "must be a workflow of this account");
  assertTaken(inputs, definition.inputs);
}

function assertTaken(inputs: Started["inputs"], declared: Parameters<typeof checkInputs>[1]) {
  // Each execution gets a time of its own.
  const checked = checkInputs(withScheduledAt(inputs, declared, Date.now()), declared);
  if (!checked.ok) throw invalidInputs(checked.faults);
}

/** Returns the definition of a workflow, or null. */
async function workflowOf(http: Http, accountId: string, workflowId: string) {
  const found = await callWithRetry(() => loadWorkflow(http.env.DB, accountId, workflowId));
  return found?.definition ?? null;
}

/** Returns the schedules that a query finds. */
async function schedulesBy(
  http: Http,
  accountId: string,
  query: ScheduleCommand & { do: "list" | "get" | "find" },
): Promise<StoredSchedule[]> {
  const reply = await callWithRetry(() => accountStub(http.env, accountId).schedules(query));
  return reply.schedules;
}

/** Pauses the schedules of a workflow that is about to be deleted. */
export async function pauseSchedulesOf(http: Http, caller: Authorized, workflowId: string) {
  const { accountId } = caller;
  const all = await schedulesBy(http, accountId, { do: "list" });
  const change = { enabled: false };
  for (const { scheduleId: id, ...schedule } of all) {
    if (!schedule.enabled || schedule.workflowId !== workflowId) continue;
    await command(http, caller, { do: "update", scheduleId: id, change });
  }
}

/** Returns a schedule of the account, or throws a 404. */
async function existingSchedule(http: Http, accountId: string, id: string) {
  return foundOr404((await schedulesBy(http, accountId, { do: "get", scheduleId: id }))[0]);
}

/** Returns a schedule as the API shows it. */
function recordOf(schedule: StoredSchedule): ScheduleRecord {
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
