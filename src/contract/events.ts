import * as z from "zod";
import { executionError, executionStatus, statusDetail, usage } from "./execution.ts";
import { listOf, oneOf, open, timestamp } from "./fields.ts";
import { json } from "./json.ts";
import { nodeType, outputType } from "./outputs.ts";
import type { EVENT_TYPES } from "./words.ts";

export type EventType = (typeof EVENT_TYPES)[number];

const common = {
  seq: z.int().describe("The number of the event, from 1 without gaps; the stream's `id`."),
  at: timestamp.describe("When the event occurred."),
  version: z.int().describe("The execution's version after this entry."),
};

/** An event of one type. Its data may get further fields: what newer code has stored is kept. */
const event = <Type extends EventType, Data extends z.core.$ZodLooseShape>(
  type: Type,
  data: Data,
) =>
  open({
    ...common,
    type: z.literal(type).describe("The type of the event; the stream's `event`."),
    data: z.looseObject(data).describe("The details."),
  });

const callId = z.string().describe("The id of the call.");
const messageId = z.string().describe("The id of the message.");
const step = z.int().describe("The number of the step, from 1.");
const durationMs = z.int().optional().describe("How long it took, in milliseconds.");
const credits = z.int().optional().describe("The credits that it cost.");
const truncated = z.boolean().optional().describe("True if a long value was cut.");
const shown = (what: string) => json.optional().describe(`${what}, with secrets redacted.`);

/**
 * One entry of an execution's log. `seq` counts from 1 without gaps.
 *
 * `tool.started` marks the start of a call, `tool.finished` its answer. A call that was refused, denied,
 * interrupted before it ran, or decided by the service itself (`ask_user`) has no start. A read that a
 * crash interrupted runs again and starts twice. A call that is running when the execution ends has no
 * answer; the result's effects show its outcome.
 *
 * Long values are cut to 16 KiB of JSON. Fields are optional that older code did not store: an
 * entry that does not parse would be missing from the log.
 */
export const executionEvent = z
  .discriminatedUnion("type", [
    event("status", {
      status: executionStatus,
      statusDetail,
      error: executionError.optional(),
    }),
    event("plan", {
      parts: listOf(z.string()).describe("What it has to do; again when a message changes it."),
    }),
    event("step.started", { step }),
    event("step.finished", {
      step,
      creditsConsumed: z.int().optional().describe("The credits of the execution so far."),
      model: z.string().optional().describe("The model that was asked."),
      durationMs,
      credits,
      usage: usage.optional(),
    }),
    event("tool.started", {
      callId,
      tool: z.string().describe("The tool."),
      description: z.string().optional().describe("What the call does, as a sentence."),
      step: step.optional(),
      input: shown("The input"),
      truncated,
    }),
    event("tool.finished", {
      callId,
      tool: z.string().optional().describe("The tool."),
      ok: z.boolean().describe("Whether the call succeeded."),
      result: shown("The result"),
      error: open({ code: z.string(), message: z.string() }).optional().describe("Why it failed."),
      truncated,
      durationMs,
      credits,
      cuts: listOf(z.string())
        .optional()
        .describe("Where the sources of the result were cut, such as `2 MiB`."),
    }),
    event("message.queued", {
      messageId,
      mode: oneOf("next_step", "interrupt").optional().describe("When it is delivered."),
      text: z.string().optional().describe("The message."),
      event: shown("The webhook that it delivers"),
      truncated,
    }),
    event("message.applied", { messageId }),
    event("message.dropped", { messageId }),
    event("output", {
      outputId: z.string().describe("The id of the output."),
      label: z.string().describe("A title for people."),
      type: outputType.describe("The type of the output."),
      nodeType,
    }),
    event("question", {
      kind: oneOf("question", "approval").describe("Whether it asks for words or an approval."),
      text: z.string().describe("The question."),
      callId: callId.optional(),
      tool: z.string().optional().describe("The tool to approve."),
      input: shown("The input to approve"),
      choices: listOf(z.string()).optional().describe("The answers that it offers."),
    }),
    event("log", { message: z.string().describe("What happened, as a sentence.") }),
  ])
  .meta({ id: "ExecutionEvent" });
export type ExecutionEvent = z.infer<typeof executionEvent>;
