import * as z from "zod";
import { timestamp } from "./fields.ts";
import { json } from "./json.ts";
import { EVENT_TYPES } from "./words.ts";

export { EVENT_TYPES };

export type EventType = (typeof EVENT_TYPES)[number];

/**
 * One entry of an execution's log. `seq` counts from 1 without gaps.
 *
 * `plan` holds `parts`: what the agent understood that it has to do, one line for each part; again when
 * a message or the data changes it. Only a model that states its plan has it.
 *
 * `tool.started` marks the start of a call, `tool.finished` its answer. A call that was refused, denied,
 * interrupted before it ran, or decided by the service itself (`ask_user`) has no start. A read that a
 * crash interrupted runs again and starts twice. A call that is running when the execution ends has no
 * answer; the result's effects show its outcome.
 *
 * `tool.started` holds the call's `input`, `tool.finished` its `result` or `error`, with secrets redacted
 * by name, each cut to 16,384 characters of JSON with `truncated: true`. `durationMs`, `credits` and
 * `usage` of `step.finished` and `tool.finished` are those of this step or call alone. `cuts` of
 * `tool.finished` says where the sources of the result were cut, such as `2 MiB`.
 */
export const executionEvent = z
  .object({
    seq: z.int().describe("The number of the event, from 1 without gaps; the stream's `id`."),
    type: z.enum(EVENT_TYPES).describe("The type of the event; the stream's `event`."),
    at: timestamp.describe("When the event occurred."),
    version: z.int().meta({ description: "The execution's version after this entry." }),
    data: z.record(z.string(), json).describe("The details; the fields depend on the type."),
  })
  .meta({ id: "ExecutionEvent" });
export type ExecutionEvent = z.infer<typeof executionEvent>;
