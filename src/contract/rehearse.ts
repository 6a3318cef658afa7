import * as z from "zod";
import { executionId } from "./execution.ts";
import { closed } from "./fields.ts";
import { MAX_REHEARSED } from "./rehearsals.ts";
import { requestId } from "./webhooks/log.ts";
import { updateWorkflowBody } from "./workflow.ts";

/** The body of POST /workflows/:id/rehearse. */
export const rehearseBody = closed({
  draft: updateWorkflowBody.optional().describe("Changes of the workflow to try."),
  last: z.int().min(1).max(MAX_REHEARSED).optional().describe("The inputs of the last executions."),
  executionIds: z.array(executionId).min(1).max(MAX_REHEARSED).optional(),
  requestIds: z.array(requestId).min(1).max(MAX_REHEARSED).optional(),
  reads: z
    .enum(["recorded", "live"])
    .default("recorded")
    .describe(
      "What reads answer that the original did not make: `not_recorded`, or what is there now.",
    ),
})
  .refine(
    ({ last, executionIds, requestIds }) =>
      [last, executionIds, requestIds].filter((one) => one !== undefined).length === 1,
    {
      message: "is required, or `executionIds` or `requestIds`, and only one of them",
      path: ["last"],
    },
  )
  .meta({ id: "Rehearse" });
export type RehearseBody = z.output<typeof rehearseBody>;
