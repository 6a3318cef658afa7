import * as z from "zod";
import { by } from "./actor.ts";
import { flag, late, listOf, oneOf, open, textUpTo, timestamp } from "./fields.ts";
import { json } from "./json.ts";
import { output } from "./outputs.ts";
import { type ExecutionStatus, ORIGINS, STATUSES } from "./words.ts";

export { FINAL_STATUSES, type FinalStatus, isFinal, ORIGINS, STATUSES } from "./words.ts";
export type { ExecutionStatus };

export const executionStatus = oneOf(...STATUSES).describe(
  "The status. `completed`, `failed` and `stopped` are final.",
);
/** Why an execution is in its status. */
export const statusDetail = oneOf(
  "queued",
  "planning",
  "running",
  "retrying",
  "question",
  "approval",
  "event",
  "done",
  "user_request",
  "superseded",
  "credits_exhausted",
  "limit_reached",
  "budget_reached",
  "step_limit",
  "timed_out",
  "cannot_do",
  "source_unavailable",
  "model_error",
  "input_timeout",
  "denied",
  "internal_error",
).describe(
  "The reason for its status. `superseded`: a further event of its case replaced it. `limit_reached`: a limit of its workflow or endpoint did not let it start. `cannot_do`: the agent ended it and says what it could not do. `source_unavailable`: the agent could not read a page or another source that the task needs. `model_error`: the model itself failed. `denied`: a person denied what it needed.",
);
export type StatusDetail = z.infer<typeof statusDetail>;

export const executionId = z.uuid().describe("The id of the execution, a UUID.");
/** The execution in the examples of the API reference. */
export const EXAMPLE_ID = "5c0f7a5e-7a3e-4b57-9d1c-0a7f3f6f2b11";
/** What a fork continues. */
export const forkOf = open({
  executionId,
  afterStep: z.int().describe("The last step that it took over; 0 for none."),
}).meta({
  id: "ForkOf",
  description: "The execution that this one continues. What it took over is not charged again.",
});

export type ForkOf = z.infer<typeof forkOf>;
const version = z.int().describe("The version of the execution, which every change raises.");
const creditsConsumed = z.int().describe("The credits consumed so far.");
const createdAt = timestamp.describe("When it was accepted.");
const finishedAt = timestamp.nullable().describe("When it ended, or null.");

export const effect = open({
  effectId: z.string().describe("Its id within the execution: that of the call."),
  idempotencyKey: z
    .string()
    .describe(
      "The key that names the effect to its target, the same in every attempt: the header `Idempotency-Key` of `http_request`, `prompthook/idempotencyKey` in the `_meta` of a remote tool's call.",
    ),
  tool: z.string().describe("The tool that caused it."),
  target: z.string().describe("The address, the recipients or the sheet."),
  state: oneOf("confirmed", "failed", "uncertain", "rehearsed").describe(
    "`failed`: it was refused, by a status of 400 to 499 too. `uncertain`: the response was lost or a server's error (500 to 599), so it may have happened. It is not repeated. `rehearsed`: a rehearsal noted it instead of doing it.",
  ),
  at: timestamp.describe("When its state last changed."),
  truncated: flag
    .optional()
    .describe("True if it is based on a source that was cut, so that figures may be incomplete."),
  input: json.optional().describe("The input of a call that was approved."),
  askedInput: json.optional().describe("The agent's own, if a person changed it."),
  approvedBy: by.optional().describe("Who approved the call."),
}).meta({
  id: "Effect",
  description: "A change that the execution made outside, or may have made.",
});
export type Effect = z.infer<typeof effect>;

/** Returns the key that names a call of an execution to its target. */
export const idempotencyKeyOf = (executionId: string, callId: string) => `${executionId}:${callId}`;

export const executionError = open({
  code: statusDetail,
  message: z.string().describe("A description of the error."),
}).meta({ id: "ExecutionError", description: "Why it failed." });

const askedAt = timestamp.describe("When the execution started to wait.");
const ofDecision = z.string().optional().describe("The id of the decision, for its answer.");

/** The input that the execution waits for: an answer, or the approval of exactly this call. */
export const question = z
  .discriminatedUnion("kind", [
    open({
      kind: z.literal("question").describe("The agent waits for an answer."),
      text: z.string().describe("The agent's question."),
      choices: listOf(z.string()).optional().describe("The answers that it offers."),
      askedAt,
      decisionId: ofDecision,
    }),
    open({
      kind: z.literal("approval").describe("The agent waits for the approval of this call."),
      text: z.string().describe("The call, as a sentence."),
      callId: z.string().describe("The id of the call, for the message that decides it."),
      tool: z.string().describe("The tool to call."),
      input: json.describe("The input of the call."),
      askedAt,
      decisionId: ofDecision,
    }),
  ])
  .meta({
    id: "Question",
    description: "The input that the execution waits for: an answer, or the approval of a call.",
  });
export type Question = z.infer<typeof question>;

const progress = open({
  message: z.string().describe("The current activity, as a sentence."),
  stepsCompleted: z.int().describe("The number of completed steps."),
  currentStep: z.int().describe("The current step, from 1; after the end, the last one."),
  percent: z.number().nullable().describe("The progress in percent, or null if it is unknown."),
});

/** The response of GET /trigger/:id/status. */
export const executionState = open({
  executionId,
  status: executionStatus,
  statusDetail,
  version,
  progress: progress.describe("The progress of the execution."),
  creditsConsumed,
  createdAt,
  startedAt: timestamp.nullable().describe("When its first step started, or null."),
  updatedAt: timestamp.describe("When it was last updated."),
  activeMs: late(z.int()).describe("The milliseconds that it worked until then, without waits."),
  finishedAt,
  question: question.optional(),
  error: executionError.optional(),
  forkOf: forkOf.optional(),
}).meta({ id: "ExecutionState" });
export type ExecutionState = z.infer<typeof executionState>;
export const usage = open({
  inputTokens: z.int().describe("The tokens that the model read, for discarded replies too."),
  outputTokens: z.int().describe("The tokens that the model wrote, in discarded replies too."),
  cachedTokens: z.int().describe("The input tokens that the model read from its cache."),
  modelSteps: z.int().describe("The number of charged model calls; discarded replies are free."),
  toolCalls: z.int().describe("The number of tool calls that ran; refused ones are free."),
  costUsd: z.number().optional().describe("The price of its tokens in USD, as far as known."),
}).meta({ id: "ModelUsage", description: "The usage of the model and the tools." });

const presentedResult = open({
  summary: z.string().describe("The result in sentences; while it waits, what it waits for."),
  data: json.optional().describe("The value that matches `outputSchema`."),
  truncated: flag
    .optional()
    .describe("True if a part may be missing: the text, or a source that was read, was cut."),
}).meta({ id: "PresentedResult", description: "The result as text and as data." });

/** What a result has in every status. */
export const resultFields = open({
  executionId,
  presentedResult,
  outputs: listOf(output).describe(
    "All outputs, including those from before a failure. A completed execution has at least one: the answer itself, labelled `Answer`, if the agent created no other.",
  ),
  creditsConsumed,
  version,
  effects: listOf(effect).describe("All changes that it made, or may have made, outside."),
  usage,
  model: z.string().describe("The model, as `provider/name`."),
  forkOf: forkOf.optional(),
  createdAt,
});

const unended = { finishedAt: z.null().describe("Null: it has not ended.") };
const ended = { finishedAt: timestamp.describe("When it ended.") };
/** What a result has in some statuses only. */
export const RESULT_BY_STATUS = {
  active: { status: z.literal("active").describe("It works."), ...unended },
  waiting_for_input: {
    status: z.literal("waiting_for_input").describe("It waits for a person or an event."),
    question: question.optional().describe("The open question; events have none."),
    ...unended,
  },
  completed: { status: z.literal("completed").describe("It did the task."), ...ended },
  failed: {
    status: z.literal("failed").describe("It could not do the task."),
    error: executionError,
    ...ended,
  },
  stopped: { status: z.literal("stopped").describe("It was ended before its task."), ...ended },
};

/** The response of GET /trigger/:id/result. */
export const executionResult = z
  .discriminatedUnion("status", [
    resultFields.extend(RESULT_BY_STATUS.active),
    resultFields.extend(RESULT_BY_STATUS.waiting_for_input),
    resultFields.extend(RESULT_BY_STATUS.completed),
    resultFields.extend(RESULT_BY_STATUS.failed),
    resultFields.extend(RESULT_BY_STATUS.stopped),
  ])
  .meta({ id: "ExecutionResult" });
export type ExecutionResult = z.infer<typeof executionResult>;
export const origin = z.enum(ORIGINS).describe("The source of the execution.");
export type Origin = z.infer<typeof origin>;

export const metadata = z
  .record(textUpTo(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, "must have at most 16 pairs")
  .meta({ maxProperties: 16 });

/** Rows that older code stored lack it. */
export const startedRevision = late(z.int()).describe("The revision of its workflow, or null.");

/** The webhook request that started an execution. */
export const inboundCause = open({
  endpointId: z.string().describe("The endpoint."),
  requestId: z.uuid().describe("The entry in the endpoint's log."),
  eventId: z.string().nullable().default(null).describe("The sender's id of the event, or null."),
})
  .nullable()
  .default(null)
  .describe("The webhook request that started it, or null.");

/** One row of GET /trigger/list, and the row that D1 keeps. */
export const executionRow = open({
  executionId,
  status: executionStatus,
  statusDetail,
  version,
  promptPreview: z.string().describe("The start of its prompt."),
  inputsPreview: late(z.string()).describe("The start of its inputs, or null without inputs."),
  inbound: inboundCause,
  model: z.string().nullable().default(null).describe("The model that it asked last."),
  costUsd: z.number().nullable().default(null).describe("The price in USD, if known."),
  summary: z.string().nullable().describe("The start of its result, or null before the end."),
  creditsConsumed,
  origin,
  workflowId: z.string().nullable().describe("The workflow that started it, or null."),
  keyId: z.string().nullable().default(null).describe("The key that started it, or null."),
  revision: startedRevision,
  forkOf: forkOf.nullable().default(null),
  metadata: z.record(z.string(), z.string()).describe("The caller's key-value pairs."),
  createdAt,
  updatedAt: timestamp.describe("When it was last updated."),
  finishedAt,
}).meta({ id: "ExecutionRow" });
export type ExecutionRow = z.infer<typeof executionRow>;
