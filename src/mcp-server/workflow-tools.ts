import * as z from "zod";
import { closed } from "../contract/fields.ts";
import {
  createScheduleBody,
  scheduleId as scheduleIdSchema,
  scheduleRecord,
  updateScheduleBody,
} from "../contract/schedule.ts";
import { runWorkflowBody, workflowId, workflowRecord } from "../contract/workflow.ts";
import { outcome, START, startOnce } from "./outcome.ts";
import { ACT, nextCursor, PAGE, READ, tool } from "./tool.ts";

const listWorkflows = tool({
  name: "list_workflows",
  title: "List workflows",
  description:
    "Lists the account's workflows, newest first: reusable prompts with typed inputs, which run_workflow starts.",
  input: closed(PAGE),
  output: z.object({ workflows: z.array(workflowRecord), nextCursor }),
  annotations: READ,
  run: (query, call) => call.api.workflows.list(query, call),
});

const runWorkflow = tool({
  name: "run_workflow",
  title: "Run a workflow",
  description:
    "Starts an agent from a workflow with values for its inputs, which list_workflows describes. Returns the same as trigger_agent.",
  input: closed({ workflowId, inputs: runWorkflowBody.shape.inputs, ...START }),
  output: outcome,
  annotations: ACT,
  starts: ({ executionId: id }) => id,
  run: ({ workflowId: id, inputs: given, ...wanted }, call) =>
    startOnce(call, wanted, (once) => call.api.workflows.run(id, given, once)),
});

const scheduleId = scheduleIdSchema.describe("The scheduleId that list_schedules returned.");

const listSchedules = tool({
  name: "list_schedules",
  title: "List schedules",
  description:
    "Lists the account's schedules, newest first: the workflow that each runs, when, and its next five times.",
  input: closed(PAGE),
  output: z.object({ schedules: z.array(scheduleRecord), nextCursor }),
  annotations: READ,
  run: (query, call) => call.api.schedules.list(query, call),
});

const createSchedule = tool({
  name: "create_schedule",
  title: "Create a schedule",
  description:
    "Runs a workflow at set times, with the same inputs each time: pass exactly one of cron, everySeconds and at. Each run starts an agent and consumes credits. Every call creates another schedule.",
  input: closed(createScheduleBody.shape),
  output: scheduleRecord,
  annotations: ACT,
  run: (body, call) => call.api.schedules.create(body, call),
});

const updateSchedule = tool({
  name: "update_schedule",
  title: "Update a schedule",
  description:
    "Replaces the fields of a schedule that you pass. With enabled false it pauses: what it misses meanwhile is not made up for.",
  input: closed({ scheduleId, ...updateScheduleBody.shape }),
  output: scheduleRecord,
  annotations: { ...ACT, idempotentHint: true },
  run: ({ scheduleId: id, ...body }, call) => call.api.schedules.update(id, body, call),
});

const runSchedule = tool({
  name: "run_schedule",
  title: "Run a schedule now",
  description:
    "Starts an agent as a schedule does, now and besides its times. Returns the same as trigger_agent.",
  input: closed({ scheduleId, ...START }),
  output: outcome,
  annotations: ACT,
  run: ({ scheduleId: id, ...wanted }, call) =>
    startOnce(call, wanted, (once) => call.api.schedules.run(id, once)),
});

/** Tools that run workflows. */
export const WORKFLOW_TOOLS = [listWorkflows, runWorkflow];
/** Tools that manage schedules. */
export const SCHEDULE_TOOLS = [listSchedules, createSchedule, updateSchedule, runSchedule];
