import { createScheduleBody, scheduleRecord, updateScheduleBody } from "../../contract/schedule.ts";
import { settingsOf } from "../../env.ts";
import { draftOfSchedule } from "../../workflows/draft.ts";
import { apiKey, apiKeyVerifiedByHandler } from "../authentication.ts";
import { acceptDraft, STARTING } from "../executions/trigger.ts";
import { namedRoutes } from "../external.ts";
import { pageOf } from "../list.ts";
import { notFound } from "../problem.ts";
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

const bodyExample = {
  name: "weekday report",
  workflowId: "wf_4kQ0mYb2Zt7RcX1a9dLw",
  inputs: { orderId: "1007" },
  cron: "30 6 * * 1-5",
  timeZone: "Europe/Berlin",
};

const SCHEDULES = "/api/v1/schedules";

const run = route("POST", `${SCHEDULES}/:scheduleId/run`, {
  operationId: "runSchedule",
  summary: "Run a schedule now",
  description:
    "Starts an execution now, besides those at its times. It stands for now, and `lastRuns` leaves it out.",
  auth: apiKeyVerifiedByHandler("executions:write", "management"),
  ...STARTING,
  async handler({ http, caller, params: { scheduleId: id }, bytes }) {
    const { workflowId, inputs } = await existingSchedule(http, caller.accountId, id);
    const definition = await workflowOf(http, caller.accountId, workflowId);
    if (definition === null) throw notFound();
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
  bodyExample,
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
  find: scheduleAt,
  shown: async (_, found) => recordOf(found),
  async page(http, { accountId }, limit, after) {
    const all = await schedulesBy(http, accountId, { do: "list" });
    const { items, next } = pageOf(all, limit, after, ({ createdAt, scheduleId: id }) => ({
      createdAt,
      id,
    }));
    return { items: items.map(recordOf), next };
  },
  create: async (...given) => recordOf(await createSchedule(...given)),
  async change(...given) {
    const { after, changed } = await changeSchedule(...given);
    return { value: recordOf(after), changed };
  },
  replacement: (body) => ({ ...body, name: body.name ?? null }),
  remove: removeSchedule,
});

export const scheduleRoutes = [...named, run];
