import * as z from "zod";
import {
  createScheduleBody,
  type ScheduleRecord,
  scheduleId,
  scheduleRecord,
  updateScheduleBody,
} from "../../contract/schedule.ts";
import { settingsOf } from "../../env.ts";
import { draftOfSchedule } from "../../workflows/draft.ts";
import { apiKey, apiKeyVerifiedByHandler } from "../authentication.ts";
import { jsonBody } from "../body.ts";
import { acceptDraft, acceptedResponse } from "../executions/trigger.ts";
import { assertRevision, externalRoutes } from "../external.ts";
import { listRoute, pageOf } from "../list.ts";
import { notFound } from "../problem.ts";
import { jsonResponse, noContent, route } from "../route.ts";
import {
  changeSchedule,
  createSchedule,
  existingSchedule,
  recordOf,
  removeSchedule,
  scheduleAt,
  schedulesBy,
  workflowOf,
} from "./changes.ts";

const SCHEDULES = "/api/v1/schedules";

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
  revision: 1,
  externalId: null,
  managedBy: null,
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
    return { value: recordOf(await createSchedule(http, caller, body)) };
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
    return { value: recordOf(await existingSchedule(http, accountId, id)) };
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
    const { after } = await changeSchedule(http, caller, id, body);
    return { value: recordOf(after) };
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
    await removeSchedule(http, caller, await existingSchedule(http, caller.accountId, id));
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
    const { workflowId, inputs } = await existingSchedule(http, caller.accountId, id);
    const definition = await workflowOf(http, caller.accountId, workflowId);
    if (definition === null) throw notFound();
    const scheduled = { scheduleId: id, inputs, scheduledFor: Date.now() };
    const draft = draftOfSchedule(definition, scheduled, settingsOf(http.env));
    return acceptDraft(http, caller, draft, bytes);
  },
});

const byExternalId = externalRoutes({
  path: SCHEDULES,
  tag: "Workflows",
  name: "Schedule",
  one: "a schedule",
  reader,
  writer,
  body: createScheduleBody,
  bodyExample: {
    name: "weekday report",
    workflowId: example.workflowId,
    inputs: { orderId: "1007" },
    cron: "30 6 * * 1-5",
    timeZone: "Europe/Berlin",
  },
  record: scheduleRecord,
  saved: scheduleRecord,
  example,
  find: scheduleAt,
  shown: async (_, found) => recordOf(found),
  async put(http, caller, body, application) {
    const { externalId } = application;
    const found = await scheduleAt(http, caller.accountId, externalId);
    if (found === null) {
      assertRevision(application.ifMatch, 0);
      const made = await createSchedule(http, caller, { ...body, externalId }, application);
      return { value: recordOf(made), created: true, changed: true };
    }
    const change = { ...body, name: body.name ?? null };
    const { after, changed } = await changeSchedule(
      http,
      caller,
      found.scheduleId,
      change,
      application,
    );
    return { value: recordOf(after), created: false, changed };
  },
  remove: removeSchedule,
});

// Before those whose id is any word.
export const scheduleRoutes = [...byExternalId, create, list, get, update, remove, run];
