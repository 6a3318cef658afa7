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
import { acceptDraft, acceptedResponse } from "../executions/trigger.ts";
import { externalRoutes } from "../external.ts";
import { notFound } from "../problem.ts";
import { resource } from "../resource.ts";
import { route } from "../route.ts";
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
const bodyExample = {
  name: "weekday report",
  workflowId: example.workflowId,
  inputs: { orderId: "1007" },
  cron: "30 6 * * 1-5",
  timeZone: "Europe/Berlin",
};

const kind = {
  path: "/api/v1/schedules",
  tag: "Workflows" as const,
  name: "Schedule",
  one: "a schedule",
  params: z.object({ scheduleId }),
  record: scheduleRecord,
  example,
  reader,
  writer,
};
const schedule = resource(kind);

const run = route({
  method: "POST",
  path: `${schedule.item}/run`,
  operationId: "runSchedule",
  tag: "Workflows",
  summary: "Run a schedule now",
  description:
    "Starts an execution now, besides those at its times. It stands for now, and `lastRuns` leaves it out.",
  auth: apiKeyVerifiedByHandler("executions:write", "management"),
  params: schedule.params,
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
  ...kind,
  body: createScheduleBody,
  bodyExample,
  saved: scheduleRecord,
  find: scheduleAt,
  shown: async (_, found) => recordOf(found),
  async create(http, caller, body, application) {
    return recordOf(await createSchedule(http, caller, body, application));
  },
  async replace(http, caller, { scheduleId: id }, body, application) {
    const change = { ...body, name: body.name ?? null };
    const { after, changed } = await changeSchedule(http, caller, id, change, application);
    return { value: recordOf(after), changed };
  },
  remove: removeSchedule,
});

export const scheduleRoutes = [
  // Before those whose id is any word.
  ...byExternalId,
  schedule.create({
    description:
      "Runs a workflow at set times: by `cron` in a time zone, every so many seconds, or once. Each time starts exactly one execution, whose `origin` is `schedule` and whose `metadata.scheduledFor` is that time.",
    body: createScheduleBody,
    bodyExample,
    handler: async ({ http, caller, body }) => recordOf(await createSchedule(http, caller, body)),
  }),
  schedule.list(
    "Returns the account's schedules, newest first.",
    async (http, { accountId }) => {
      const all = await schedulesBy(http, accountId, { do: "list" });
      return all.map(recordOf);
    },
    ({ scheduleId: id }) => id,
  ),
  schedule.get(
    "Returns a schedule with its next times and its last runs.",
    async ({ http, caller, params }) =>
      recordOf(await existingSchedule(http, caller.accountId, params.scheduleId)),
  ),
  schedule.update({
    description:
      "Replaces the fields that you pass. `enabled: false` pauses it; what is missed meanwhile is not made up for.",
    body: updateScheduleBody,
    bodyExample: { enabled: false },
    changed: { enabled: false, next: [] },
    async handler({ http, caller, params, body }) {
      const { after } = await changeSchedule(http, caller, params.scheduleId, body);
      return recordOf(after);
    },
  }),
  schedule.remove("Executions that it started continue.", async ({ http, caller, params }) => {
    const found = await existingSchedule(http, caller.accountId, params.scheduleId);
    await removeSchedule(http, caller, found);
    return true;
  }),
  run,
];
