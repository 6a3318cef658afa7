import * as z from "zod";
import { executionId, metadata, origin } from "./execution.ts";
import { timestamp } from "./fields.ts";
import { jsonObject } from "./json.ts";
import { callbackEvent } from "./trigger.ts";

/** The answer of GET /trigger/:id/task: named as a trigger names it, with what the defaults came to. */
export const executionTask = z
  .object({
    executionId,
    prompt: z.string().describe("What the agent was asked to do, in full."),
    inputs: jsonObject
      .nullable()
      .describe("The data that it was given beside the prompt, or null."),
    outputSchema: jsonObject.nullable().describe("What its data has to match, or null."),
    model: z.string().describe("The model, by provider and name."),
    tools: z.array(z.string()).describe("The tools that it may use."),
    approvals: z.array(z.string()).describe("The tools that wait for a yes."),
    interactive: z.boolean().describe("Whether it may ask."),
    maxCredits: z.int().describe("The credits that were held for it: it cannot use more."),
    maxSteps: z.int().describe("The steps that it may take."),
    timeoutSeconds: z.int().describe("How long it may work, waiting for input not counted."),
    inputTimeoutSeconds: z.int().describe("How long it waits for an answer."),
    metadata: metadata.describe("The caller's own notes."),
    callbackUrl: z.string().nullable().describe("Where its result is delivered, or null."),
    callbackEvents: z.array(callbackEvent).describe("What is delivered there."),
    isCallbackSigned: z.boolean().describe("Whether there is a secret that signs callbacks."),
    origin: origin.describe("What started it."),
    workflowId: z.string().nullable().describe("The workflow that it is a run of, or null."),
    inbound: z
      .object({
        endpointId: z.string().describe("The endpoint."),
        requestId: z.uuid().describe("The entry in the endpoint's log."),
      })
      .nullable()
      .describe("The webhook request that started it, or null."),
    createdAt: timestamp.describe("When it was accepted."),
  })
  .meta({ id: "ExecutionTask" });
export type ExecutionTask = z.infer<typeof executionTask>;
