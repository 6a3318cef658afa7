import * as z from "zod";
import { by } from "./actor.ts";
import { executionId, executionStatus } from "./execution.ts";
import { closed, listOf, matching, oneOf, open, timestamp } from "./fields.ts";
import { json, jsonObject } from "./json.ts";
import { toolReference } from "./tools/names.ts";

/** The most inputs of one rehearsal. */
export const MAX_REHEARSED = 50;

const tools = listOf(toolReference, 100);

/** What every execution of a workflow is expected to do, for rehearsals. */
export const expectation = closed({
  callsTool: tools.optional().describe("Tools that it calls."),
  notCallsTool: tools.optional().describe("Tools that it does not call."),
  callOrder: tools.optional().describe("Tools that it calls in this order; others may be between."),
  data: jsonObject.optional().describe("A JSON Schema that `presentedResult.data` matches."),
  maxCredits: z.int().min(1).optional().describe("The most credits that it consumes."),
}).meta({
  id: "Expectation",
  description: "What every execution of the workflow is expected to do, for rehearsals.",
});
export type Expectation = z.infer<typeof expectation>;

const call = open({
  tool: z.string().describe("The tool."),
  input: json.describe("Its input."),
}).meta({ id: "RehearsedCall", description: "A call with its exact input, secrets redacted." });
export type RehearsedCall = z.infer<typeof call>;

const count = z.int();
const figures = open({
  steps: count.describe("Model steps."),
  credits: count.describe("Credits."),
  durationMs: count.describe("From the start to the end."),
});

const rehearsalResult = open({
  executionId: executionId.describe("The execution whose inputs were used."),
  requestId: z.uuid().nullable().describe("The webhook request that started it, or null."),
  rehearsalExecutionId: executionId.describe("The execution of the rehearsal."),
  status: executionStatus,
  effects: open({
    same: count.describe("Effects that both have."),
    added: listOf(call).describe("Effects that only the draft has."),
    removed: listOf(call).describe("Effects that only the original has."),
    changed: listOf(open({ before: call, after: call })).describe("Same tools, other inputs."),
  }).describe("The effects of both, compared."),
  dataDiff: listOf(
    open({
      path: z.string().describe("The place."),
      before: json.optional().describe("What the original has there."),
      after: json.optional().describe("What the draft has there."),
    }),
  ).describe("Where the data differs, or the summary of a result without data."),
  ...figures.shape,
  before: figures.describe("The figures of the original."),
  failures: listOf(z.string()).describe("What the workflow expects and this one does not do."),
}).meta({ id: "RehearsalResult" });
export type RehearsalResult = z.infer<typeof rehearsalResult>;

const rehearsalId = z.uuid().describe("The id of the rehearsal.");
export const rehearsalRecord = open({
  rehearsalId,
  workflowId: z.string().describe("The workflow."),
  status: oneOf("running", "completed").describe("`completed`: all its executions ended."),
  results: listOf(rehearsalResult).describe("What came of each input."),
  totals: open({
    rehearsed: count.describe("Inputs."),
    changed: count.describe("Inputs whose effects or data differ."),
    failed: count.describe("Inputs that miss what is expected, or did not complete."),
    credits: count.describe("Credits of the rehearsal."),
    creditsBefore: count.describe("Credits of the originals."),
  }).describe("The sums over all inputs."),
}).meta({ id: "Rehearsal" });
export type Rehearsal = z.infer<typeof rehearsalRecord>;
export const rehearsalAccepted = open({ rehearsalId }).meta({ id: "RehearsalAccepted" });

const name = matching(
  /^[A-Za-z0-9_.-]{1,64}$/,
  "must be 1 to 64 letters, digits, `_`, `.` or `-`",
).describe("What is judged, such as `helpful`.");
const value = z.union([z.number(), z.boolean()]).describe("The judgement; true counts as 1.");

/** The body of POST /trigger/:id/scores. */
export const scoreBody = closed({
  name,
  value,
  comment: z.string().max(2_000).optional().describe("Why."),
}).meta({ id: "NewScore" });

export const scoreRecord = open({
  name,
  value,
  comment: z.string().nullable().describe("Why, or null."),
  by,
  at: timestamp.describe("When it was given."),
}).meta({ id: "Score" });
export type ScoreRecord = z.infer<typeof scoreRecord>;

/** The scores of a workflow's executions under one revision and model. */
export const scoreAverage = open({
  name,
  revision: z.int().nullable().describe("The revision of the workflow."),
  model: z.string().describe("The model."),
  average: z.number().describe("The average value."),
  count: z.int().describe("How many there are."),
}).meta({ id: "ScoreAverage" });
export type ScoreAverage = z.infer<typeof scoreAverage>;
