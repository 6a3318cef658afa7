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
import { late, listOf, oneOf, open, timestamp } from "./fields.ts";
import { inputFile } from "./files.ts";
import { json, jsonObject } from "./json.ts";
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
  allowedHosts: late(listOf(z.string())).describe("The only hosts of its tools; null for all."),
  connections: listOf(z.string()).default([]).describe("The connections that it may use."),
  interactive: z.boolean().describe("Whether it can ask questions."),
  maxCredits: z.int().describe("The credits held for it, which it cannot exceed."),
  maxCostUsd: late(z.number()).describe("The price in USD at which it stops, or null."),
  maxSteps: z.int().describe("The step limit."),
  timeoutSeconds: z.int().describe("The time limit in seconds, without its waits."),
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

const milliseconds = z.int().describe("In milliseconds.");

const call = open({
  callId: z.string().describe("The id of the call."),
  tool: z.string().describe("The tool."),
  input: json.describe("Its input."),
});

/** A message as a model reads it. */
const message = open({
  role: oneOf("system", "user", "assistant", "tool").describe("Whose message it is."),
  text: z.string().describe("The text."),
  calls: listOf(call).optional().describe("The calls of the model's own message."),
  callId: z.string().optional().describe("The call that a tool's message answers."),
  tool: z.string().optional().describe("The tool that answers."),
  images: z.int().optional().describe("The number of images before the text."),
});
export type StepMessage = z.infer<typeof message>;

const stepTry = open({
  model: z.string().describe("The model that was asked."),
  at: timestamp.describe("When."),
  status: z.int().optional().describe("The status of the server's response, if it failed."),
  error: z.string().optional().describe("Why it failed."),
  durationMs: milliseconds,
});

/** The response of GET /trigger/:id/steps/:n. */
export const executionStep = open({
  step: z.int().describe("The number of the step, from 1."),
  model: z.string().describe("The model that replied, or was asked last."),
  messages: listOf(message).describe("What the model was sent, with secrets redacted."),
  reply: open({
    text: z.string().describe("What it wrote."),
    reasoning: z.string().optional().describe("What it thought, if its server says so."),
    calls: listOf(call).describe("The calls that it made."),
  })
    .nullable()
    .describe("The reply, or null if there was none."),
  tries: listOf(stepTry).describe("All calls of models in this step, in their order."),
  usage: open({
    inputTokens: z.int().describe("The tokens that the model read."),
    cachedInputTokens: z.int().describe("Those of them that came from its cache."),
    outputTokens: z.int().describe("The tokens that it wrote."),
    reasoningTokens: z.int().describe("Those of them that it thought, if its server says so."),
    costUsd: z.number().optional().describe("The price in USD, where it is known."),
  }).describe("The usage of the reply."),
  durationMs: milliseconds.describe("From the first try to the end of the last."),
  firstTokenMs: milliseconds
    .nullable()
    .describe("From the start of the last try to the first piece of its reply."),
  tokensPerSecond: z.number().nullable().describe("How fast it wrote from then on."),
  curl: z.string().nullable().describe("A shell command that repeats the request, or null."),
}).meta({ id: "ExecutionStep", description: "One call of the model, with all of its tries." });
export type ExecutionStep = z.infer<typeof executionStep>;
