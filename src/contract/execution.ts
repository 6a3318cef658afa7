import * as z from "zod";
import { timestamp } from "./fields.ts";
import { json } from "./json.ts";

export const FINAL_STATUSES = ["completed", "failed", "stopped"] as const;
export const STATUSES = ["active", "waiting_for_input", ...FINAL_STATUSES] as const;

export const executionStatus = z
  .enum(STATUSES)
  .describe("`completed`, `failed` and `stopped` are final: nothing changes after them.");
export type ExecutionStatus = z.infer<typeof executionStatus>;
export type FinalStatus = (typeof FINAL_STATUSES)[number];

/** Whether an execution in this status never changes again. */
export function isFinal(status: ExecutionStatus): status is FinalStatus {
  return status === "completed" || status === "failed" || status === "stopped";
}

/** Why an execution is in its status. */
export const statusDetail = z
  .enum([
    "queued",
    "planning",
    "running",
    "retrying",
    "question",
    "approval",
    "done",
    "user_request",
    "credits_exhausted",
    "budget_reached",
    "step_limit",
    "timed_out",
    "model_error",
    "input_timeout",
    "internal_error",
  ])
  .describe(
    "Why it is in its status. `model_error`: the agent could not do it and says why, or its model failed.",
  );
export type StatusDetail = z.infer<typeof statusDetail>;

export const executionId = z.uuid().meta({ description: "The execution, a UUID." });
const version = z.int().describe("Raised by every change; the same number everywhere.");
const creditsConsumed = z.int().describe("Credits used so far.");
const createdAt = timestamp.describe("When it was accepted.");
const finishedAt = timestamp.nullable().describe("When it ended; null while it goes on.");

/** What kind of thing produced an output. */
export const nodeType = z
  .enum([
    "WEB_PAGE",
    "DATA_EXTRACTION",
    "TABLE_EXTRACTION",
    "LINK_EXTRACTION",
    "HTTP_RESPONSE",
    "CODE_RESULT",
    "EMAIL",
    "SPREADSHEET",
    "FILE",
    "TEXT",
    "STRUCTURED_RESULT",
  ])
  .describe("What kind of thing produced it.");
export type NodeType = z.infer<typeof nodeType>;

export const outputType = z.enum(["text", "json", "table", "file", "link"]);

/** Rows under named columns; every row has a value for each column. */
export const table = z.object({ columns: z.array(z.string()), rows: z.array(z.array(json)) });
export type Table = z.infer<typeof table>;

/** Where a value came from: an event of the execution's log and, where there is one, an address. */
export const source = z.object({
  eventSeq: z.int().describe("The entry of the execution's log."),
  url: z.string().optional().describe("The address that was read."),
});
export type Source = z.infer<typeof source>;

export const output = z
  .object({
    outputId: z.string().describe("Names it within its execution."),
    nodeType,
    label: z.string().describe("A title for people."),
    type: outputType.describe(
      "How it is handed over: `file` and `link` by `url`, others by `value`.",
    ),
    mediaType: z.string().describe("The media type of the value or the file."),
    value: json.optional().meta({ description: "The value; a table's is `{columns, rows}`." }),
    url: z.string().optional().meta({ description: "A link's target, or where a file is read." }),
    filename: z.string().optional().describe("The file's name."),
    sizeBytes: z.int().optional().describe("The file's size."),
    sources: z.array(source).meta({
      description:
        "The answers that the value came from. Only the call that handed it over, without an address: the model wrote it and named none.",
    }),
    createdAt: timestamp.describe("When it was handed over."),
  })
  .meta({ id: "Output", description: "One thing that an execution brought out." });
export type Output = z.infer<typeof output>;

export const effect = z
  .object({
    effectId: z.string().describe("Names it; sent on as Idempotency-Key where that is possible."),
    tool: z.string().describe("The tool that did it."),
    target: z.string().describe("The address, the recipients or the sheet."),
    state: z
      .enum(["confirmed", "failed", "uncertain"])
      .describe("`uncertain`: it was under way when the answer was lost, and is not repeated."),
    at: timestamp.describe("When this was last known."),
  })
  .meta({ id: "Effect", description: "Something that was done to the outside world." });
export type Effect = z.infer<typeof effect>;

export const executionError = z
  .object({ code: statusDetail, message: z.string().describe("What went wrong, in words.") })
  .meta({ id: "ExecutionError", description: "Why it failed." });

const askedAt = timestamp.describe("Since when it waits.");

/** What the execution waits for: an answer, or a yes to exactly this call. */
export const question = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("question").describe("An answer is wanted."),
      text: z.string().describe("What the agent asks."),
      askedAt,
    }),
    z.object({
      kind: z.literal("approval").describe("A yes to exactly this call is wanted."),
      text: z.string().describe("The call in words."),
      callId: z.string().describe("Names the call in the message that decides."),
      tool: z.string().describe("The tool that would be called."),
      input: json.describe("What it would be called with."),
      askedAt,
    }),
  ])
  .meta({
    id: "Question",
    description: "What the execution waits for: an answer, or a yes to a call.",
  });
export type Question = z.infer<typeof question>;

export const progress = z.object({
  message: z.string().describe("What it is doing, in words."),
  stepsCompleted: z.int().describe("Steps that have ended."),
  currentStep: z.int().describe("The step under way, from 1; after the end, the last one."),
  percent: z.number().nullable().describe("Null unless it is known."),
});

/** The answer of GET /trigger/:id/status. */
export const executionState = z
  .object({
    executionId,
    status: executionStatus,
    statusDetail,
    version,
    progress: progress.describe("How far it is."),
    creditsConsumed,
    createdAt,
    startedAt: timestamp.nullable().describe("When its first step began; null before."),
    updatedAt: timestamp.describe("When it last changed."),
    finishedAt,
    question: question.optional(),
    error: executionError.optional(),
  })
  .meta({ id: "ExecutionState" });
export type ExecutionState = z.infer<typeof executionState>;

export const usage = z.object({
  inputTokens: z.int().describe("Tokens that the model read."),
  outputTokens: z.int().describe("Tokens that the model wrote."),
  cachedTokens: z.int().describe("Of those read, the ones that its cache had."),
  modelSteps: z.int().describe("Model calls that were charged."),
  toolCalls: z.int().describe("Tool calls that were made."),
});

export const presentedResult = z.object({
  summary: z.string().describe("What came out, in words; of a waiting execution, its question."),
  data: json.optional().describe("The value that `outputSchema` asked for."),
});

/** The answer of GET /trigger/:id/result, and the body of a callback. */
export const executionResult = z
  .object({
    executionId,
    status: executionStatus,
    presentedResult: presentedResult.describe("The result for people, and as data."),
    outputs: z.array(output).describe("Everything that it handed over, also before it failed."),
    creditsConsumed,
    version,
    effects: z.array(effect).describe("Everything that it did to the outside world."),
    usage: usage.describe("What the model and the tools did."),
    model: z.string().describe("The model that it ran on."),
    question: question.optional().meta({ description: "What a waiting execution asks." }),
    error: executionError.optional(),
    createdAt,
    finishedAt,
  })
  .meta({ id: "ExecutionResult" });
export type ExecutionResult = z.infer<typeof executionResult>;

export const ORIGINS = ["api", "webhook", "replay", "workflow"] as const;
export const origin = z.enum(ORIGINS).describe("What started it.");
export type Origin = z.infer<typeof origin>;

export const metadata = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, "at most 16 pairs");

/** One row of GET /trigger/list, and the row that D1 keeps. */
export const executionRow = z
  .object({
    executionId,
    status: executionStatus,
    statusDetail,
    version,
    promptPreview: z.string().describe("The beginning of its prompt."),
    summary: z.string().nullable().describe("What came out; null while it goes on."),
    creditsConsumed,
    origin,
    workflowId: z.string().nullable().describe("The workflow that it is a run of, or null."),
    metadata: z.record(z.string(), z.string()).describe("The pairs that the trigger gave it."),
    createdAt,
    updatedAt: timestamp.describe("When it last changed."),
    finishedAt,
  })
  .meta({ id: "ExecutionRow" });
export type ExecutionRow = z.infer<typeof executionRow>;
