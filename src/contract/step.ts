import * as z from "zod";
import { listOf, oneOf, open, timestamp } from "./fields.ts";
import { json } from "./json.ts";

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
