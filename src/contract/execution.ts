import * as z from "zod";
import { json } from "./json.ts";

export const FINAL_STATUSES = ["completed", "failed", "stopped"] as const;
export const STATUSES = ["active", "waiting_for_input", ...FINAL_STATUSES] as const;

export const executionStatus = z.enum(STATUSES);
export type ExecutionStatus = z.infer<typeof executionStatus>;
export type FinalStatus = (typeof FINAL_STATUSES)[number];

/** Whether an execution in this status never changes again. */
export function isFinal(status: ExecutionStatus): status is FinalStatus {
  return status === "completed" || status === "failed" || status === "stopped";
}

/** Why an execution is in its status. */
export const statusDetail = z.enum([
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
]);
export type StatusDetail = z.infer<typeof statusDetail>;

export const executionId = z.uuid().meta({ description: "The execution, a UUID." });
const timestamp = z.iso.datetime({ precision: 3 });

/** What kind of thing produced an output. */
export const nodeType = z.enum([
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
]);
export type NodeType = z.infer<typeof nodeType>;

export const outputType = z.enum(["text", "json", "table", "file", "link"]);

/** Rows under named columns; every row has a value for each column. */
export const table = z.object({ columns: z.array(z.string()), rows: z.array(z.array(json)) });
export type Table = z.infer<typeof table>;

/** Where a value came from: an event of the execution's log and, where there is one, an address. */
export const source = z.object({ eventSeq: z.int(), url: z.string().optional() });
export type Source = z.infer<typeof source>;

export const output = z
  .object({
    outputId: z.string(),
    nodeType,
    label: z.string(),
    type: outputType,
    mediaType: z.string(),
    value: json.optional().meta({ description: "The value; a table's is `{columns, rows}`." }),
    url: z.string().optional().meta({ description: "A link's target, or where a file is read." }),
    filename: z.string().optional(),
    sizeBytes: z.int().optional(),
    sources: z.array(source).meta({
      description:
        "The answers that the value came from. Only the call that handed it over, without an address: the model wrote it and named none.",
    }),
    createdAt: timestamp,
  })
  .meta({ id: "Output" });
export type Output = z.infer<typeof output>;

export const effect = z
  .object({
    effectId: z.string(),
    tool: z.string(),
    target: z.string(),
    state: z.enum(["confirmed", "failed", "uncertain"]),
    at: timestamp,
  })
  .meta({ id: "Effect", description: "Something that was done to the outside world." });
export type Effect = z.infer<typeof effect>;

export const executionError = z.object({ code: statusDetail, message: z.string() });

/** What the execution waits for: an answer, or a yes to exactly this call. */
export const question = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("question"), text: z.string(), askedAt: timestamp }),
    z.object({
      kind: z.literal("approval"),
      text: z.string(),
      callId: z.string(),
      tool: z.string(),
      input: json,
      askedAt: timestamp,
    }),
  ])
  .meta({ id: "Question" });
export type Question = z.infer<typeof question>;

export const progress = z.object({
  message: z.string(),
  stepsCompleted: z.int(),
  currentStep: z.int(),
  percent: z.number().nullable(),
});

/** The answer of GET /trigger/:id/status. */
export const executionState = z
  .object({
    executionId,
    status: executionStatus,
    statusDetail,
    version: z.int(),
    progress,
    creditsConsumed: z.int(),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    updatedAt: timestamp,
    finishedAt: timestamp.nullable(),
    question: question.optional(),
    error: executionError.optional(),
  })
  .meta({ id: "ExecutionState" });
export type ExecutionState = z.infer<typeof executionState>;

export const usage = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int(),
  modelSteps: z.int(),
  toolCalls: z.int(),
});

export const presentedResult = z.object({ summary: z.string(), data: json.optional() });

/** The answer of GET /trigger/:id/result, and the body of a callback. */
export const executionResult = z
  .object({
    executionId,
    status: executionStatus,
    presentedResult,
    outputs: z.array(output),
    creditsConsumed: z.int(),
    version: z.int(),
    effects: z.array(effect),
    usage,
    model: z.string(),
    question: question.optional().meta({ description: "What a waiting execution asks." }),
    error: executionError.optional(),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: "ExecutionResult" });
export type ExecutionResult = z.infer<typeof executionResult>;

export const ORIGINS = ["api", "webhook", "replay", "workflow"] as const;
export const origin = z.enum(ORIGINS);
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
    version: z.int(),
    promptPreview: z.string(),
    summary: z.string().nullable(),
    creditsConsumed: z.int(),
    origin,
    workflowId: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    createdAt: timestamp,
    updatedAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: "ExecutionRow" });
export type ExecutionRow = z.infer<typeof executionRow>;
