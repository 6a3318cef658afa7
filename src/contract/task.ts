import * as z from "zod";
import { decisionRules } from "./decisions.ts";
import {
  executionId,
  forkOf,
  inboundCause,
  metadata,
  origin,
  startedRevision,
} from "./execution.ts";
import { late, listOf, open, timestamp } from "./fields.ts";
import { inputFile } from "./files.ts";
import { jsonObject } from "./json.ts";
import { chosenModel, modelChoice } from "./models.ts";
import { callbackEvent } from "./trigger.ts";

/** The response of GET /trigger/:id/task: the fields of the trigger, with their defaults. */
export const executionTask = open({
  executionId,
  prompt: z.string().describe("The complete prompt."),
  inputs: jsonObject.nullable().describe("The data sent with the prompt, or null."),
  files: listOf(inputFile).default([]).describe("The files sent with the prompt."),
  outputSchema: jsonObject.nullable().describe("The JSON Schema of its data, or null."),
  model: modelChoice.describe("The model, as `provider/name`, or all that may be asked."),
  models: listOf(chosenModel).default([]).describe("What was known of them when it started."),
  tools: listOf(z.string()).describe("The allowed tools."),
  approvals: listOf(z.string()).describe("The tools that require approval."),
  allowedHosts: late(listOf(z.string())).describe(
    "The only hosts that its tools may reach; null for all public hosts.",
  ),
  connections: listOf(z.string()).default([]).describe("The connections that it may use."),
  interactive: z.boolean().describe("Whether it can ask questions."),
  maxCredits: z.int().describe("The credits held for it, which it cannot exceed."),
  maxCostUsd: late(z.number()).describe("The price in USD at which it stops, or null."),
  maxSteps: z.int().describe("The step limit."),
  timeoutSeconds: z.int().describe("The time limit in seconds, without waits for input."),
  inputTimeoutSeconds: z.int().describe("The time limit for an answer, in seconds."),
  ...decisionRules.shape,
  metadata: metadata.describe("The caller's key-value pairs."),
  callbackUrl: z.string().nullable().describe("The URL that receives callbacks, or null."),
  callbackEvents: listOf(callbackEvent).describe("The events that trigger a callback."),
  isCallbackSigned: z.boolean().describe("Whether a secret signs the callbacks."),
  origin: origin.describe("The source of the execution."),
  workflowId: z.string().nullable().describe("The workflow that started it, or null."),
  revision: startedRevision,
  inbound: inboundCause,
  forkOf: forkOf.nullable().default(null),
  forks: listOf(executionId).default([]).describe("The executions that continue this one."),
  createdAt: timestamp.describe("When it was accepted."),
}).meta({ id: "ExecutionTask" });
export type ExecutionTask = z.infer<typeof executionTask>;
