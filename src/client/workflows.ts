import type * as z from "zod";
import type { TriggerAccepted } from "../contract/account.ts";
import type { GivenFiles } from "../contract/files.ts";
import type { JsonObject } from "../contract/json.ts";
import type { rehearsalRecord } from "../contract/rehearsals.ts";
import type { ScheduleRecord } from "../contract/schedule.ts";
import type { WorkflowRecord, WorkflowRevision } from "../contract/workflow.ts";
import type {
  CreateScheduleBody,
  CreateWorkflowBody,
  RehearseBody,
  UpdateScheduleBody,
  UpdateWorkflowBody,
} from "./bodies.ts";
import type { CallOptions, RepeatableOptions } from "./paging.ts";
import { NamedRecords, RevisedRecords } from "./resource.ts";

/** Workflows: prompts with typed inputs. */
export class Workflows extends RevisedRecords<
  "workflows",
  WorkflowRecord,
  CreateWorkflowBody,
  UpdateWorkflowBody,
  WorkflowRevision
> {
  /** Runs a draft on the inputs of earlier executions, without effects. */
  readonly rehearse = this.sends<RehearseBody, { rehearsalId: string }>("/rehearse");

  /** Starts an agent with these inputs. Generates an idempotency key unless you pass one. */
  run(
    workflowId: string,
    inputs: JsonObject,
    { files, ...options }: RepeatableOptions & { files?: GivenFiles | undefined } = {},
  ) {
    const body = { inputs, ...(files && { files }) };
    return this.transport.once<TriggerAccepted>(this.at(workflowId, "/run"), body, options);
  }

  /** Returns what a rehearsal found so far. */
  rehearsal(rehearsalId: string, options?: CallOptions) {
    const path = `/rehearsals/${encodeURIComponent(rehearsalId)}`;
    return this.transport.get<z.output<typeof rehearsalRecord>>(path, {}, options);
  }
}

/** Schedules: workflows that run at set times. */
export class Schedules extends NamedRecords<
  "schedules",
  ScheduleRecord,
  CreateScheduleBody,
  UpdateScheduleBody
> {
  /** Starts an execution now. Generates an idempotency key unless you pass one. */
  run(scheduleId: string, options: RepeatableOptions = {}) {
    return this.transport.once<TriggerAccepted>(this.at(scheduleId, "/run"), undefined, options);
  }
}
